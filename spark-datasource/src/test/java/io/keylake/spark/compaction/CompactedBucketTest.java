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
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.lsm.KeyRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompactedBucketTest {
  private static final DataFile A = file("a", 0);
  private static final DataFile B = file("b", 0);
  private static final DataFile NEW = file("new", 5);

  @TempDir private Path folder;

  private MergedTable table(List<String> primaryKeys, Map<String, String> options) {
    TableSchema schema =
        TestRows.schema(
            List.of(DataField.of(0, "k", DataTypes.INT.asNotNull())),
            List.of(),
            primaryKeys,
            options);
    return new MergedTable(folder, schema, BinaryRow.EMPTY, spec -> spec);
  }

  private MergedTable keyed() {
    return table(List.of("k"), Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
  }

  private static DataFile file(String name, int level) {
    return new DataFile(
        name,
        10,
        100,
        BinaryRow.EMPTY,
        BinaryRow.EMPTY,
        ColumnStats.EMPTY,
        ColumnStats.EMPTY,
        0,
        9,
        0,
        level,
        List.of(),
        0L,
        0L,
        null,
        null,
        List.of(),
        null,
        null,
        null);
  }

  private static CompactionInput input(DataFile file) {
    return new CompactionInput("/" + file.name(), file, 0, null);
  }

  private static CompactionStep rewrite(KeyRange range, DataFile... files) {
    List<CompactionInput> inputs = new ArrayList<>();
    for (DataFile file : files) {
      inputs.add(input(file));
    }
    return new CompactionStep.Rewrite(inputs, List.of(), CompactionStep.Deletes.DROPPED, range);
  }

  private static StepResult result(DataFile added, Map<String, DeletionVector> marks) {
    return new StepResult(List.of(added), marks, 1);
  }

  private static VectorIndexes indexes(MergedTable table) {
    return new VectorIndexes(table.spec(), table.environment(StopCheck.NEVER));
  }

  private static CompactionPlan plan(List<CompactionStep> steps, List<IndexFile> vectorFiles) {
    return new CompactionPlan(BinaryRow.EMPTY, 0, 1, 5, steps, vectorFiles);
  }

  private static IndexFile store(MergedTable table, String name, Map<String, DeletionVector> all) {
    DeletionVectorFile file = DeletionVectorFile.encode(all, VectorVersion.V1);
    table.io.create(new Location("file:" + table.folder + "/index/" + name), file.content());
    return file.toIndexFile(name);
  }

  private static Map<String, DeletionVector> read(MergedTable table, IndexFile file) {
    String path = "file:" + table.folder + "/index/" + file.name();
    return DeletionVectorFile.decode(table.io.read(new Location(path)), file, path);
  }

  @Test
  void slicedRewritesTakeTheirInputsOnce() {
    MergedTable table = keyed();
    DataFile second = file("new-2", 5);
    FileChanges changes =
        CompactedBucket.changes(
            plan(List.of(rewrite(KeyRange.ALL, A, B), rewrite(KeyRange.ALL, A, B)), List.of()),
            List.of(result(NEW, Map.of()), result(second, Map.of())),
            indexes(table));
    assertThat(changes)
        .isEqualTo(
            new FileChanges(List.of(NEW, second), List.of(A, B), List.of(), List.of(), List.of()));
  }

  @Test
  void aMovedFileLeavesItsLevelAndKeepsItsVector() {
    MergedTable table = keyed();
    IndexFile known =
        store(
            table,
            "index-old",
            new TreeMap<>(Map.of("a", DeletionVector.of(1), "b", DeletionVector.of(2, 3))));
    VectorIndexes indexes = indexes(table);
    FileChanges changes =
        CompactedBucket.changes(
            plan(
                List.of(new CompactionStep.Upgrade(input(A), List.of()), rewrite(KeyRange.ALL, B)),
                List.of(known)),
            List.of(result(A.withLevel(5), Map.of()), result(NEW, Map.of())),
            indexes);
    assertThat(changes.removed()).containsExactly(A, B);
    assertThat(changes.added()).containsExactly(A.withLevel(5), NEW);
    assertThat(changes.removedIndexes()).containsExactly(known);
    assertThat(changes.addedIndexes())
        .singleElement()
        .satisfies(
            index -> assertThat(read(table, index)).isEqualTo(Map.of("a", DeletionVector.of(1))));
    assertThat(indexes.written()).hasSize(1).allMatch(table.io::exists);
    indexes.discard();
    assertThat(indexes.written()).noneMatch(table.io::exists);
  }

  @Test
  void marksOfAllStepsJoinTheKnownVector() {
    MergedTable table = keyed();
    IndexFile known = store(table, "index-old", Map.of("top", DeletionVector.of(7)));
    FileChanges changes =
        CompactedBucket.changes(
            plan(List.of(rewrite(KeyRange.ALL, A), rewrite(KeyRange.ALL, A)), List.of(known)),
            List.of(
                result(NEW, Map.of("top", DeletionVector.of(1), "other", DeletionVector.of(4))),
                result(file("new-2", 5), Map.of("top", DeletionVector.of(9)))),
            indexes(table));
    assertThat(read(table, changes.addedIndexes().get(0)))
        .isEqualTo(Map.of("top", DeletionVector.of(1, 7, 9), "other", DeletionVector.of(4)));
  }

  @Test
  void indexFilesStayWhenNoVectorChanges() {
    MergedTable table = keyed();
    IndexFile known = store(table, "index-old", Map.of("top", DeletionVector.of(7)));
    VectorIndexes indexes = indexes(table);
    FileChanges changes =
        CompactedBucket.changes(
            plan(List.of(rewrite(KeyRange.ALL, A)), List.of(known)),
            List.of(result(NEW, Map.of())),
            indexes);
    assertThat(changes.addedIndexes()).isEmpty();
    assertThat(changes.removedIndexes()).isEmpty();
    assertThat(indexes.written()).isEmpty();
  }

  @Test
  void theIndexFileGoesWithItsLastVector() {
    MergedTable table = keyed();
    IndexFile known = store(table, "index-old", Map.of("a", DeletionVector.of(7)));
    FileChanges changes =
        CompactedBucket.changes(
            plan(List.of(rewrite(KeyRange.ALL, A)), List.of(known)),
            List.of(result(NEW, Map.of())),
            indexes(table));
    assertThat(changes.addedIndexes()).isEmpty();
    assertThat(changes.removedIndexes()).containsExactly(known);
  }

  @Test
  void appendTablesWithoutBucketsReplaceTouchedIndexFilesOnly() {
    MergedTable table =
        table(List.of(), Map.of("bucket", "-1", "deletion-vectors.enabled", "true"));
    IndexFile touched =
        store(
            table,
            "index-1",
            new TreeMap<>(Map.of("a", DeletionVector.of(1), "stays", DeletionVector.of(2))));
    IndexFile other = store(table, "index-2", Map.of("far", DeletionVector.of(3)));
    IndexFile emptied = store(table, "index-3", Map.of("b", DeletionVector.of(4)));
    FileChanges changes =
        CompactedBucket.changes(
            plan(
                List.of(new CompactionStep.Concatenate(List.of(input(A), input(B)))),
                List.of(touched, other, emptied)),
            List.of(result(NEW, Map.of())),
            indexes(table));
    assertThat(changes.removedIndexes()).containsExactly(touched, emptied);
    assertThat(changes.addedIndexes())
        .singleElement()
        .satisfies(
            index ->
                assertThat(read(table, index)).isEqualTo(Map.of("stays", DeletionVector.of(2))));
  }
}
