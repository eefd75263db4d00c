/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.keylake.catalog.stream;

import io.keylake.catalog.HookedFileSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process of its own that runs a {@link KilledPipeline}, and says when it makes a file. */
final class KilledProcess {
  private static final String OPERATION = "operation";

  private KilledProcess() {}

  /** Starts a process and kills it, as {@code kill -9} does, after some operations. */
  static void runAndKill(Path folder, KilledPipeline.Sum sum, int operations)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens") || argument.startsWith("-Xss"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx1g", "-XX:+UseParallelGC", "-Duser.timezone=UTC", "-cp"));
    String classPath = System.getProperty("java.class.path");
    command.add(System.getProperty("surefire.test.class.path", classPath));
    command.addAll(List.of(KilledProcess.class.getName(), folder.toString(), sum.name()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    StringBuilder printed = new StringBuilder();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      int left = operations;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(OPERATION) && --left == 0) {
          return;
        }
        printed.append(line).append('\n');
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    throw new AssertionError("The process has ended before it was killed:\n" + printed);
  }

  /** The process. */
  public static void main(String[] arguments) throws Exception {
    KilledPipeline pipeline =
        new KilledPipeline(Path.of(arguments[0]), KilledPipeline.Sum.valueOf(arguments[1]));
    HookedFileSystem.hook(file -> System.out.println(OPERATION + " " + file));
    pipeline.run();
    System.exit(0);
  }
}
