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

package io.keylake.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.golden.GoldenTables;
import io.keylake.spark.testing.SharedSpark;
import io.keylake.spark.testing.UnorderedArrays;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every table of the reference that this version reads gives exactly the rows it reads. */
final class GoldenReadSparkTest {
  /** Tables of which the reference hides rows until they are compacted. */
  private static final Set<String> COMPACTED_VIEW =
      Set.of("dv_pk", "dv_pk64", "first_row", "postpone", "cl_lookup", "cl_full");

  private static final List<String> READ =
      List.of(
          "agg_all",
          "agg_remove_on_delete",
          "agg_retract",
          "append_bucketed",
          "append_unaware",
          "bloom_embedded",
          "bloom_file",
          "bucket_mod",
          "cl_agg_lookup",
          "cl_decoupled",
          "cl_full",
          "cl_input",
          "cl_lookup",
          "cross_partition",
          "default_values",
          "dv_append",
          "dv_append_bucketed",
          "dv_pk",
          "dv_pk64",
          "dyn_bucket",
          "empty",
          "evo_append",
          "evo_pk",
          "expired",
          "first_row",
          "format_per_level",
          "formats_mixed",
          "manifest_merge",
          "multi_file",
          "overwrite_all",
          "overwrites",
          "part_new_names",
          "part_null",
          "part_special",
          "part_types",
          "pk_bucket_key",
          "pk_ignore_delete",
          "pk_key_types",
          "pk_l0_deletes",
          "pk_multi_level",
          "postpone",
          "prec_avro",
          "prec_orc",
          "prec_parquet",
          "pu_agg_default",
          "pu_basic",
          "pu_remove_on_delete",
          "pu_remove_on_group",
          "pu_seq_group",
          "rescaled",
          "row_tracking",
          "rowkind_field",
          "seq_field",
          "seq_field_desc",
          "stats_modes",
          "tags_branches",
          "thin_mode",
          "types_append",
          "types_avro",
          "types_avro_pk",
          "types_exotic",
          "types_orc",
          "types_orc_pk",
          "types_pk");

  private static final Pattern TIME = Pattern.compile("\"(\\d\\d:\\d\\d:\\d\\d\\.\\d{3})\"");

  private static final Pattern FINE_TIMESTAMP =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}");

  @TempDir private static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void startSession() {
    spark = SharedSpark.newSession(Map.of("spark.sql.readSideCharPadding", "false"));
  }

  static Stream<String> tables() {
    return READ.stream();
  }

  @Test
  void everyGoldenTableIsRead() {
    assertThat(READ).containsExactlyElementsOf(GoldenTables.names());
  }

  @ParameterizedTest
  @MethodSource("tables")
  void rowsOfTheLatestSnapshotAreThoseOfTheReference(String table) {
    Path path = unpacked(table);

    assertThat(UnorderedArrays.sorted(table, SharedSpark.sortedText(read(table, path))))
        .containsExactlyElementsOf(
            UnorderedArrays.sorted(
                table, asSparkSeesThem(GoldenTables.expected(table, "expected.jsonl"))));
  }

  private static Path unpacked(String table) {
    Path path = folder.resolve(table);
    return path.toFile().exists() ? path : GoldenTables.unpack(table, folder);
  }

  private static Dataset<Row> read(String table, Path path) {
    var reader = spark.read().format("keylake");
    if (COMPACTED_VIEW.contains(table)) {
      reader = reader.option("scan.visibility", "compacted");
    }
    return reader.load(path.toString());
  }

  /** Spark has no fraction finer than microseconds, and TIME is a number of milliseconds. */
  private static List<String> asSparkSeesThem(List<String> lines) {
    return SharedSpark.sorted(
        lines.stream()
            .map(line -> FINE_TIMESTAMP.matcher(line).replaceAll(GoldenReadSparkTest::micros))
            .map(line -> TIME.matcher(line).replaceAll(GoldenReadSparkTest::millis))
            .toList());
  }

  private static String micros(MatchResult time) {
    return LocalDateTime.parse(time.group())
        .truncatedTo(ChronoUnit.MICROS)
        .format(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS"));
  }

  private static String millis(MatchResult time) {
    return Long.toString(LocalTime.parse(time.group(1)).toNanoOfDay() / 1_000_000L);
  }
}
