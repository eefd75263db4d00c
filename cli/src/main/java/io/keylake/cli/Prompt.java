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

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * The interactive prompt: a statement may span lines and ends with a semicolon. History is kept in
 * the user's home folder; Ctrl-C stops the running statement, Ctrl-D or {@code exit} leaves.
 */
final class Prompt {
  private static final String HISTORY_FILE = ".keylake_history";
  private static final double NANOS_PER_SECOND = 1e9;

  private final SparkSession spark;
  private final StatementRunner runner;
  private final PrintStream notes;

  /** Timings, failures and greetings go to {@code notes}. */
  Prompt(SparkSession spark, StatementRunner runner, PrintStream notes) {
    this.spark = spark;
    this.runner = runner;
    this.notes = notes;
  }

  /** Reads and runs statements until the user leaves. */
  void run() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
      terminal.handle(Terminal.Signal.INT, signal -> spark.sparkContext().cancelAllJobs());
      LineReader reader =
          LineReaderBuilder.builder()
              .terminal(terminal)
              .parser(new StatementParser())
              .completer(new SqlCompleter(spark))
              .variable(LineReader.HISTORY_FILE, history())
              .variable(LineReader.SECONDARY_PROMPT_PATTERN, "   -> ")
              .build();
      notes.println("Statements end with a semicolon. Leave with exit or Ctrl-D.");
      boolean more = true;
      while (more) {
        more = readAndRun(reader);
      }
    }
  }

  private boolean readAndRun(LineReader reader) {
    try {
      String input = reader.readLine(LocalSpark.CATALOG + "> ");
      if (isExit(input)) {
        return false;
      }
      StatementSplitter.split(input).forEach(this::runAndReport);
    } catch (UserInterruptException e) {
      notes.println("Leave with exit or Ctrl-D.");
    } catch (EndOfFileException e) {
      return false;
    }
    return true;
  }

  private void runAndReport(String statement) {
    long start = System.nanoTime();
    try {
      runner.run(statement);
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      notes.printf(Locale.ROOT, "%.2f s%n", seconds);
    } catch (Exception failure) {
      notes.println(ErrorReport.of(failure));
    }
  }

  private static Path history() {
    return Path.of(System.getProperty("user.home"), HISTORY_FILE);
  }

  private static boolean isExit(String input) {
    String word = input.strip().replaceAll(";$", "").strip().toLowerCase(Locale.ROOT);
    return List.of("exit", "quit").contains(word);
  }

  /** Asks for another line until the statement is complete. */
  private static final class StatementParser extends DefaultParser {
    StatementParser() {
      setQuoteChars(new char[0]);
      setEscapeChars(new char[0]);
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      boolean accepting =
          context == ParseContext.UNSPECIFIED || context == ParseContext.ACCEPT_LINE;
      if (accepting && StatementSplitter.isIncomplete(line) && !isExit(line)) {
        throw new EOFError(-1, cursor, "The statement has no semicolon yet");
      }
      return super.parse(line, cursor, context);
    }
  }
}
