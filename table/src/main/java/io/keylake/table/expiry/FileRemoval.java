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

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.manifest.ParallelReads;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes data, index, manifest and statistics files of committed state: the only class that does,
 * and only files that come with a proof. A file that cannot be deleted is left to the removal of
 * orphan files. Safe for use by many threads.
 *
 * <p>Rule source: decision "one way to delete".
 */
public final class FileRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(FileRemoval.class);

  private final FileIO io;

  /** Removes files from this storage. */
  public FileRemoval(FileIO io) {
    this.io = io;
  }

  /**
   * What became of files.
   *
   * @param deleted how many are gone
   * @param failed how many storage refused to delete
   */
  public record Removed(long deleted, long failed) {
    /** Nothing. */
    public static final Removed NOTHING = new Removed(0, 0);

    /** Both together. */
    public Removed and(Removed other) {
      return new Removed(deleted + other.deleted, failed + other.failed);
    }
  }

  /** Deletes the files, several at a time. */
  public Removed delete(UnneededFiles unneeded) {
    long[] counts = new long[2];
    ParallelReads.<Location, Boolean>forEach(
        unneeded.files(), this::delete, done -> counts[done ? 0 : 1]++);
    return new Removed(counts[0], counts[1]);
  }

  private boolean delete(Location file) {
    try {
      io.delete(file);
      return true;
    } catch (UncheckedIOException e) {
      LOG.warn("Cannot delete {}; it is left to the removal of orphans: {}", file, e.getMessage());
      return false;
    }
  }

  /**
   * Deletes folders that these files left empty, below {@code top}. A folder into which somebody
   * writes meanwhile is not empty and stays.
   */
  void deleteEmptyFolders(UnneededFiles removed, Location top) {
    TreeSet<Location> folders = new TreeSet<>(Comparator.comparing(Location::path).reversed());
    for (Location file : removed.files()) {
      Location folder = file.parent();
      while (folder.path().startsWith(top.path() + "/") && folders.add(folder)) {
        folder = folder.parent();
      }
    }
    List<Location> deepestFirst = new ArrayList<>(folders);
    for (Location folder : deepestFirst) {
      try {
        boolean unused = io.deleteEmptyFolder(folder);
      } catch (UncheckedIOException e) {
        LOG.warn("Cannot delete the folder {}: {}", folder, e.getMessage());
      }
    }
  }
}
