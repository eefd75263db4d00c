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

package io.keylake.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one mode of a benchmark in a Java process with the class path and flags of this one, and
 * gives back the line it answers.
 */
final class ChildProcess {
  /** First argument of a child. */
  static final String MARK = "--child";

  private static final String ANSWER = "answer: ";

  private ChildProcess() {}

  /**
   * The answer of a child with these arguments; a child that fails is an IllegalStateException with
   * what it printed.
   */
  static String call(String... arguments) {
    return call(List.of(), arguments);
  }

  /** The same, with {@code flags} for its Java machine after those of this one. */
  static String call(List<String> flags, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add(MARK);
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      StringBuilder printed = new StringBuilder();
      String answer = null;
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith(ANSWER)) {
            answer = line.substring(ANSWER.length());
          }
          printed.append(line).append('\n');
        }
      }
      int exit = process.waitFor();
      if (exit != 0 || answer == null) {
        throw new IllegalStateException(
            "The process of " + List.of(arguments) + " ended with " + exit + ":\n" + printed);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a benchmark ran", e);
    }
  }

  /** What a child does. */
  static void run(List<String> arguments) {
    String answer =
        switch (arguments.get(0)) {
          case ScanBenchmark.PREPARE -> ScanBenchmark.prepare(arguments);
          case ScanBenchmark.QUERY -> ScanBenchmark.query(arguments);
          case WriteBenchmark.PREPARE -> WriteBenchmark.prepare(arguments);
          case CompactBenchmark.PREPARE -> CompactBenchmark.prepare(arguments);
          case CompactBenchmark.COMPACT -> CompactBenchmark.compact(arguments);
          case MergeBenchmark.PREPARE -> MergeBenchmark.prepare(arguments);
          case MergeBenchmark.RUN -> MergeBenchmark.measure(arguments);
          case ExpireBenchmark.PREPARE -> ExpireBenchmark.prepare(arguments);
          case ExpireBenchmark.RUN -> ExpireBenchmark.measure(arguments);
          case JoinBenchmark.PREPARE -> JoinBenchmark.prepare(arguments);
          case JoinBenchmark.RUN -> JoinBenchmark.measure(arguments);
          case ChangesBenchmark.PREPARE -> ChangesBenchmark.prepare(arguments);
          case ChangesBenchmark.RUN -> ChangesBenchmark.measure(arguments);
          case ProducingBenchmark.PREPARE -> ProducingBenchmark.prepare(arguments);
          case ProducingBenchmark.RUN -> ProducingBenchmark.measure(arguments);
          case IdleTriggerBenchmark.RUN -> IdleTriggerBenchmark.measure(arguments);
          case WriteBenchmark.WRITE -> WriteBenchmark.write(arguments);
          default -> throw new IllegalArgumentException("Unknown work " + arguments.get(0));
        };
    System.out.println(ANSWER + answer);
  }
}
