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

package io.keylake.table.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.golden.DataFiles;
import io.keylake.table.LakeTable;
import io.keylake.table.TestTables;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.OverwriteScope;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BucketStatesTest {
  @TempDir Path folder;
  private LakeTable table;

  @BeforeEach
  void createTable() {
    table = TestTables.create(folder, Map.of("bucket", "2", "bucket-key", "v"));
  }

  private CommitRequest request(String name, int bucket, int total, long first, long last) {
    FileChanges files =
        FileChanges.added(List.of(DataFiles.named(name).sequence(first, last).build()));
    BucketChange change = new BucketChange(BinaryRow.EMPTY, bucket, total, files, FileChanges.NONE);
    return CommitRequest.batch(name, List.of(change));
  }

  private Snapshot commit(CommitRequest request) {
    return table.committer(CommitEnvironment.system()).commit(request).newest().orElseThrow();
  }

  @Test
  void emptyTableStartsAtZeroAndHasNoBucketCount() {
    BucketStates states = table.bucketStates();
    assertThat(states.firstSequenceNumber(BinaryRow.EMPTY, 0)).isZero();
    assertThat(states.totalBuckets(BinaryRow.EMPTY)).isEmpty();
  }

  @Test
  void numbersGoOnAboveTheHighestOfTheBucket() {
    commit(request("f1", 0, 2, 0, 9));
    commit(request("f2", 0, 2, 10, 14));
    BucketStates states = table.bucketStates();
    assertThat(states.firstSequenceNumber(BinaryRow.EMPTY, 0)).isEqualTo(15);
    assertThat(states.firstSequenceNumber(BinaryRow.EMPTY, 1)).isZero();
    assertThat(states.totalBuckets(BinaryRow.EMPTY)).hasValue(2);
  }

  @Test
  void stateIsThatOfItsSnapshot() {
    commit(request("f1", 0, 2, 0, 9));
    LakeTable pinned = table.pinned(ZoneOffset.UTC);
    commit(request("f2", 0, 2, 10, 14));
    assertThat(pinned.bucketStates().firstSequenceNumber(BinaryRow.EMPTY, 0)).isEqualTo(10);
    assertThat(pinned.bucketStates()).isSameAs(pinned.bucketStates());
  }

  @Test
  void bucketCountIsThatOfTheLiveFiles() {
    commit(request("f1", 0, 2, 0, 9));
    commit(request("f2", 0, 4, 0, 4).overwriting(new OverwriteScope.WholeTable()));
    assertThat(table.bucketStates().totalBuckets(BinaryRow.EMPTY)).hasValue(4);
  }

  @Test
  void eachFileOfLevelZeroIsARunAndEachFilledLevelAbove() {
    commit(request("f1", 0, 2, 0, 9));
    commit(request("f2", 0, 2, 10, 14));
    assertThat(table.bucketStates().runs(BinaryRow.EMPTY, 0)).isEqualTo(2);
    assertThat(table.bucketStates().runs(BinaryRow.EMPTY, 1)).isZero();
    FileChanges compacted =
        new FileChanges(
            List.of(DataFiles.named("f3").sequence(0, 14).level(5).build()),
            List.of(
                DataFiles.named("f1").sequence(0, 9).build(),
                DataFiles.named("f2").sequence(10, 14).build()),
            List.of(),
            List.of(),
            List.of());
    commit(
        CommitRequest.batch(
            "compaction",
            List.of(new BucketChange(BinaryRow.EMPTY, 0, 2, FileChanges.NONE, compacted))));
    commit(request("f4", 0, 2, 15, 16));
    assertThat(table.bucketStates().runs(BinaryRow.EMPTY, 0)).isEqualTo(2);
  }

  @Test
  void stagedFilesHaveNoNumbers() {
    commit(request("f1", -2, -2, -1, -1));
    BucketStates states = table.bucketStates();
    assertThat(states.firstSequenceNumber(BinaryRow.EMPTY, -2)).isZero();
    assertThat(states.totalBuckets(BinaryRow.EMPTY)).isEmpty();
  }
}
