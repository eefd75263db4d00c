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

package io.keylake.spark.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.golden.GoldenTables;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.convert.CanonicalText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Metadata tables have the columns and rows that those of the reference implementation have. */
final class MetadataTablesOracleTest {
  @TempDir private static Path warehouse;

  private static KeylakeTable table(String name) {
    Path folder = warehouse.resolve("golden.db").resolve(name);
    if (!folder.toFile().exists()) {
      GoldenTables.unpack(name, warehouse.resolve("golden.db"));
    }
    TableStorage storage =
        TableStorage.of(
            name,
            HadoopFileIO.of(new Configuration()),
            TableLayout.of(new Location(folder.toString())));
    return new KeylakeTable(TableVersion.newest(TableName.ofPath(name), storage), Map.of());
  }

  private static List<String> rows(Table table, String... columns) {
    var builder =
        (SupportsPushDownRequiredColumns)
            ((SupportsRead) table).newScanBuilder(CaseInsensitiveStringMap.empty());
    if (columns.length > 0) {
      StructType all = ((LocalScan) builder.build()).readSchema();
      builder.pruneColumns(
          new StructType(
              Arrays.stream(columns)
                  .map(all::apply)
                  .toArray(org.apache.spark.sql.types.StructField[]::new)));
    }
    LocalScan scan = (LocalScan) builder.build();
    return Arrays.stream(scan.rows()).map(row -> CanonicalText.of(row, scan.readSchema())).toList();
  }

  private static List<String> referenceRows(String table) throws Exception {
    Options options = new Options();
    options.set("warehouse", warehouse.toString());
    List<String> rows = new ArrayList<>();
    try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
      var system = catalog.getTable(Identifier.create("golden", table));
      ReadBuilder builder = system.newReadBuilder();
      try (RecordReader<InternalRow> reader =
          builder.newRead().createReader(builder.newScan().plan())) {
        reader.forEachRemaining(row -> rows.add(ReferenceValues.out(row, system.rowType())));
      }
    }
    return rows;
  }

  static Stream<Arguments> metadataTables() {
    return Stream.of(
            List.of("snapshots", "tags_branches", "cl_lookup", "empty"),
            List.of("schemas", "evo_append", "default_values", "types_exotic", "part_types"),
            List.of("options", "seq_field", "agg_all"),
            List.of("tags", "tags_branches"),
            List.of("branches", "tags_branches"),
            List.of("consumers", "tags_branches", "empty"),
            List.of("statistics", "empty", "types_pk"),
            List.of("files", "types_pk", "types_append", "evo_pk", "part_types", "stats_modes"),
            List.of("files", "dv_pk", "row_tracking", "thin_mode", "empty"),
            List.of("file_key_ranges", "pk_multi_level", "row_tracking"),
            List.of("manifests", "part_types", "part_null", "manifest_merge", "row_tracking"),
            List.of("partitions", "part_null", "overwrites", "pk_multi_level", "part_special"),
            List.of("buckets", "part_types", "dyn_bucket", "rescaled"),
            List.of("table_indexes", "dv_append", "dv_pk64", "dyn_bucket", "empty"))
        .flatMap(line -> line.stream().skip(1).map(table -> Arguments.of(line.get(0), table)));
  }

  @ParameterizedTest
  @MethodSource("metadataTables")
  void rowsAreThoseOfTheReference(String metadataTable, String name) throws Exception {
    Table ours = table(name).metadataTable(metadataTable).orElseThrow();

    assertThat(rows(ours).stream().map(MetadataTablesOracleTest::comparable).sorted())
        .containsExactlyElementsOf(
            referenceRows(name + "$" + metadataTable).stream()
                .map(MetadataTablesOracleTest::comparable)
                .sorted()
                .toList());
  }

  /** The reference prints local times without a zone, and paths without a scheme. */
  private static String comparable(String row) {
    return row.replaceAll("(T\\d\\d:\\d\\d:\\d\\d\\.\\d{9})Z", "$1").replace("file:/", "/");
  }

  @Test
  void onlyTheWantedColumnsAreMade() {
    Table files = table("types_append").metadataTable("files").orElseThrow();

    assertThat(rows(files, "record_count", "level"))
        .containsExactly("{\"record_count\":8,\"level\":0}");
  }

  @Test
  void unknownNameIsNoMetadataTable() {
    assertThat(table("empty").metadataTable("nonsense")).isEmpty();
    assertThat(table("empty").metadataTable("ro")).isPresent();
    assertThat(MetadataTables.names()).contains("snapshots", "files").doesNotContain("ro");
  }

  @Test
  void stagedFilesOfPostponeBucketsAreListedToo() {
    Table buckets = table("postpone").metadataTable("buckets").orElseThrow();

    assertThat(rows(buckets, "bucket", "file_count")).contains("{\"bucket\":-2,\"file_count\":1}");
  }
}
