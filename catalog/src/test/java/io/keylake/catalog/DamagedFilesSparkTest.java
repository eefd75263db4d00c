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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.SparkThrowable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data files that lost their end. */
final class DamagedFilesSparkTest {
  @TempDir private Path warehouse;

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "avro"})
  void aFileCutShortIsNamed(String format) throws IOException {
    SharedSpark spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE t (id INT, v STRING, a ARRAY<STRING>) TBLPROPERTIES ('file.format' = '"
            + format
            + "')",
        "INSERT INTO t SELECT id, uuid(), array(uuid()) FROM range(0, 2000, 1, 1)");
    Path file = dataFile();
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 3, 20, whole.length / 2, whole.length - 5}) {
      Files.write(file, Arrays.copyOf(whole, length));
      Throwable failure = catchThrowable(() -> spark.rows("SELECT count(v), max(a) FROM t"));
      assertThat(condition(failure)).as("length %s", length).isEqualTo("KEYLAKE_CORRUPT_FILE");
      assertThat(failure).hasStackTraceContaining(file.getFileName().toString());
    }
  }

  private Path dataFile() throws IOException {
    try (Stream<Path> files = Files.walk(warehouse)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("data-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String condition(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable told
          && told.getCondition() != null
          && told.getCondition().startsWith("KEYLAKE_")) {
        return told.getCondition();
      }
    }
    return "none in " + failure;
  }
}
