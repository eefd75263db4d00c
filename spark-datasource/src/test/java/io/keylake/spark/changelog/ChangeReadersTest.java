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

package io.keylake.spark.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.golden.GoldenTables;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.table.changes.ChangeLog;
import io.keylake.table.changes.ChangeRules;
import io.keylake.table.changes.ChangedBucket;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes that the reference implementation stored are read with exactly the rows it reads. */
final class ChangeReadersTest {
  private static final int BATCH_ROWS = 3;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "append_unaware",
        "cl_agg_lookup",
        "cl_full",
        "cl_input",
        "cl_lookup",
        "dv_pk64",
        "first_row",
        "overwrites",
        "pk_l0_deletes"
      })
  void changesOfEachSnapshotAreThoseOfTheReference(String table) throws IOException {
    Opened opened = open(table);
    List<String> rows = new ArrayList<>();
    for (long id = 1; id <= opened.log().latestId().orElseThrow(); id++) {
      Optional<CommitChanges> changes =
          opened.log().of(id, ChangeRules.stream(TableOptions.of(opened.schema())));
      if (changes.isPresent()) {
        String prefix = "{\"_snapshot\":" + id + ",";
        opened.audit(changes.get(), ChangeSpec.ALL_KINDS).stream()
            .map(row -> prefix + row.substring(1))
            .sorted()
            .forEach(rows::add);
      }
    }

    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            GoldenTables.expected(table, "expected-changes.jsonl"));
  }

  @Test
  void changesOfACompactionBelongToTheAppendBeforeIt() throws IOException {
    Opened opened = open("cl_lookup");

    assertThat(opened.log().of(1, ChangeRules.exact())).isEmpty();
    CommitChanges changes = opened.log().of(2, ChangeRules.exact()).orElseThrow();
    assertThat(changes.version()).isEqualTo(1);
    assertThat(changes.landed().id()).isEqualTo(2);
  }

  @Test
  void unwantedKindsAreLeftOut() throws IOException {
    Opened opened = open("cl_lookup");
    CommitChanges changes = opened.log().of(4, ChangeRules.changelog()).orElseThrow();

    assertThat(opened.audit(changes, EnumSet.of(ChangeKind.DELETE)))
        .containsExactly("{\"_kind\":\"-D\",\"k\":2,\"v\":\"b\"}");
    assertThat(opened.audit(changes, EnumSet.of(ChangeKind.UPDATE_AFTER)))
        .containsExactly(
            "{\"_kind\":\"+U\",\"k\":1,\"v\":\"a2\"}", "{\"_kind\":\"+U\",\"k\":4,\"v\":\"same\"}");
    assertThat(opened.audit(changes, Set.of())).isEmpty();
  }

  @Test
  void changesOfAKeyComeInTheirOrder() throws IOException {
    Opened opened = open("cl_input");
    CommitChanges changes = opened.log().of(2, ChangeRules.changelog()).orElseThrow();

    assertThat(opened.audit(changes, ChangeSpec.ALL_KINDS))
        .containsExactly(
            "{\"_kind\":\"-U\",\"k\":1,\"v\":\"a\"}",
            "{\"_kind\":\"+U\",\"k\":1,\"v\":\"a2\"}",
            "{\"_kind\":\"-D\",\"k\":2,\"v\":\"b\"}",
            "{\"_kind\":\"+I\",\"k\":3,\"v\":\"c\"}",
            "{\"_kind\":\"-D\",\"k\":3,\"v\":\"c\"}");
  }

  @Test
  void anUpdateIsOneRowOfPairsWhereverItsBatchEnds() throws IOException {
    Opened opened = open("cl_lookup");
    CommitChanges changes = opened.log().of(4, ChangeRules.changelog()).orElseThrow();

    for (int batchRows = 1; batchRows < 8; batchRows++) {
      assertThat(opened.pairs(changes, batchRows))
          .as("batches of %d", batchRows)
          .containsExactly(
              "{\"_kind\":\"+U\",\"k\":[1,1],\"v\":[\"a\",\"a2\"]}",
              "{\"_kind\":\"-D\",\"k\":[2],\"v\":[\"b\"]}",
              "{\"_kind\":\"+I\",\"k\":[3],\"v\":[\"c\"]}",
              "{\"_kind\":\"+U\",\"k\":[4,4],\"v\":[\"same\",\"same\"]}");
    }
  }

  @Test
  void rowsSayTheirCommitAndTheirSequenceNumber() throws IOException {
    Opened opened = open("cl_lookup");
    CommitChanges changes = opened.log().of(2, ChangeRules.changelog()).orElseThrow();
    StructType output =
        new StructType()
            .add("type", DataTypes.StringType)
            .add("version", DataTypes.LongType)
            .add("sequence", DataTypes.LongType);
    ChangeSpec spec =
        new ChangeSpec(
            opened.data(List.of(), BATCH_ROWS),
            List.of(
                ChangeColumn.Meta.CHANGE_TYPE,
                ChangeColumn.Meta.COMMIT_VERSION,
                ChangeColumn.Meta.SEQUENCE_NUMBER),
            output,
            ChangeSpec.ALL_KINDS);

    assertThat(rows(opened.reader(spec, changes), output))
        .containsExactly(
            "{\"type\":\"insert\",\"version\":1,\"sequence\":0}",
            "{\"type\":\"insert\",\"version\":1,\"sequence\":1}",
            "{\"type\":\"insert\",\"version\":1,\"sequence\":2}");
  }

  @Test
  void changesOutliveTheirSnapshots() throws IOException {
    Opened opened = open("cl_decoupled");

    assertThat(opened.log().earliestId()).hasValue(1);
    assertThat(opened.storage().snapshots().earliestId()).hasValue(3);
    CommitChanges changes = opened.log().of(1, ChangeRules.exact()).orElseThrow();
    assertThat(opened.audit(changes, ChangeSpec.ALL_KINDS))
        .containsExactlyInAnyOrder(
            "{\"_kind\":\"+I\",\"k\":0,\"v\":\"w0\"}", "{\"_kind\":\"+I\",\"k\":0,\"v\":\"z0\"}");
  }

  private Opened open(String table) {
    Path root = GoldenTables.unpack(table, folder);
    TableStorage storage =
        TableStorage.of(
            table,
            HadoopFileIO.of(new Configuration(false)),
            TableLayout.of(new Location("file:" + root)));
    TableSchema schema = storage.schemas().latest().orElseThrow();
    return new Opened(storage, schema, new ChangeLog(storage, schema, TableOptions.of(schema)));
  }

  private static List<String> rows(BatchReader reader, StructType output) throws IOException {
    List<String> rows = new ArrayList<>();
    try (reader) {
      while (reader.next()) {
        ColumnarBatch batch = reader.batch();
        for (int row = 0; row < batch.numRows(); row++) {
          rows.add(CanonicalText.of(batch.getRow(row), output));
        }
      }
    }
    return rows;
  }

  private record Opened(TableStorage storage, TableSchema schema, ChangeLog log) {
    ReadSpec data(List<ReadColumn> columns, int batchRows) {
      Map<Long, TableSchema> schemas = new HashMap<>();
      storage.schemas().ids().forEach(id -> schemas.put(id, storage.schemas().load(id)));
      StructType output =
          columns.isEmpty() ? new StructType() : SparkTypes.toSpark(schema.rowType());
      return new ReadSpec(
          schema, columns, output, schemas, null, Map.of(), batchRows, VectorMemory.ON_HEAP);
    }

    private List<ReadColumn> all() {
      List<ReadColumn> columns = new ArrayList<>();
      schema.fields().forEach(field -> columns.add(new ReadColumn.TableColumn(field)));
      return columns;
    }

    BatchReader reader(ChangeSpec spec, CommitChanges changes) {
      return ChangeReaders.open(spec, splits(changes), new Configuration(false), new ReadMetrics());
    }

    private static List<StoredChangeSplit> splits(CommitChanges changes) {
      List<StoredChangeSplit> splits = new ArrayList<>();
      for (ChangedBucket bucket : changes.buckets()) {
        splits.add(
            new StoredChangeSplit(
                new CommitMark(changes.version(), changes.timeMillis()),
                bucket.partition(),
                bucket.bucket(),
                bucket.files()));
      }
      return splits;
    }

    private ChangeSpec spec(Set<ChangeKind> kinds, int batchRows) {
      List<ChangeColumn> columns = new ArrayList<>();
      columns.add(ChangeColumn.Meta.ROW_KIND);
      StructType output = new StructType().add("_kind", DataTypes.StringType);
      for (StructField field : SparkTypes.toSpark(schema.rowType()).fields()) {
        columns.add(new ChangeColumn.Data(columns.size() - 1));
        output = output.add(field);
      }
      return new ChangeSpec(data(all(), batchRows), columns, output, kinds);
    }

    List<String> audit(CommitChanges changes, Set<ChangeKind> kinds) throws IOException {
      ChangeSpec spec = spec(kinds, BATCH_ROWS);
      return rows(reader(spec, changes), spec.output());
    }

    List<String> pairs(CommitChanges changes, int batchRows) throws IOException {
      ChangeSpec spec = spec(ChangeSpec.ALL_KINDS, batchRows);
      StructType output = new StructType().add("_kind", DataTypes.StringType);
      for (StructField field : SparkTypes.toSpark(schema.rowType()).fields()) {
        output = output.add(field.name(), new ArrayType(field.dataType(), true));
      }
      return rows(
          ChangeReaders.openPairs(
              spec, output, splits(changes), new Configuration(false), new ReadMetrics()),
          output);
    }
  }
}
