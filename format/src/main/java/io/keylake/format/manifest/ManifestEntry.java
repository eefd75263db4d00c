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

package io.keylake.format.manifest;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import java.io.Serializable;

/**
 * One record of a manifest: a data file that was added or removed.
 *
 * @param kind added or removed
 * @param partition values of the partition columns
 * @param bucket bucket number; -2 = staged by a postpone writer
 * @param totalBuckets number of buckets of the partition when written; -1 for dynamic and unaware
 *     tables, -2 postpone
 * @param file the file
 */
public record ManifestEntry(
    EntryKind kind, BinaryRow partition, int bucket, int totalBuckets, DataFile file)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The entry that removes what this one adds, repeating all of it as the format asks. */
  public ManifestEntry asDelete() {
    return new ManifestEntry(EntryKind.DELETE, partition, bucket, totalBuckets, file);
  }
}
