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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.RowEvaluator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.SoundTable;
import io.keylake.table.commit.OverwriteScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference implementation reads what tasks write and the driver commits. */
class BatchWriteOracleTest {
  private static final List<DataField> FIELDS =
      List.of(
          DataField.of(0, "dt", DataTypes.STRING.asNotNull()),
          DataField.of(1, "k", DataTypes.BIGINT.asNotNull()),
          DataField.of(2, "v", DataTypes.STRING));

  @TempDir Path folder;

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(folder);
  }

  private WriteTarget keyed(Map<String, String> options) {
    return WriteFixture.create(
        folder, TestRows.schema(FIELDS, List.of("dt"), List.of("dt", "k"), options));
  }

  private WriteTarget append(List<String> partitionKeys, Map<String, String> options) {
    return WriteFixture.create(folder, TestRows.schema(FIELDS, partitionKeys, List.of(), options));
  }

  private static Row row(String dt, long k, String v) {
    return RowFactory.create(dt, k, v);
  }

  private List<String> reference() throws Exception {
    return ReferenceTable.open(folder).rows();
  }

  @Test
  void theLastRowOfAKeyWinsInsideAndAcrossCommits() throws Exception {
    WriteTarget target = keyed(Map.of("bucket", "3"));
    WriteFixture.append(
        target, List.of(row("a", 1, "x"), row("a", 2, "y"), row("a", 1, "z"), row("b", 1, "w")), 1);
    assertThat(reference()).containsExactly("[a, 1, z]", "[a, 2, y]", "[b, 1, w]");
    WriteFixture.append(target, List.of(row("a", 2, null), row("b", 7, "n")), 1);
    assertThat(reference()).containsExactly("[a, 1, z]", "[a, 2, null]", "[b, 1, w]", "[b, 7, n]");
    Snapshot snapshot = target.storage().snapshots().latest().orElseThrow();
    assertThat(snapshot.id()).isEqualTo(2);
    assertThat(snapshot.commitKind()).isEqualTo(CommitKind.APPEND);
    assertThat(WriteFixture.files(target)).allMatch(entry -> entry.totalBuckets() == 3);
  }

  @Test
  void numbersOfABucketGoOnFromItsHighest() {
    WriteTarget target = keyed(Map.of("bucket", "1"));
    WriteFixture.append(target, List.of(row("a", 1, "x"), row("a", 1, "y"), row("a", 2, "z")), 1);
    WriteFixture.append(target, List.of(row("a", 3, "x")), 1);
    assertThat(WriteFixture.files(target))
        .extracting(entry -> entry.file().minSequenceNumber(), e -> e.file().maxSequenceNumber())
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(1L, 2L),
            org.assertj.core.groups.Tuple.tuple(3L, 3L));
  }

  @Test
  void anEmptyWriteMakesNoSnapshot() {
    WriteTarget target = keyed(Map.of("bucket", "1"));
    WriteFixture.append(target, List.of(), 1);
    assertThat(target.storage().snapshots().latest()).isEmpty();
  }

  @Test
  void manyPartitionsInAnyOrderGiveOneFileEach() throws Exception {
    WriteTarget target = append(List.of("dt"), Map.of());
    List<Row> rows = IntStream.range(0, 3000).mapToObj(i -> row("p" + i % 7, i, "v" + i)).toList();
    WriteFixture.append(target, rows, 1);
    List<ManifestEntry> files = WriteFixture.files(target);
    assertThat(files).hasSize(7);
    assertThat(files).allMatch(entry -> entry.totalBuckets() == -1 && entry.bucket() == 0);
    assertThat(files).allMatch(entry -> entry.file().minSequenceNumber() == 0);
    assertThat(reference()).hasSize(3000).contains("[p3, 17, v17]");
  }

  @Test
  void bucketedAppendTablesNumberRowsOn() throws Exception {
    WriteTarget target = append(List.of(), Map.of("bucket", "2", "bucket-key", "k"));
    WriteFixture.append(target, IntStream.range(0, 10).mapToObj(i -> row("a", i, "x")).toList(), 1);
    WriteFixture.append(target, IntStream.range(0, 10).mapToObj(i -> row("a", i, "y")).toList(), 1);
    assertThat(reference()).hasSize(20);
    for (int bucket = 0; bucket < 2; bucket++) {
      int number = bucket;
      List<ManifestEntry> files =
          WriteFixture.files(target).stream().filter(e -> e.bucket() == number).toList();
      assertThat(files).hasSize(2);
      assertThat(files.get(1).file().minSequenceNumber())
          .isEqualTo(files.get(0).file().maxSequenceNumber() + 1);
    }
  }

  @Test
  void rowsWithoutKeyAreRefusedByColumnAndLeaveNoFile() {
    WriteTarget target =
        WriteFixture.create(
            folder,
            TestRows.schema(
                List.of(
                    DataField.of(0, "k", DataTypes.BIGINT), DataField.of(1, "v", DataTypes.STRING)),
                List.of(),
                List.of("k"),
                Map.of("bucket", "1")));
    KeylakeBatchWrite write = WriteFixture.batch(target, Replacement.NOTHING);
    List<Row> rows = List.of(RowFactory.create(1L, "a"), RowFactory.create(null, "b"));
    assertThatThrownBy(() -> WriteFixture.run(write, target.schema(), rows, 1))
        .hasMessageContaining("NULL in column k")
        .hasMessageContaining("KEYLAKE_INVALID_VALUE");
    assertThat(WriteFixture.filesOnDisk(folder)).isEmpty();
  }

  @Test
  void anAbortedJobLeavesNoFile() {
    WriteTarget target = append(List.of("dt"), Map.of());
    KeylakeBatchWrite write = WriteFixture.batch(target, Replacement.NOTHING);
    List<Row> rows = IntStream.range(0, 100).mapToObj(i -> row("p" + i % 5, i, "v")).toList();
    WriterCommitMessage[] messages = WriteFixture.run(write, target.schema(), rows, 2);
    assertThat(WriteFixture.filesOnDisk(folder)).isNotEmpty();
    write.abort(new WriterCommitMessage[] {messages[0], null, messages[1]});
    assertThat(WriteFixture.filesOnDisk(folder)).isEmpty();
    assertThat(target.storage().snapshots().latest()).isEmpty();
  }

  @Test
  void abortAfterTheCommitDeletesNothing() throws Exception {
    WriteTarget target = append(List.of(), Map.of());
    KeylakeBatchWrite write = WriteFixture.batch(target, Replacement.NOTHING);
    WriterCommitMessage[] messages =
        WriteFixture.run(write, target.schema(), List.of(row("a", 1, "x")), 1);
    write.commit(messages);
    write.abort(messages);
    assertThat(reference()).containsExactly("[a, 1, x]");
  }

  @Test
  void overwritesReplaceTheWholeTableOrSomePartitions() throws Exception {
    WriteTarget target = keyed(Map.of("bucket", "2"));
    WriteFixture.append(target, List.of(row("a", 1, "x"), row("b", 1, "y"), row("c", 1, "z")), 1);
    WriteFixture.write(
        target,
        Replacement.of(new OverwriteScope.WrittenPartitions()),
        List.of(row("a", 9, "new")),
        1);
    assertThat(reference()).containsExactly("[a, 9, new]", "[b, 1, y]", "[c, 1, z]");
    RowEvaluator onlyB =
        RowEvaluator.of(
            new Predicate.Leaf(FIELDS.get(0), Predicate.Operator.EQUAL, List.of("b")),
            target.schema().partitionType());
    WriteFixture.write(
        target,
        Replacement.of(new OverwriteScope.Partitions(onlyB::matches, "dt = 'b'")),
        List.of(),
        1);
    assertThat(reference()).containsExactly("[a, 9, new]", "[c, 1, z]");
    WriteFixture.write(
        target, Replacement.of(new OverwriteScope.WholeTable()), List.of(row("d", 1, "only")), 1);
    assertThat(reference()).containsExactly("[d, 1, only]");
    assertThat(target.storage().snapshots().latest().orElseThrow().commitKind())
        .isEqualTo(CommitKind.OVERWRITE);
  }

  @Test
  void theLaterCommitWinsWhoeverStartedFirst() throws Exception {
    WriteTarget target = keyed(Map.of("bucket", "1"));
    WriteFixture.append(target, List.of(row("a", 1, "old"), row("a", 2, "old")), 1);
    KeylakeBatchWrite first = WriteFixture.batch(target, Replacement.NOTHING);
    KeylakeBatchWrite second = WriteFixture.batch(target, Replacement.NOTHING);
    WriterCommitMessage[] ofFirst =
        WriteFixture.run(
            first, target.schema(), List.of(row("a", 1, "first"), row("a", 3, "first")), 1);
    List<Row> many = new ArrayList<>(List.of(row("a", 1, "x"), row("a", 2, "x")));
    many.add(row("a", 1, "second"));
    WriterCommitMessage[] ofSecond = WriteFixture.run(second, target.schema(), many, 1);
    second.commit(ofSecond);
    assertThat(reference()).containsExactly("[a, 1, second]", "[a, 2, x]");
    first.commit(ofFirst);
    assertThat(reference()).containsExactly("[a, 1, first]", "[a, 2, x]", "[a, 3, first]");
    assertThat(WriteFixture.files(target)).hasSize(3);
    assertThat(WriteFixture.filesOnDisk(folder)).hasSize(3);
  }

  @Test
  void weAndTheReferenceWriteInTurn() throws Exception {
    WriteTarget target = keyed(Map.of("bucket", "2"));
    WriteFixture.append(target, List.of(row("a", 1, "we"), row("a", 2, "we")), 1);
    ReferenceTable.open(folder)
        .write(
            List.of(
                org.apache.paimon.data.GenericRow.of(
                    org.apache.paimon.data.BinaryString.fromString("a"),
                    2L,
                    org.apache.paimon.data.BinaryString.fromString("they"))));
    WriteFixture.append(target, List.of(row("a", 3, "we"), row("a", 1, "again")), 1);
    assertThat(reference()).containsExactly("[a, 1, again]", "[a, 2, they]", "[a, 3, we]");
  }

  @Test
  void largeWritesRollFilesOfDisjointKeys() throws Exception {
    WriteTarget target =
        keyed(Map.of("bucket", "1", "target-file-size", "20 kb", "file.compression", "none"));
    List<Row> rows = IntStream.range(0, 30_000).mapToObj(i -> row("a", i, "value-" + i)).toList();
    WriteFixture.append(target, rows, 1);
    List<ManifestEntry> files = WriteFixture.files(target);
    assertThat(files).hasSizeGreaterThan(3);
    assertThat(files.stream().mapToLong(e -> e.file().rowCount()).sum()).isEqualTo(30_000);
    assertThat(reference()).hasSize(30_000);
  }

  @Test
  void foreignSchemaVersionIsKeptInFiles() {
    TableSchema schema = TestRows.schema(FIELDS, List.of(), List.of("k"), Map.of("bucket", "1"));
    WriteTarget target = WriteFixture.create(folder, schema);
    WriteFixture.append(target, List.of(row("a", 1, "x")), 1);
    assertThat(WriteFixture.files(target)).allMatch(e -> e.file().schemaId() == schema.id());
  }
}
