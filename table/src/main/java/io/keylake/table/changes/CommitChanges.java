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

package io.keylake.table.changes;

import io.keylake.format.snapshot.Snapshot;
import java.util.List;

/**
 * What one snapshot delivers.
 *
 * @param landed the snapshot that lists the files
 * @param commit the snapshot whose changes they are: the changelog of a COMPACT snapshot belongs to
 *     the APPEND just before it of the same user and identifier; else the same as {@code landed}
 * @param timeMillis when {@code commit} was made, milliseconds since the epoch; rises strictly from
 *     commit to commit, whatever the clocks of writers said
 * @param source where the changes come from
 * @param buckets the changed buckets; never empty
 */
public record CommitChanges(
    Snapshot landed, Snapshot commit, long timeMillis, Source source, List<ChangedBucket> buckets) {
  /** Copies the list. */
  public CommitChanges {
    buckets = List.copyOf(buckets);
  }

  /** The version that users know the changes by. */
  public long version() {
    return commit.id();
  }
}
