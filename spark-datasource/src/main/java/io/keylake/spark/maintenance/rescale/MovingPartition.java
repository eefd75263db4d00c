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

package io.keylake.spark.maintenance.rescale;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.spark.compaction.StepResult;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.scan.BucketFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A partition on its way to another number of buckets: what it holds as of a snapshot, and the new
 * files that hold the same rows. Lives on the driver, for one thread.
 */
final class MovingPartition {
  private final int total;
  private final Map<Integer, List<DataFile>> made = new TreeMap<>();
  private List<BucketFiles> held;
  private long nextSequenceNumber;

  /**
   * A partition none of whose rows has moved.
   *
   * @param held its buckets with all their files
   * @param total the new number of buckets
   */
  MovingPartition(List<BucketFiles> held, int total) {
    this.held = List.copyOf(held);
    this.total = total;
  }

  BinaryRow partition() {
    return held.get(0).partition();
  }

  /** What it holds as of the snapshot that was looked at last. */
  List<BucketFiles> held() {
    return held;
  }

  /** Says what it holds now that further rows are about to be moved. */
  void hold(List<BucketFiles> buckets) {
    held = List.copyOf(buckets);
  }

  /** A number above those of all rows that were moved. */
  long nextSequenceNumber() {
    return nextSequenceNumber;
  }

  /** Takes what the steps of plans have made of its rows. */
  void moved(List<CompactionPlan> plans, List<List<StepResult>> results) {
    for (int i = 0; i < plans.size(); i++) {
      for (StepResult result : results.get(i)) {
        result
            .spread()
            .forEach(
                (bucket, files) -> {
                  made.computeIfAbsent(bucket, number -> new ArrayList<>()).addAll(files);
                  files.forEach(
                      file ->
                          nextSequenceNumber =
                              Math.max(nextSequenceNumber, file.maxSequenceNumber() + 1));
                });
      }
    }
  }

  /** The new files. */
  List<BucketChange> additions() {
    List<BucketChange> changes = new ArrayList<>();
    made.forEach((bucket, files) -> changes.add(change(bucket, total, FileChanges.added(files))));
    return changes;
  }

  /** The new files in place of what it holds. */
  List<BucketChange> replacement() {
    List<BucketChange> changes = new ArrayList<>();
    for (BucketFiles bucket : held) {
      FileChanges files =
          new FileChanges(List.of(), bucket.files(), List.of(), List.of(), bucket.vectorFiles());
      changes.add(change(bucket.bucket(), bucket.totalBuckets(), files));
    }
    changes.addAll(additions());
    return changes;
  }

  private BucketChange change(int bucket, int totalBuckets, FileChanges files) {
    return new BucketChange(partition(), bucket, totalBuckets, files, FileChanges.NONE);
  }

  /** Whether these buckets are what it holds. */
  boolean holds(List<BucketFiles> buckets) {
    return identities(held).equals(identities(buckets));
  }

  private static Set<String> identities(List<BucketFiles> buckets) {
    Set<String> identities = new HashSet<>();
    for (BucketFiles bucket : buckets) {
      String prefix = bucket.bucket() + "/";
      for (DataFile file : bucket.files()) {
        identities.add(prefix + file.level() + "/" + file.name());
      }
      for (IndexFile file : bucket.vectorFiles()) {
        identities.add(prefix + file.name());
      }
    }
    return identities;
  }

  /** Counts it, with its new files. */
  RescaleSummary summary() {
    RescaleSummary in = planned();
    long filesOut = 0;
    long bytesOut = 0;
    long rowsOut = 0;
    for (List<DataFile> files : made.values()) {
      for (DataFile file : files) {
        filesOut++;
        bytesOut += file.size();
        rowsOut += file.rowCount();
      }
    }
    return in.plus(new RescaleSummary(0, 0, 0, filesOut, 0, bytesOut, 0, rowsOut, 0, null));
  }

  /** Counts what it holds. */
  RescaleSummary planned() {
    long files = 0;
    long bytes = 0;
    long rows = 0;
    for (BucketFiles bucket : held) {
      for (DataFile file : bucket.files()) {
        files++;
        bytes += file.size();
        rows += file.rowCount();
      }
    }
    return new RescaleSummary(0, 1, files, 0, bytes, 0, rows, 0, 0, null);
  }
}
