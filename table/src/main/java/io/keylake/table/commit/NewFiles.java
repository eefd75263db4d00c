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
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.scan.FileAddresses;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that a job made, for deleting them when the job fails. A file that the job only moved
 * to another level, or took from the table, is not one of them; a side file that it got is.
 */
final class NewFiles {
  private static final Logger LOG = LoggerFactory.getLogger(NewFiles.class);

  private final CommitTable table;
  private final FileAddresses addresses;

  NewFiles(CommitTable table) {
    this.table = table;
    this.addresses = table.addresses();
  }

  /** Every file that the change made. */
  Set<Location> all(BucketChange change) {
    Set<Location> files = written(change);
    files.addAll(compacted(change));
    return files;
  }

  /** The files that the write made. */
  Set<Location> written(BucketChange change) {
    return made(change, change.written(), names(change.written().removed()));
  }

  /** The files that only the compaction made. */
  Set<Location> compacted(BucketChange change) {
    Set<String> before = names(change.written().added());
    before.addAll(names(change.compacted().removed()));
    return made(change, change.compacted(), before);
  }

  private Set<Location> made(BucketChange change, FileChanges files, Set<String> before) {
    BinaryRow partition = change.partition();
    int bucket = change.bucket();
    Set<Location> made = new HashSet<>();
    List<DataFile> candidates = new ArrayList<>(files.added());
    candidates.addAll(files.changelog());
    for (DataFile file : candidates) {
      if (!before.contains(file.name())) {
        made.add(addresses.dataFile(partition, bucket, file));
      }
      file.extraFiles().stream()
          .filter(extra -> !before.contains(extra))
          .forEach(extra -> made.add(addresses.extraFile(partition, bucket, file, extra)));
    }
    for (IndexFile index : files.addedIndexes()) {
      made.add(addresses.indexFile(partition, bucket, index));
    }
    return made;
  }

  private static Set<String> names(List<DataFile> files) {
    Set<String> names = new HashSet<>();
    for (DataFile file : files) {
      names.add(file.name());
      names.addAll(file.extraFiles());
    }
    return names;
  }

  /** Deletes files that nothing refers to; one that cannot be deleted is left to orphan removal. */
  void delete(Collection<Location> files) {
    for (Location file : files) {
      try {
        table.io().delete(file);
      } catch (UncheckedIOException e) {
        LOG.warn(
            "Cannot delete {}; it is left to the removal of orphans: {}", file, e.getMessage());
      }
    }
  }
}
