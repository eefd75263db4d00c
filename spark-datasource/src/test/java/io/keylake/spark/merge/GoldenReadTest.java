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

package io.keylake.spark.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.golden.GoldenTables;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.spark.testing.UnorderedArrays;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.scan.ScanPlan;
import io.keylake.table.scan.ScanPlanner;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitPlanner;
import io.keylake.table.split.SplitSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that the reference implementation wrote are read with exactly the rows it reads. */
final class GoldenReadTest {
  private static final Pattern FRACTION = Pattern.compile("(:\\d\\d\\.\\d{6})\\d{3}");
  private static final Pattern TIME = Pattern.compile(":\"(\\d\\d:\\d\\d:\\d\\d\\.\\d{3})\"");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
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
        "rowkind_field",
        "row_tracking",
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
        "types_pk"
      })
  void rowsAreThoseOfTheReference(String table) throws IOException {
    List<String> expected =
        GoldenTables.expected(table, "expected.jsonl").stream()
            .map(GoldenReadTest::asSparkHoldsIt)
            .sorted()
            .toList();
    assertThat(UnorderedArrays.sorted(table, read(table)))
        .isEqualTo(UnorderedArrays.sorted(table, expected));
  }

  /** Spark has microseconds; TIME is read as milliseconds of the day. */
  private static String asSparkHoldsIt(String row) {
    String micros = FRACTION.matcher(row).replaceAll("$1000");
    return TIME.matcher(micros)
        .replaceAll(time -> ":" + LocalTime.parse(time.group(1)).toNanoOfDay() / 1_000_000);
  }

  private List<String> read(String table) throws IOException {
    Path unpacked = GoldenTables.unpack(table, folder);
    HadoopFileIO io = HadoopFileIO.of(new Configuration(false));
    TableLayout layout = TableLayout.of(new Location("file:" + unpacked));
    TableStorage storage = TableStorage.of(table, io, layout);
    SchemaStore schemas = new SchemaStore(io, layout);
    TableSchema schema = schemas.load(storage.snapshots().latest().orElseThrow().schemaId());
    TableOptions options = TableOptions.of(schema, Map.of("scan.visibility", "compacted"));
    ScanPlan plan =
        new ScanPlanner(storage, schema, options)
            .plan(storage.snapshots().latest().orElseThrow(), ScanFilter.NONE);
    List<Split> splits =
        new SplitPlanner(schema, options, FileAddresses.of(layout, schema, options.fileLayout()))
            .plan(plan.buckets(), new SplitSize(4096, 0)).tasks().stream()
                .flatMap(List::stream)
                .toList();
    List<ReadColumn> columns = new ArrayList<>();
    schema.fields().forEach(field -> columns.add(new TableColumn(field)));
    Map<Long, TableSchema> fileSchemas = new HashMap<>();
    schemas.ids().forEach(id -> fileSchemas.put(id, schemas.load(id)));
    StructType output = SparkTypes.toSpark(schema.rowType());
    ReadSpec spec =
        new ReadSpec(
            schema, columns, output, fileSchemas, null, Map.of(), 100, VectorMemory.ON_HEAP);
    List<String> rows = new ArrayList<>();
    try (BatchReader reader =
        SplitReaders.open(spec, splits, new Configuration(false), new ReadMetrics())) {
      while (reader.next()) {
        ColumnarBatch batch = reader.batch();
        for (int row = 0; row < batch.numRows(); row++) {
          rows.add(CanonicalText.of(batch.getRow(row), output));
        }
      }
    }
    return rows.stream().sorted().toList();
  }
}
