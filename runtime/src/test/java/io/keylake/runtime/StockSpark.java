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

package io.keylake.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * A Spark as users have it: a JVM of its own with the jars of the distribution and nothing of this
 * build. A program is handed to {@code SparkSubmit} together with the runtime jar ({@code --jars}),
 * so the jar is loaded the way it is in production, by a class loader below that of Spark.
 */
final class StockSpark {
  private final Path runtimeJar;
  private final Path scratch;

  StockSpark(Path runtimeJar, Path scratch) {
    this.runtimeJar = runtimeJar;
    this.scratch = scratch;
  }

  /** What a finished program left: its exit code and both its outputs, line by line. */
  record Outcome(int exitCode, List<String> output, String log) {
    Outcome {
      output = List.copyOf(output);
    }
  }

  /**
   * Runs the main method of a class of this module, with settings in the form {@code key=value}.
   */
  Outcome run(Class<?> program, List<String> settings, String... arguments)
      throws IOException, InterruptedException {
    Path log = scratch.resolve("log.txt");
    Path output = scratch.resolve("output.txt");
    Process process =
        new ProcessBuilder(command(program, settings, arguments))
            .directory(scratch.toFile())
            .redirectOutput(output.toFile())
            .redirectError(log.toFile())
            .start();
    process.getOutputStream().close();
    int exitCode = process.waitFor();
    return new Outcome(exitCode, Files.readAllLines(output), Files.readString(log));
  }

  private List<String> command(Class<?> program, List<String> settings, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-XX:TieredStopAtLevel=1");
    String options = System.getProperty("keylake.spark.jvm.options").trim();
    command.addAll(Arrays.asList(options.split("\\s+")));
    command.add("-cp");
    command.add(Files.readString(Path.of(System.getProperty("keylake.stock.classpath"))));
    command.add("org.apache.spark.deploy.SparkSubmit");
    command.addAll(List.of("--master", "local[1]", "--jars", runtimeJar.toString()));
    command.addAll(List.of("--conf", "spark.ui.enabled=false"));
    command.addAll(List.of("--conf", "spark.sql.shuffle.partitions=1"));
    settings.forEach(setting -> command.addAll(List.of("--conf", setting)));
    command.addAll(List.of("--class", program.getName(), jarOf(program).toString()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private Path jarOf(Class<?> program) throws IOException {
    Path jar = scratch.resolve("program.jar");
    String entry = program.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        var bytes = program.getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new JarEntry(entry));
      bytes.transferTo(out);
    }
    return jar;
  }
}
