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

package io.keylake.spark.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.golden.GoldenTables;
import io.keylake.reference.ReferenceTable;
import io.keylake.table.LakeTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Append tables whose files we have put together: the reference implementation reads the rows that
 * it read before and finds nothing wrong with the files.
 */
class ConcatenationOracleTest {
  private static final String DATABASE = "golden";
  private static final Map<String, String> ALL_FILES =
      Map.of("compaction.force-rewrite-all-files", "true");

  private static final int ROWS = 1200;

  @TempDir Path warehouse;

  private Path database;

  @BeforeEach
  void createDatabase() throws Exception {
    database = Files.createDirectories(warehouse.resolve(DATABASE + ".db"));
  }

  private ReferenceTable reference(String table) {
    return ReferenceTable.of(warehouse.toString(), DATABASE, table);
  }

  private static List<DataFile> added(List<StepResult> results) {
    return results.stream().flatMap(result -> result.added().stream()).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "append_bucketed",
        "append_unaware",
        "dv_append",
        "dv_append_bucketed",
        "evo_append",
        "types_append",
        "types_avro",
        "types_exotic",
        "types_orc"
      })
  void rowsOfGoldenTablesStayTheSame(String name) throws Exception {
    Path folder = GoldenTables.unpack(name, database);
    List<String> before = reference(name).rows();

    List<StepResult> results = FullCompaction.of(folder).withOptions(ALL_FILES).run();

    List<DataFile> added = added(results);
    assertThat(added).isNotEmpty();
    assertThat(added).allMatch(file -> file.source() == FileSource.COMPACT && file.level() == 0);
    assertThat(added.stream().mapToLong(DataFile::rowCount).sum()).isEqualTo(before.size());
    assertThat(reference(name).rows()).isEqualTo(before);
    assertThat(reference(name).problems()).isEmpty();
  }

  private static Schema.Builder columns() {
    return Schema.newBuilder()
        .column("id", DataTypes.BIGINT())
        .column("name", DataTypes.STRING())
        .column("x", DataTypes.DOUBLE())
        .column("at", DataTypes.TIMESTAMP(9))
        .column("tags", DataTypes.ARRAY(DataTypes.STRING()));
  }

  private static List<String> rows(Random random, int from, int count) {
    List<String> rows = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      String x = i % 997 == 3 ? "\"NaN\"" : i % 10 == 0 ? "null" : String.valueOf(i * 0.5 - 100);
      rows.add(
          String.format(
              "{\"id\":%d,\"name\":%s,\"x\":%s,"
                  + "\"at\":\"1965-01-31T12:00:%02d.%09d\",\"tags\":[\"t%d\",null]}",
              i,
              i % 7 == 0 ? "null" : "\"name of a row, " + random.nextInt(1_000_000) + "\"",
              x,
              i % 60,
              i % 1_000_000 * 1000,
              i % 3));
    }
    return rows;
  }

  /** A table in three files of several row groups each. */
  private ReferenceTable threeFiles(String name, Map<String, String> options, long seed)
      throws Exception {
    Map<String, String> all = new HashMap<>(options);
    all.put("parquet.block.size", "12000");
    all.put("parquet.page.size", "2000");
    ReferenceTable table = reference(name);
    table.create(columns().options(all).build());
    Random random = new Random(seed);
    for (int file = 0; file < 3; file++) {
      table.write(rows(random, file * ROWS, ROWS));
    }
    return table;
  }

  private List<Long> rowGroupRows(Path folder, DataFile file) throws Exception {
    Path path = folder.resolve("bucket-0").resolve(file.name());
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            HadoopInputFile.fromPath(
                new org.apache.hadoop.fs.Path(path.toString()), new Configuration()))) {
      return reader.getRowGroups().stream().map(BlockMetaData::getRowCount).toList();
    }
  }

  @Test
  void largeRowGroupsAreCopiedAndTheRestIsEncoded() throws Exception {
    ReferenceTable table = threeFiles("copied", Map.of("bucket", "-1"), 1);
    List<String> before = table.rows();
    Path folder = database.resolve("copied");

    DataFile whole = added(FullCompaction.of(folder).run()).get(0);

    List<Long> copied = rowGroupRows(folder, whole);
    assertThat(copied).hasSizeGreaterThan(6);
    assertThat(copied.stream().mapToLong(Long::longValue).sum()).isEqualTo(3 * ROWS);
    assertThat(whole.minSequenceNumber()).isZero();
    assertThat(whole.maxSequenceNumber()).isEqualTo(3 * ROWS - 1);
    assertThat(table.rows()).isEqualTo(before);
    assertThat(table.problems()).isEmpty();
  }

  @Test
  void copiedFilesHaveTheStatisticsOfEncodedOnes() throws Exception {
    Map<String, String> options = Map.of("bucket", "-1");
    threeFiles("copied", options, 2);
    threeFiles("encoded", options, 2);
    DataFile copied = added(FullCompaction.of(database.resolve("copied")).run()).get(0);
    // Another codec in the new files: nothing can be copied.
    DataFile encoded =
        added(
                FullCompaction.of(database.resolve("encoded"))
                    .withOptions(Map.of("file.compression", "snappy"))
                    .run())
            .get(0);

    assertThat(rowGroupRows(database.resolve("copied"), copied))
        .isNotEqualTo(rowGroupRows(database.resolve("encoded"), encoded));
    assertThat(copied.valueStats()).isEqualTo(encoded.valueStats());
    assertThat(copied.valueStatsColumns()).isEqualTo(encoded.valueStatsColumns());
    assertThat(copied.rowCount()).isEqualTo(encoded.rowCount());
    assertThat(copied.maxSequenceNumber()).isEqualTo(encoded.maxSequenceNumber());
    assertThat(reference("copied").rows()).isEqualTo(reference("encoded").rows());
  }

  @Test
  void filesWithDeletedRowsLoseThem() throws Exception {
    ReferenceTable table =
        threeFiles("deleted", Map.of("bucket", "-1", "deletion-vectors.enabled", "true"), 3);
    table.delete(text -> text.contains("\"tags\":[\"t1\""));
    List<String> before = table.rows();
    assertThat(before).hasSize(2 * ROWS);

    DataFile whole = added(FullCompaction.of(database.resolve("deleted")).run()).get(0);

    assertThat(whole.rowCount()).isEqualTo(2 * ROWS);
    assertThat(whole.maxSequenceNumber() - whole.minSequenceNumber()).isEqualTo(2 * ROWS - 1);
    assertThat(table.rows()).isEqualTo(before);
    assertThat(table.problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"orc", "avro", "parquet"})
  void filesOfAnotherFormatAreWrittenInTheTablesOne(String format) throws Exception {
    ReferenceTable table = reference("formats");
    table.create(
        Schema.newBuilder()
            .column("id", DataTypes.BIGINT())
            .column("p", DataTypes.INT().notNull())
            .column("name", DataTypes.STRING())
            .partitionKeys("p")
            .options(Map.of("bucket", "-1", "file.format", format.equals("orc") ? "avro" : "orc"))
            .build());
    for (int i = 0; i < 3; i++) {
      table.write(
          List.of(
              "{\"id\":" + i + ",\"p\":1,\"name\":\"a\"}", "{\"id\":null,\"p\":2,\"name\":null}"));
    }
    List<String> before = table.rows();

    List<DataFile> added =
        added(
            FullCompaction.of(database.resolve("formats"))
                .withOptions(Map.of("file.format", format))
                .run());

    assertThat(added).hasSize(2).allMatch(file -> file.name().endsWith("." + format));
    assertThat(table.rows()).isEqualTo(before);
    assertThat(table.problems()).isEmpty();
  }

  @Test
  void orderedBucketsKeepTheOrderOfRows() throws Exception {
    ReferenceTable table =
        threeFiles("ordered", Map.of("bucket", "1", "bucket-key", "id", "write-only", "true"), 4);
    List<String> before = table.rows();

    DataFile whole = added(FullCompaction.of(database.resolve("ordered")).run()).get(0);

    assertThat(whole.minSequenceNumber()).isZero();
    assertThat(whole.maxSequenceNumber()).isEqualTo(3 * ROWS - 1);
    assertThat(table.rows()).isEqualTo(before);
    assertThat(table.problems()).isEmpty();
  }

  @Test
  void fileIndexesAreBuiltAgainForAllRows() throws Exception {
    ReferenceTable table =
        threeFiles(
            "indexed", Map.of("bucket", "-1", "file-index.bloom-filter.columns", "id,name"), 5);
    List<String> before = table.rows();

    DataFile whole = added(FullCompaction.of(database.resolve("indexed")).run()).get(0);

    assertThat(whole.extraFiles()).hasSize(1);
    assertThat(table.rows()).isEqualTo(before);
    assertThat(table.problems()).isEmpty();
  }

  @Test
  void rowsOlderThanAColumnGetItsDefault() throws Exception {
    ReferenceTable table = threeFiles("evolved", Map.of("bucket", "-1"), 6);
    Path folder = database.resolve("evolved");
    LakeTable old =
        LakeTable.load(
            "evolved", HadoopFileIO.of(new Configuration()), new Location(folder.toString()));
    old.storage().schemas().publish(withColumn(old.schema(), 5));
    assertThat(table.rows()).allMatch(row -> row.contains("\"added\":null"));

    List<StepResult> results = FullCompaction.of(folder).withAddedDefaults(Map.of(5, 7)).run();

    assertThat(added(results)).allMatch(file -> file.schemaId() == old.schema().id() + 1);
    assertThat(table.rows()).hasSize(3 * ROWS).allMatch(row -> row.contains("\"added\":7"));
    assertThat(table.problems()).isEmpty();
  }

  private static TableSchema withColumn(TableSchema schema, int id) {
    List<DataField> fields = new ArrayList<>(schema.fields());
    fields.add(DataField.of(id, "added", io.keylake.format.types.DataTypes.INT));
    return new TableSchema(
        schema.version(),
        schema.id() + 1,
        fields,
        id,
        schema.partitionKeys(),
        schema.primaryKeys(),
        schema.options(),
        schema.comment(),
        schema.timeMillis(),
        schema.unknown());
  }
}
