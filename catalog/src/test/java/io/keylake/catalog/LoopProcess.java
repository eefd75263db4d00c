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

package io.keylake.catalog;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * A Java process of its own that runs a {@link TableLoop} or a {@link MaintenanceLoop}. It is told
 * on its standard input {@code upsert|maintain SEED TABLE...}, then {@code stop}, which it answers
 * with the loop's report.
 */
final class LoopProcess implements AutoCloseable {
  private static final String ANSWER = "answer: ";
  private static final int WRITER = 1;

  private final Process process;
  private final BufferedReader output;
  private final BufferedWriter input;

  private LoopProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts the process and waits until it is ready. */
  static LoopProcess start(Path warehouse) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens") || argument.startsWith("-Xss"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx1g", "-XX:+UseParallelGC", "-Duser.timezone=UTC", "-cp"));
    String classPath = System.getProperty("java.class.path");
    command.add(System.getProperty("surefire.test.class.path", classPath));
    command.addAll(List.of(LoopProcess.class.getName(), warehouse.toString()));
    LoopProcess started =
        new LoopProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    started.answer();
    return started;
  }

  /** Begins a loop. */
  void begin(String what, long seed, List<String> tables) throws IOException {
    tell(what + " " + seed + " " + String.join(" ", tables));
  }

  /** Ends the loop; its report. */
  String stop() throws IOException {
    tell("stop");
    return answer();
  }

  /** Ends the process at once, as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  private void tell(String line) throws IOException {
    input.write(line);
    input.newLine();
    input.flush();
  }

  /** The next answer; when there is none, what the process printed is the failure. */
  private String answer() throws IOException {
    StringBuilder printed = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length());
      }
      printed.append(line).append('\n');
    }
    throw new AssertionError("The process has ended:\n" + printed);
  }

  @Override
  public void close() throws Exception {
    kill();
  }

  /** The process. */
  public static void main(String[] arguments) throws Exception {
    Path warehouse = Path.of(arguments[0]);
    SharedSpark spark = SharedSpark.over(warehouse);
    System.out.println(ANSWER + "ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      List<String> words = List.of(line.split(" ", -1));
      long seed = Long.parseLong(words.get(1));
      List<String> tables = words.subList(2, words.size());
      Loop loop =
          words.get(0).equals("upsert")
              ? upserts(new TableLoop(spark.session(), seed), tables)
              : maintenance(new MaintenanceLoop(spark.session(), warehouse, seed), tables);
      CompletableFuture<String> end = CompletableFuture.supplyAsync(() -> run(loop));
      lines.readLine();
      loop.stop().run();
      System.out.println(ANSWER + end.get());
    }
    System.exit(0);
  }

  /** A loop; {@code run} gives its report at the end. */
  private record Loop(Callable<String> run, Runnable stop) {}

  private static Loop upserts(TableLoop loop, List<String> tables) {
    return new Loop(
        () -> {
          loop.upsert(WRITER, tables);
          return loop.report();
        },
        loop::stop);
  }

  private static Loop maintenance(MaintenanceLoop loop, List<String> tables) {
    return new Loop(
        () -> {
          loop.run(tables);
          return loop.report();
        },
        loop::stop);
  }

  private static String run(Loop loop) {
    try {
      return loop.run().call();
    } catch (Throwable failure) {
      failure.printStackTrace();
      System.exit(1);
      throw new IllegalStateException(failure);
    }
  }
}
