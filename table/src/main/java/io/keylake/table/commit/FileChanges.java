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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.index.IndexFile;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files that one job added to and removed from a bucket.
 *
 * @param added new data files
 * @param removed data files that are no longer part of the bucket
 * @param changelog new changelog files
 * @param addedIndexes new index files
 * @param removedIndexes index files that are no longer valid
 */
public record FileChanges(
    List<DataFile> added,
    List<DataFile> removed,
    List<DataFile> changelog,
    List<IndexFile> addedIndexes,
    List<IndexFile> removedIndexes)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No change. */
  public static final FileChanges NONE =
      new FileChanges(List.of(), List.of(), List.of(), List.of(), List.of());

  /** Copies the lists. */
  public FileChanges {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    changelog = List.copyOf(changelog);
    addedIndexes = List.copyOf(addedIndexes);
    removedIndexes = List.copyOf(removedIndexes);
  }

  /** Only new data files. */
  public static FileChanges added(List<DataFile> files) {
    return new FileChanges(files, List.of(), List.of(), List.of(), List.of());
  }

  /** These changes, then {@code more}. */
  public FileChanges and(FileChanges more) {
    return new FileChanges(
        joined(added, more.added),
        joined(removed, more.removed),
        joined(changelog, more.changelog),
        joined(addedIndexes, more.addedIndexes),
        joined(removedIndexes, more.removedIndexes));
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /** Whether nothing changed. */
  public boolean isEmpty() {
    return equals(NONE);
  }
}
