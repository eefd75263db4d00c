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

package io.keylake.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * The program behind the launcher: {@code sql} runs statements, {@code demo} is a tour of the
 * product, or a chain of streams. Results go to standard output, everything else to standard error;
 * the exit code is 0 when everything worked, 1 when a statement failed and 2 when the command line
 * is wrong.
 */
public final class Main {
  private static final String USAGE =
      """
      Usage: keylake sql [-e SQL]... [-f FILE]... [--warehouse DIR] [--format tsv|json|table]
                         [--conf KEY=VALUE]...
             keylake demo [streaming [--seconds N]]\
      """;

  /** System properties that the launcher sets to true. */
  private static final String INPUT_IS_TERMINAL = "keylake.input.terminal";

  private static final String OUTPUT_IS_TERMINAL = "keylake.output.terminal";

  private static final int STATEMENT_FAILED = 1;
  private static final int WRONG_USAGE = 2;

  /** How long the chain of streams runs when the command does not say. */
  private static final int STREAMING_SECONDS = 60;

  private Main() {}

  /** Runs the command that the arguments name. */
  public static void main(String[] arguments) {
    PrintStream out = standardOutput();
    int exitCode = run(List.of(arguments), out);
    out.flush();
    System.exit(exitCode);
  }

  private static int run(List<String> arguments, PrintStream out) {
    try {
      String command = arguments.isEmpty() ? "" : arguments.get(0);
      List<String> rest = arguments.subList(Math.min(1, arguments.size()), arguments.size());
      return switch (command) {
        case "sql" -> sql(SqlArguments.parse(rest), out);
        case "demo" -> demo(rest, out);
        default -> throw new UsageException("Unknown command " + command + ".");
      };
    } catch (UsageException e) {
      System.err.println(e.getMessage());
      System.err.println(USAGE);
      return WRONG_USAGE;
    }
  }

  private static int sql(SqlArguments arguments, PrintStream out) {
    boolean onTerminal = Boolean.getBoolean(OUTPUT_IS_TERMINAL);
    ResultFormat format =
        arguments.format().orElse(onTerminal ? ResultFormat.TABLE : ResultFormat.TSV);
    try (SparkSession spark = LocalSpark.start(arguments.warehouse(), arguments.settings())) {
      StatementRunner runner = new StatementRunner(spark, format.printer(), out);
      if (!arguments.scripts().isEmpty()) {
        arguments.scripts().forEach(runner::runScript);
      } else if (Boolean.getBoolean(INPUT_IS_TERMINAL)) {
        new Prompt(spark, runner, System.err).run();
      } else {
        runner.runScript(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
      }
      return 0;
    } catch (Exception failure) {
      out.flush();
      System.err.println(ErrorReport.of(failure));
      return STATEMENT_FAILED;
    }
  }

  private static int demo(List<String> arguments, PrintStream out) {
    boolean right =
        arguments.isEmpty() ? Demo.run(out) : Demo.runStreaming(seconds(arguments), out);
    return right ? 0 : STATEMENT_FAILED;
  }

  private static int seconds(List<String> arguments) {
    if (arguments.equals(List.of("streaming"))) {
      return STREAMING_SECONDS;
    }
    boolean isTimed =
        arguments.size() == 3
            && arguments.subList(0, 2).equals(List.of("streaming", "--seconds"))
            && arguments.get(2).matches("[1-9][0-9]{0,5}");
    if (!isTimed) {
      throw new UsageException("The command demo takes 'streaming [--seconds N]' or no arguments.");
    }
    return Integer.parseInt(arguments.get(2));
  }

  /** Buffered, in UTF-8 whatever the platform's setting is. */
  private static PrintStream standardOutput() {
    FileOutputStream descriptor = new FileOutputStream(FileDescriptor.out);
    return new PrintStream(
        new BufferedOutputStream(descriptor, 1 << 16), false, StandardCharsets.UTF_8);
  }
}
