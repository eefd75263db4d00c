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

package io.keylake.spark.rowlevel.append;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.write.WriteTarget;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.ScanPlanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of which a statement takes rows, and where they are. Their positions are those of the
 * version that was read: they hold as long as the files are part of the table.
 */
final class TouchedFiles {
  private final WriteTarget target;
  private final ScanPlanner planner;
  private final Map<String, DeletionVector> markedByName;
  private final Set<BinaryRow> partitions;

  private TouchedFiles(
      WriteTarget target, Map<String, DeletionVector> markedByName, Set<BinaryRow> partitions) {
    this.target = target;
    this.planner = new ScanPlanner(target.storage(), target.schema(), target.options());
    this.markedByName = markedByName;
    this.partitions = partitions;
  }

  /**
   * Finds the partitions of files.
   *
   * @param scanned the files that the statement has read
   * @param marked rows that go, by address of the file
   */
  static TouchedFiles of(
      WriteTarget target, List<BucketFiles> scanned, Map<String, DeletionVector> marked) {
    FileAddresses addresses =
        FileAddresses.of(target.storage().layout(), target.schema(), target.options().fileLayout());
    Map<String, DeletionVector> byName = new HashMap<>();
    Set<BinaryRow> partitions = new HashSet<>();
    for (BucketFiles bucket : scanned) {
      for (DataFile file : bucket.files()) {
        String path = addresses.dataFile(bucket.partition(), bucket.bucket(), file).path();
        DeletionVector rows = marked.get(path);
        if (rows != null) {
          byName.put(file.name(), rows);
          partitions.add(bucket.partition());
        }
      }
    }
    if (byName.size() != marked.size()) {
      throw new IllegalStateException(
          "Rows were marked in files that the statement has not read: " + marked.keySet());
    }
    return new TouchedFiles(target, byName, partitions);
  }

  boolean isEmpty() {
    return markedByName.isEmpty();
  }

  /**
   * The touched buckets as of a snapshot.
   *
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when one of the files is no
   *     longer part of the table
   */
  List<TouchedBucket> in(@Nullable Snapshot snapshot) {
    Set<String> missing = new HashSet<>(markedByName.keySet());
    List<TouchedBucket> touched = new ArrayList<>();
    if (snapshot != null) {
      for (BucketFiles bucket : planner.buckets(snapshot, partitions, StatsProjection.SKIP)) {
        Map<String, DeletionVector> marked = new HashMap<>();
        for (DataFile file : bucket.files()) {
          if (missing.remove(file.name())) {
            marked.put(file.name(), markedByName.get(file.name()));
          }
        }
        if (!marked.isEmpty()) {
          touched.add(new TouchedBucket(bucket, marked));
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Cannot commit to table "
              + target.name().text()
              + ". Data file "
              + missing.iterator().next()
              + ", of which the statement deletes or updates rows, was removed by another commit,"
              + " such as a compaction, up to snapshot "
              + (snapshot == null ? 0 : snapshot.id())
              + ". Nothing of this statement is visible; run it again.");
    }
    return touched;
  }
}
