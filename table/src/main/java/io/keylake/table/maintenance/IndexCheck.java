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

package io.keylake.table.maintenance;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.HashIndexCodec;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.maintenance.TableProblem.Kind;
import io.keylake.table.scan.FileAddresses;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the index files of one bucket and gives their contents. */
final class IndexCheck {
  /**
   * What is in the index files of a bucket.
   *
   * @param vectors deletion vectors by data file
   * @param hashes the hashes of its keys, sorted; null without a hash index
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Indexes(Map<String, DeletionVector> vectors, int @Nullable [] hashes) {}

  private final FileIO io;
  private final FileAddresses addresses;
  private final BucketMode mode;
  private final Problems problems;

  IndexCheck(FileIO io, FileAddresses addresses, BucketMode mode, Problems problems) {
    this.io = io;
    this.addresses = addresses;
    this.mode = mode;
    this.problems = problems;
  }

  Indexes check(BucketCheck.Contents bucket, String place) {
    Map<String, Long> rows = new HashMap<>();
    for (ManifestEntry entry : bucket.files()) {
      rows.put(entry.file().name(), entry.file().rowCount());
    }
    Map<String, DeletionVector> vectors = new HashMap<>();
    int[] hashes = null;
    Set<String> types = new HashSet<>();
    for (IndexEntry entry : bucket.indexes()) {
      String type = entry.file().type();
      if (isPerBucket(type) && !types.add(type)) {
        problems.add(Kind.INDEX_TWICE, place, "there are two files of type " + type);
      }
      byte[] content = content(entry);
      if (content == null) {
        continue;
      }
      if (type.equals(IndexFile.HASH)) {
        hashes = hashes(entry, content);
      } else if (type.equals(IndexFile.DELETION_VECTORS)) {
        vectors(entry, content, rows, vectors);
      }
    }
    return new Indexes(vectors, hashes);
  }

  private boolean isPerBucket(String type) {
    return type.equals(IndexFile.HASH)
        || (type.equals(IndexFile.DELETION_VECTORS) && !(mode instanceof BucketMode.Unaware));
  }

  private static String place(IndexEntry entry) {
    return "index file " + entry.file().name();
  }

  private byte @Nullable [] content(IndexEntry entry) {
    Location location = addresses.indexFile(entry.partition(), entry.bucket(), entry.file());
    Optional<FileStatus> status = io.status(location);
    if (status.isEmpty()) {
      problems.add(Kind.FILE_MISSING, place(entry), location + " does not exist");
      return null;
    }
    if (status.get().length() != entry.file().size()) {
      problems.add(
          Kind.FILE_SIZE,
          place(entry),
          "has " + status.get().length() + " bytes, its metadata says " + entry.file().size());
      return null;
    }
    return io.read(location);
  }

  private int[] hashes(IndexEntry entry, byte[] content) {
    int[] hashes;
    try {
      hashes = HashIndexCodec.read(content, entry.file().name());
    } catch (CorruptTableException e) {
      problems.add(Kind.INDEX_RECORD, place(entry), e.getMessage());
      return new int[0];
    }
    rowCount(entry, hashes.length);
    Arrays.sort(hashes);
    for (int i = 1; i < hashes.length; i++) {
      if (hashes[i] == hashes[i - 1]) {
        problems.add(Kind.HASH_TWICE, place(entry), "hash " + hashes[i] + " is there twice");
      }
    }
    return hashes;
  }

  private void rowCount(IndexEntry entry, long found) {
    if (entry.file().rowCount() != found) {
      problems.add(
          Kind.INDEX_RECORD,
          place(entry),
          "has " + found + " entries, its metadata says " + entry.file().rowCount());
    }
  }

  private void vectors(
      IndexEntry entry,
      byte[] content,
      Map<String, Long> rows,
      Map<String, DeletionVector> result) {
    List<DeletionVectorRef> refs = entry.file().deletionVectors();
    List<DeletionVectorRef> all = refs == null ? List.of() : refs;
    rowCount(entry, all.size());
    for (DeletionVectorRef ref : all) {
      problems.guard(
          Kind.INDEX_RECORD,
          place(entry),
          () -> {
            DeletionVector vector =
                DeletionVectorFile.decode(content, uncounted(ref), entry.file().name());
            if (result.put(ref.dataFile(), vector) != null) {
              problems.add(Kind.VECTOR_TWICE, place(entry), "second vector of " + ref.dataFile());
            }
            vector(entry, ref, vector, rows.get(ref.dataFile()));
          });
    }
  }

  /** The same without cardinality, which is compared here. */
  private static DeletionVectorRef uncounted(DeletionVectorRef ref) {
    return new DeletionVectorRef(ref.dataFile(), ref.offset(), ref.length(), null);
  }

  private void vector(
      IndexEntry entry, DeletionVectorRef ref, DeletionVector vector, @Nullable Long rows) {
    Long stated = ref.cardinality();
    if (stated != null && stated != vector.cardinality()) {
      problems.add(
          Kind.VECTOR_COUNT,
          place(entry),
          "the vector of %s marks %d rows, its metadata says %d"
              .formatted(ref.dataFile(), vector.cardinality(), stated));
    }
    if (rows == null) {
      problems.add(
          Kind.VECTOR_WITHOUT_FILE,
          place(entry),
          "there is a vector of " + ref.dataFile() + ", which is no file of the bucket");
    } else if (vector.intersects(rows, Long.MAX_VALUE)) {
      problems.add(
          Kind.VECTOR_RANGE,
          place(entry),
          "the vector of %s marks rows beyond its %d".formatted(ref.dataFile(), rows));
    }
  }
}
