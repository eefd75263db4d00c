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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * Runs the tour, or the chain of streams, in a scratch warehouse, printing each statement, its
 * result and what it shows, and checks that every result is what it must be.
 */
final class Demo {
  private static final double NANOS_PER_SECOND = 1e9;

  private final SparkSession spark;
  private final PrintStream out;

  private Demo(SparkSession spark, PrintStream out) {
    this.spark = spark;
    this.out = out;
  }

  /** Whether every statement of the tour worked and gave what it must. */
  static boolean run(PrintStream out) {
    Path scratch = createScratch();
    try (SparkSession spark = LocalSpark.start(scratch.toString(), Map.of())) {
      out.println("Keylake tour. Scratch warehouse: " + scratch);
      boolean right = new Demo(spark, out).runSteps(Tour.steps());
      out.println();
      out.println(right ? "The tour is complete: every result is right." : "The tour stopped.");
      return right;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot stop the embedded Spark", e);
    } finally {
      deleteScratch(scratch);
    }
  }

  /** The chain of streams, for some seconds; whether its sums are right in the end. */
  static boolean runStreaming(int seconds, PrintStream out) {
    Path scratch = createScratch();
    String warehouse = scratch.resolve("warehouse").toString();
    try (SparkSession spark = LocalSpark.start(warehouse, Map.of())) {
      out.println("Keylake streaming demo, " + seconds + " s. Scratch warehouse: " + warehouse);
      out.println();
      return new StreamingDemo(spark, out, scratch).run(seconds);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot stop the embedded Spark", e);
    } finally {
      deleteScratch(scratch);
    }
  }

  private boolean runSteps(List<TourStep> steps) {
    int number = 0;
    for (TourStep step : steps) {
      number++;
      out.printf(Locale.ROOT, "%n[%d/%d] %s%n%n", number, steps.size(), step.shows());
      out.println(step.statement().indent(4).stripTrailing() + ";");
      out.flush();
      if (!runStep(step)) {
        return false;
      }
    }
    return true;
  }

  private boolean runStep(TourStep step) {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    PrintStream result = new PrintStream(buffer, false, StandardCharsets.UTF_8);
    long start = System.nanoTime();
    try {
      new StatementRunner(spark, ResultFormat.TABLE.printer(), result).run(step.statement());
    } catch (Exception failure) {
      out.println(ErrorReport.of(failure));
      return false;
    }
    result.flush();
    String text = buffer.toString(StandardCharsets.UTF_8);
    out.println();
    out.print(text.indent(4));
    out.printf(Locale.ROOT, "    %.2f s%n", (System.nanoTime() - start) / NANOS_PER_SECOND);
    if (!text.lines().toList().equals(step.expected().lines().toList())) {
      out.println("    This is wrong, it should be:");
      out.print(step.expected().indent(4));
      return false;
    }
    return true;
  }

  private static Path createScratch() {
    try {
      return Files.createTempDirectory("keylake-demo");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create a folder for the scratch warehouse", e);
    }
  }

  private static void deleteScratch(Path scratch) {
    try (Stream<Path> files = Files.walk(scratch)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete the scratch warehouse " + scratch, e);
    }
  }
}
