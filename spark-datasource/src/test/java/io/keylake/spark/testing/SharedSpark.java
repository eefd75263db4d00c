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

package io.keylake.spark.testing;

import io.keylake.spark.convert.CanonicalText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * One Spark for all tests of a module run: two threads, UTC, no web UI, few shuffle partitions.
 * Sessions are cheap and do not see each other's settings and temporary views.
 */
public final class SharedSpark {
  private static @Nullable SparkSession root;

  private SharedSpark() {}

  private static synchronized SparkSession root() {
    SparkSession session = root;
    if (session == null) {
      session =
          SparkSession.builder()
              .master("local[2]")
              .appName("tests")
              .config("spark.ui.enabled", "false")
              .config("spark.driver.host", "127.0.0.1")
              .config("spark.driver.bindAddress", "127.0.0.1")
              .config("spark.sql.session.timeZone", "UTC")
              .config("spark.sql.shuffle.partitions", "3")
              .config("spark.sql.warehouse.dir", temporaryFolder().toUri().toString())
              .config("spark.sql.catalogImplementation", "in-memory")
              .config("spark.sql.streaming.stopTimeout", "10000")
              .getOrCreate();
      root = session;
    }
    return session;
  }

  /** A new session with these settings on top of the shared ones; it becomes the active one. */
  public static SparkSession newSession(Map<String, String> settings) {
    SparkSession session = root().newSession();
    settings.forEach((key, value) -> session.conf().set(key, value));
    SparkSession.setActiveSession(session);
    return session;
  }

  /** A new session; it becomes the active one. */
  public static SparkSession newSession() {
    return newSession(Map.of());
  }

  /** The rows as canonical text, sorted by bytes. */
  public static List<String> sortedText(Dataset<Row> rows) {
    return sorted(text(rows));
  }

  /** Lines in the order of their bytes in UTF-8. */
  public static List<String> sorted(List<String> lines) {
    return lines.stream().sorted(Comparator.comparing(UTF8String::fromString)).toList();
  }

  /** The rows as canonical text, in order. */
  public static List<String> text(Dataset<Row> rows) {
    InternalRow[] collected =
        ((org.apache.spark.sql.classic.Dataset<Row>) rows)
            .queryExecution()
            .executedPlan()
            .executeCollect();
    return Arrays.stream(collected).map(row -> CanonicalText.of(row, rows.schema())).toList();
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("shared-spark");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
