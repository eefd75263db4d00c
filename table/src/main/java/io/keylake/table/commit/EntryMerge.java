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

package io.keylake.table.commit;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up manifest entries in their order: an ADD inserts a file, a DELETE takes away an earlier
 * ADD or, when there was none, stays. Example: ADD a, ADD b, DELETE a, DELETE c gives ADD b, DELETE
 * c. Adding a file that is there is an error. Not safe for use by many threads.
 *
 * <p>Rule source: table format, ADD/DELETE semantics. Pinned by {@code ManifestMergeTest}.
 */
final class EntryMerge {
  private final String source;
  private final Map<FileIdentity, ManifestEntry> entries = new LinkedHashMap<>();

  /** {@code source} names where the entries come from, for messages. */
  EntryMerge(String source) {
    this.source = source;
  }

  void addAll(Collection<ManifestEntry> more) {
    more.forEach(this::add);
  }

  void add(ManifestEntry entry) {
    FileIdentity identity = FileIdentity.of(entry);
    ManifestEntry before = entries.get(identity);
    if (entry.kind() == EntryKind.DELETE) {
      if (before != null && before.kind() == EntryKind.ADD) {
        entries.remove(identity);
      } else {
        entries.put(identity, entry);
      }
    } else {
      if (before != null) {
        throw new CorruptTableException(
            source,
            "The manifests add data file "
                + identity.name()
                + " twice. Roll back to an earlier"
                + " snapshot.",
            null);
      }
      entries.put(identity, entry);
    }
  }

  /** The result by file. */
  Map<FileIdentity, ManifestEntry> byIdentity() {
    return entries;
  }

  /** The result in order. */
  List<ManifestEntry> toList() {
    return List.copyOf(entries.values());
  }
}
