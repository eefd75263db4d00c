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

import org.jspecify.annotations.Nullable;

/**
 * What a change of the number of buckets did. Of a dry run what goes in is known only.
 *
 * @param partitionsChecked partitions that were chosen and hold files
 * @param partitionsRescaled partitions whose number of buckets changed
 * @param filesIn files that were replaced
 * @param filesOut files that came in their place
 * @param bytesIn their bytes before
 * @param bytesOut their bytes after
 * @param rowsIn rows of the files that were replaced, older rows of keys and deleted ones included
 * @param rowsOut rows of the files that came in their place
 * @param redone how often a partition was taken up again because others had changed it meanwhile
 * @param snapshotId the last snapshot that was made; null = none
 */
public record RescaleSummary(
    long partitionsChecked,
    long partitionsRescaled,
    long filesIn,
    long filesOut,
    long bytesIn,
    long bytesOut,
    long rowsIn,
    long rowsOut,
    long redone,
    @Nullable Long snapshotId) {
  static final RescaleSummary NOTHING = new RescaleSummary(0, 0, 0, 0, 0, 0, 0, 0, 0, null);

  RescaleSummary withChecked(long partitions) {
    return plus(new RescaleSummary(partitions, 0, 0, 0, 0, 0, 0, 0, 0, null));
  }

  RescaleSummary withRedone(long partitions) {
    return plus(new RescaleSummary(0, 0, 0, 0, 0, 0, 0, 0, partitions, null));
  }

  RescaleSummary plus(RescaleSummary other) {
    return new RescaleSummary(
        partitionsChecked + other.partitionsChecked,
        partitionsRescaled + other.partitionsRescaled,
        filesIn + other.filesIn,
        filesOut + other.filesOut,
        bytesIn + other.bytesIn,
        bytesOut + other.bytesOut,
        rowsIn + other.rowsIn,
        rowsOut + other.rowsOut,
        redone + other.redone,
        other.snapshotId == null ? snapshotId : other.snapshotId);
  }
}
