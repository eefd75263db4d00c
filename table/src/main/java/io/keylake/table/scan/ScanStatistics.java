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

/**
 * What planning a scan took.
 *
 * @param manifestsRead manifests that were read, from storage or from memory
 * @param manifestsSkipped manifests that were not needed
 * @param filesBeforePruning live files of the wanted partitions and buckets
 * @param filesAfterPruning files that have to be scanned
 * @param nanos time from begin to end
 */
public record ScanStatistics(
    long manifestsRead,
    long manifestsSkipped,
    long filesBeforePruning,
    long filesAfterPruning,
    long nanos) {
  /** Of a scan of a table without snapshots. */
  public static final ScanStatistics NONE = new ScanStatistics(0, 0, 0, 0, 0);

  /** The same with what pruning again has left, which took {@code moreNanos}. */
  ScanStatistics narrowedTo(long files, long moreNanos) {
    return new ScanStatistics(
        manifestsRead, manifestsSkipped, filesBeforePruning, files, nanos + moreNanos);
  }
}
