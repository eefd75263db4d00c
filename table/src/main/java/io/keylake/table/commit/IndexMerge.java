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

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The index files of the next snapshot: those of the one before, changed.
 *
 * <ol>
 *   <li>Hash indexes, and deletion vectors of tables with buckets: one file per partition, bucket
 *       and type. Removals first, then a new file takes the place of the old one.
 *   <li>Deletion vectors of append tables without buckets: several files per partition. Removing a
 *       file that is not there, and a second vector for a data file, are conflicts.
 *   <li>Other indexes: by file name, carried along unchanged.
 * </ol>
 *
 * <p>Rule source: table format, index manifest. Pinned by {@code IndexMergeTest}.
 */
final class IndexMerge {
  /** How deletion vectors are kept. */
  enum Buckets {
    FILE_PER_BUCKET,
    FILES_PER_PARTITION
  }

  private record Slot(BinaryRow partition, int bucket, String type, String name) {}

  private final Buckets buckets;
  private final String table;

  IndexMerge(Buckets buckets, String table) {
    this.buckets = buckets;
    this.table = table;
  }

  /** {@code before} without {@code removed} and with {@code added}. */
  List<IndexEntry> merge(
      List<IndexEntry> before, List<IndexEntry> removed, List<IndexEntry> added) {
    Map<Slot, IndexEntry> result = new LinkedHashMap<>();
    before.forEach(entry -> result.put(slot(entry), entry));
    for (IndexEntry entry : removed) {
      IndexEntry found = result.remove(slot(entry));
      if (found == null && isSharedVector(entry)) {
        throw conflict("Index file " + entry.file().name() + " was replaced by another commit.");
      }
    }
    added.forEach(entry -> result.put(slot(entry), entry));
    if (added.stream().anyMatch(this::isSharedVector)) {
      checkOneVectorPerFile(result.values());
    }
    return new ArrayList<>(result.values());
  }

  private boolean isSharedVector(IndexEntry entry) {
    return buckets == Buckets.FILES_PER_PARTITION
        && entry.file().type().equals(IndexFile.DELETION_VECTORS);
  }

  private Slot slot(IndexEntry entry) {
    String type = entry.file().type();
    boolean perBucket =
        Set.of(IndexFile.HASH, IndexFile.DELETION_VECTORS).contains(type) && !isSharedVector(entry);
    return new Slot(entry.partition(), entry.bucket(), type, perBucket ? "" : entry.file().name());
  }

  private void checkOneVectorPerFile(Iterable<IndexEntry> entries) {
    Map<String, String> owners = new HashMap<>();
    for (IndexEntry entry : entries) {
      if (isSharedVector(entry)) {
        for (String dataFile : dataFiles(entry.file().deletionVectors())) {
          if (owners.put(dataFile, entry.file().name()) != null) {
            throw conflict("Another commit deleted rows of data file " + dataFile + ", too.");
          }
        }
      }
    }
  }

  private static Set<String> dataFiles(@Nullable List<DeletionVectorRef> vectors) {
    return vectors == null
        ? Set.of()
        : vectors.stream().map(DeletionVectorRef::dataFile).collect(Collectors.toSet());
  }

  private CommitConflictException conflict(String what) {
    return new CommitConflictException(
        Condition.KEYLAKE_CONCURRENT_MODIFICATION,
        "Cannot commit to table " + table + ". " + what + " Run the statement again.");
  }
}
