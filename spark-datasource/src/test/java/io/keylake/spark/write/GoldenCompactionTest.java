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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.golden.GoldenTables;
import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.testing.SoundTable;
import io.keylake.spark.testing.TableRows;
import io.keylake.spark.testing.UnorderedArrays;
import io.keylake.spark.write.InlineCompaction.Extent;
import io.keylake.spark.write.WriteTarget.Functions;
import io.keylake.table.LakeTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables that the reference implementation left in every state of compaction: we read its rows from
 * them, compact them, and both still read these rows, from files in which nothing is wrong.
 */
class GoldenCompactionTest {
  private static final List<String> TABLES =
      List.of(
          "agg_all",
          "agg_remove_on_delete",
          "agg_retract",
          "append_bucketed",
          "append_unaware",
          "bloom_file",
          "bucket_mod",
          "default_values",
          "dv_append",
          "dv_append_bucketed",
          "dv_pk",
          "dv_pk64",
          "dyn_bucket",
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
          "part_null",
          "part_special",
          "part_types",
          "pk_bucket_key",
          "pk_ignore_delete",
          "pk_key_types",
          "pk_l0_deletes",
          "pk_multi_level",
          "pu_agg_default",
          "pu_basic",
          "pu_remove_on_delete",
          "pu_remove_on_group",
          "pu_seq_group",
          "rescaled",
          "rowkind_field",
          "seq_field",
          "seq_field_desc",
          "stats_modes",
          "thin_mode",
          "types_append",
          "types_avro",
          "types_avro_pk",
          "types_orc",
          "types_orc_pk",
          "types_pk");

  /** Tables of which the reference hides rows until they are compacted. */
  private static final Set<String> HIDDEN_ROWS = Set.of("dv_pk", "dv_pk64");

  /** Options that this version does not write by: an ALTER removes them first. */
  private static final Map<String, List<String>> REMOVED_OPTIONS =
      Map.of("bloom_file", List.of("file-index.bloom-filter.columns"));

  private static final Pattern FRACTION = Pattern.compile("(:\\d\\d\\.\\d{6})\\d{3}");
  private static final Pattern TIME = Pattern.compile(":\"(\\d\\d:\\d\\d:\\d\\d\\.\\d{3})\"");

  @TempDir Path warehouse;

  @Test
  void compactionKeepsTheRowsOfGoldenTables() {
    String folder = warehouse.toString();
    List<String> failures =
        WriteFixture.spark()
            .parallelize(TABLES, TABLES.size())
            .map(table -> failure(Path.of(folder), table))
            .filter(failure -> failure != null)
            .collect();
    assertThat(failures).isEmpty();
  }

  private static @Nullable String failure(Path warehouse, String table) {
    try {
      check(warehouse, table);
      return null;
    } catch (Exception | AssertionError failure) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      return table + "\n" + trace;
    }
  }

  private static void check(Path warehouse, String name) throws Exception {
    Path folder = Files.createDirectories(warehouse.resolve("golden.db"));
    Path unpacked = GoldenTables.unpack(name, folder);
    LakeTable table =
        LakeTable.load(
            name, HadoopFileIO.of(new Configuration(false)), new Location(unpacked.toString()));
    List<String> expected = sorted(name, held(GoldenTables.expected(name, "expected.jsonl")));
    assertThat(compactedRows(table)).as("rows before").isEqualTo(expected);
    List<String> rows = sorted(name, TableRows.of(table));
    if (!HIDDEN_ROWS.contains(name)) {
      assertThat(rows).isEqualTo(expected);
    }
    table = altered(table, REMOVED_OPTIONS.getOrDefault(name, List.of()));
    WriteTarget target =
        new WriteTarget(
            TableName.ofPath(unpacked.toString()),
            table.storage(),
            table.schema(),
            table.options(),
            Functions.NONE);
    long before = newest(table);
    InlineCompaction.run(target, Extent.MINOR, 1L << 30);
    assertThat(sorted(name, TableRows.of(table)))
        .as("rows after a minor compaction")
        .isEqualTo(rows);
    InlineCompaction.run(target, Extent.FULL, 1L << 30);
    assertThat(sorted(name, TableRows.of(table)))
        .as("rows after a full compaction")
        .isEqualTo(rows);
    assertThat(compactedRows(table)).as("no row is hidden any more").isEqualTo(rows);
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "golden", name);
    assertThat(sorted(name, held(reference.rows()))).as("rows of the reference").isEqualTo(rows);
    assertThat(reference.problems()).isEmpty();
    SoundTable.check(table);
    if (WriteFixture.files(target).stream().anyMatch(entry -> entry.file().level() > 0)) {
      assertThat(newest(table)).as("newest snapshot").isGreaterThanOrEqualTo(before);
    }
  }

  private static List<String> compactedRows(LakeTable table) throws IOException {
    return sorted(
        table.name(), TableRows.of(table.withOptions(Map.of("scan.visibility", "compacted"))));
  }

  private static List<String> sorted(String name, List<String> rows) {
    return UnorderedArrays.sorted(name, rows);
  }

  private static LakeTable altered(LakeTable table, List<String> removed) {
    if (removed.isEmpty()) {
      return table;
    }
    TableSchema old = table.schema();
    Map<String, String> options = new HashMap<>(old.options());
    assertThat(options.keySet()).containsAll(removed);
    options.keySet().removeAll(removed);
    TableSchema next =
        new TableSchema(
            old.version(),
            old.id() + 1,
            old.fields(),
            old.highestFieldId(),
            old.partitionKeys(),
            old.primaryKeys(),
            options,
            old.comment(),
            old.timeMillis(),
            old.unknown());
    assertThat(table.storage().schemas().publish(next)).isNotEqualTo(FileIO.Publication.LOST);
    return table.refreshed();
  }

  private static long newest(LakeTable table) {
    return table.storage().snapshots().latest().orElseThrow().id();
  }

  /** Spark has microseconds; TIME is read as milliseconds of the day. */
  private static List<String> held(List<String> rows) {
    return rows.stream()
        .map(row -> FRACTION.matcher(row).replaceAll("$1000"))
        .map(
            row ->
                TIME.matcher(row)
                    .replaceAll(
                        time -> ":" + LocalTime.parse(time.group(1)).toNanoOfDay() / 1_000_000))
        .sorted(ReferenceValues::compareUtf8)
        .toList();
  }
}
