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

package io.keylake.table.expiry;

import io.keylake.format.snapshot.Snapshot;

/**
 * A version of a table that its storage lists.
 *
 * @param branch the branch that lists it
 * @param kind where it is listed
 * @param name the tag's name, or the number of a snapshot or changelog
 * @param snapshot what it refers to
 */
public record KeptVersion(String branch, Kind kind, String name, Snapshot snapshot) {
  /** Where a version is listed. */
  public enum Kind {
    SNAPSHOT,
    /** A changelog that outlives its snapshot: its base and delta lists may be gone. */
    CHANGELOG,
    TAG
  }

  /** Whether both refer to the same files in the same place. */
  boolean isSameAs(KeptVersion other) {
    return branch.equals(other.branch)
        && kind == other.kind
        && name.equals(other.name)
        && snapshot.deltaManifestList().equals(other.snapshot.deltaManifestList());
  }
}
