package io.keylake.table.commit;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.index.IndexFile;
import java.io.Serializable;
import java.util.List;

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

  /** Whether nothing changed. */
  public boolean isEmpty() {
    return equals(NONE);
  }
}
