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

import io.keylake.format.errors.CorruptTableException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Merges the entries of manifests, added in the order of their lists, into what is left: ADD
 * entries of live files and, when only a part of the history was added, DELETE entries that met no
 * ADD entry. Holds live files only. Not for use by several threads.
 *
 * <ol>
 *   <li>ADD inserts; an identity that is present already means a damaged table.
 *   <li>DELETE removes an earlier ADD of the same identity, or else is kept.
 * </ol>
 *
 * <p>Rule source: table format, ADD/DELETE semantics; pinned by {@code ManifestMergeTest}.
 */
public final class ManifestMerge {
  private final Map<FileIdentity, ManifestEntry> left = new LinkedHashMap<>();
  private final String path;

  /** A merge of manifests that {@code path}, such as a snapshot file, refers to. */
  public ManifestMerge(String path) {
    this.path = path;
  }

  /** Adds the next entry. */
  public void add(ManifestEntry entry) {
    FileIdentity identity = FileIdentity.of(entry);
    switch (entry.kind()) {
      case ADD -> {
        ManifestEntry before = left.put(identity, entry);
        if (before != null && before.kind() == EntryKind.ADD) {
          throw new CorruptTableException(
              path,
              "The manifests add data file %s of bucket %d on level %d twice. Roll back to an earlier snapshot."
                  .formatted(entry.file().name(), entry.bucket(), entry.file().level()),
              null);
        }
      }
      case DELETE -> {
        if (left.remove(identity) == null) {
          left.put(identity, entry);
        }
      }
    }
  }

  /** Adds the next entries. */
  public void addAll(Iterable<ManifestEntry> entries) {
    entries.forEach(this::add);
  }

  /** What is left, in the order in which it was added. */
  public Collection<ManifestEntry> entries() {
    return left.values();
  }
}
