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

package io.keylake.table.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.golden.GoldenTables;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live files of every snapshot of the reference's tables. */
final class GoldenScanTest {
  @TempDir Path folder;

  private static Path path(String address) {
    return Path.of(address.substring("file:".length()));
  }

  @Test
  void liveFilesHoldTheRowsThatEverySnapshotCounts() throws Exception {
    int checked = 0;
    for (String table : GoldenTables.names()) {
      GoldenStorage golden = GoldenStorage.open(table, folder);
      FileAddresses addresses = golden.addresses();
      for (Snapshot snapshot : golden.storage().snapshots().all()) {
        ScanPlan plan = golden.planner("committed").plan(snapshot, ScanFilter.NONE);
        assertThat(plan.unitRows()).as(table).isEqualTo(snapshot.totalRecordCount());
        for (BucketFiles bucket : plan.buckets()) {
          for (DataFile file : bucket.files()) {
            Path stored =
                path(addresses.dataFile(bucket.partition(), bucket.bucket(), file).path());
            assertThat(stored).hasSize(file.size());
            checked++;
          }
        }
      }
    }
    assertThat(checked).isGreaterThan(300);
  }

  @Test
  void deletionVectorsBelongToTheirFiles() throws Exception {
    for (String table : new String[] {"dv_pk", "dv_pk64", "dv_append", "dv_append_bucketed"}) {
      GoldenStorage golden = GoldenStorage.open(table, folder);
      ScanPlan plan = golden.plan("committed", ScanFilter.NONE);
      int vectors = 0;
      for (BucketFiles bucket : plan.buckets()) {
        for (DataFile file : bucket.files()) {
          IndexedVector vector = bucket.vectors().get(file.name());
          if (vector == null) {
            continue;
          }
          byte[] content = Files.readAllBytes(path(vector.path()));
          long deleted =
              DeletionVectorFile.decode(content, vector.ref(), vector.path()).cardinality();
          assertThat(deleted).isBetween(1L, file.rowCount());
          vectors++;
        }
      }
      assertThat(vectors).as(table).isPositive();
    }
  }

  @Test
  void theCompactedViewHidesLevelZeroWhereVectorsAreUsed() {
    GoldenStorage vectors = GoldenStorage.open("dv_pk", folder);
    GoldenStorage plain = GoldenStorage.open("pk_multi_level", folder);

    assertThat(levels(vectors.plan("committed", ScanFilter.NONE))).contains(0);
    assertThat(levels(vectors.plan("compacted", ScanFilter.NONE))).doesNotContain(0);
    assertThat(levels(plain.plan("compacted", ScanFilter.NONE))).contains(0);
  }

  private static java.util.List<Integer> levels(ScanPlan plan) {
    return plan.buckets().stream()
        .flatMap(bucket -> bucket.files().stream())
        .map(DataFile::level)
        .toList();
  }

  @Test
  void stagedRowsAreOnTopOfTheirPartition() {
    GoldenStorage golden = GoldenStorage.open("postpone", folder);

    ScanPlan committed = golden.plan("committed", ScanFilter.NONE);
    assertThat(committed.buckets()).isEmpty();
    assertThat(committed.staged())
        .singleElement()
        .satisfies(
            partition -> {
              assertThat(partition.totalBuckets()).isEqualTo(2);
              assertThat(partition.files()).hasSize(1);
              assertThat(partition.buckets()).extracting(BucketFiles::bucket).containsExactly(0, 1);
              assertThat(partition.buckets()).noneMatch(bucket -> bucket.files().isEmpty());
            });
    assertThat(committed.unitRows())
        .isEqualTo(golden.storage().snapshots().latest().orElseThrow().totalRecordCount());
    ScanPlan compacted = golden.plan("compacted", ScanFilter.NONE);
    assertThat(compacted.staged()).isEmpty();
    assertThat(compacted.buckets()).allMatch(bucket -> bucket.bucket() >= 0).hasSize(2);
  }
}
