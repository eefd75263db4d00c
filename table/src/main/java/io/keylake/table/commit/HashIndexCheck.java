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

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.scan.HashIndexFiles;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether the buckets that a job gave to keys still hold, when others have changed the hash indexes
 * since the snapshot that the job is based on.
 *
 * <p>In each partition to which the job adds files:
 *
 * <ol>
 *   <li>Every hash of an index that the job started from must still be in the index of that bucket:
 *       else the rows went to a bucket that the key does not have any more (another commit replaced
 *       the partition, or the table was rolled back).
 *   <li>A hash that is new in both must have the same bucket in both: else the key would be in two
 *       buckets.
 *   <li>When both have added hashes to one bucket, its index becomes the union of both.
 * </ol>
 *
 * <p>Example: both jobs start from an empty table with one assigner and a target of 2. The other
 * commits keys 1, 2 (bucket 0) and 3 (bucket 1). Keys 1 and 4 of ours in bucket 0 pass, and the
 * index of bucket 0 becomes 1, 2, 4; key 3 in bucket 0 is a conflict.
 *
 * <p>Failures are {@link CommitConflictException} with KEYLAKE_CONCURRENT_MODIFICATION. Only
 * indexes that changed are read, one bucket at a time. Pinned by {@code HashIndexCheckTest}.
 */
final class HashIndexCheck {
  /**
   * The indexes to unite.
   *
   * @param latest by position in the list of changes, what others have made of the bucket's index
   */
  record Union(Map<Integer, IndexEntry> latest) {
    static final Union NONE = new Union(Map.of());

    /** Copies the map. */
    Union {
      latest = Map.copyOf(latest);
    }
  }

  private final CommitTable table;
  private final ConflictCheck conflicts;
  private final HashIndexFiles files;
  private final NewFiles newFiles;

  HashIndexCheck(CommitTable table, ConflictCheck conflicts, Ids ids) {
    this.table = table;
    this.conflicts = conflicts;
    this.files = new HashIndexFiles(table.io(), table.addresses(), ids);
    this.newFiles = new NewFiles(table);
  }

  /** Checks what the job wrote against the newest snapshot. */
  Union check(CommitRequest request, @Nullable Snapshot latest) {
    boolean isDynamic = BucketMode.of(table.schema()) instanceof BucketMode.Dynamic;
    if (!isDynamic || isSame(request.base(), latest)) {
      return Union.NONE;
    }
    Map<BinaryRow, Map<Integer, IndexEntry>> before = indexes(request.base());
    Map<BinaryRow, Map<Integer, IndexEntry>> now = indexes(latest);
    Map<BinaryRow, List<Integer>> positions = new LinkedHashMap<>();
    for (int i = 0; i < request.changes().size(); i++) {
      BucketChange change = request.changes().get(i);
      if (!change.written().isEmpty()) {
        positions.computeIfAbsent(change.partition(), p -> new ArrayList<>()).add(i);
      }
    }
    Map<Integer, IndexEntry> union = new TreeMap<>();
    positions.forEach(
        (partition, changes) ->
            union.putAll(
                new Partition(
                        partition,
                        before.getOrDefault(partition, Map.of()),
                        now.getOrDefault(partition, Map.of()))
                    .check(request.changes(), changes)));
    return union.isEmpty() ? Union.NONE : new Union(union);
  }

  private static boolean isSame(@Nullable Snapshot base, @Nullable Snapshot latest) {
    String before = base == null ? null : base.indexManifest();
    String now = latest == null ? null : latest.indexManifest();
    return before == null ? now == null : before.equals(now);
  }

  private Map<BinaryRow, Map<Integer, IndexEntry>> indexes(@Nullable Snapshot snapshot) {
    Map<BinaryRow, Map<Integer, IndexEntry>> indexes = new LinkedHashMap<>();
    if (snapshot != null) {
      for (IndexEntry entry : table.storage().indexEntries(snapshot)) {
        if (entry.file().type().equals(IndexFile.HASH)) {
          indexes
              .computeIfAbsent(entry.partition(), p -> new TreeMap<>())
              .put(entry.bucket(), entry);
        }
      }
    }
    return indexes;
  }

  private static Optional<IndexFile> added(BucketChange change) {
    return change.written().addedIndexes().stream()
        .filter(index -> index.type().equals(IndexFile.HASH))
        .findFirst();
  }

  private int[] sorted(IndexEntry index) {
    int[] hashes = files.read(index);
    Arrays.sort(hashes);
    return hashes;
  }

  /** The indexes of one partition. */
  private final class Partition {
    private final BinaryRow values;
    private final Map<Integer, IndexEntry> before;
    private final Map<Integer, IndexEntry> now;

    Partition(BinaryRow values, Map<Integer, IndexEntry> before, Map<Integer, IndexEntry> now) {
      this.values = values;
      this.before = before;
      this.now = now;
    }

    Map<Integer, IndexEntry> check(List<BucketChange> changes, List<Integer> positions) {
      checkKept();
      long[] others = addedByOthers();
      Map<Integer, IndexEntry> union = new TreeMap<>();
      if (others.length > 0) {
        for (int position : positions) {
          BucketChange change = changes.get(position);
          Optional<IndexFile> index = added(change);
          if (index.isPresent() && checkAdded(change, index.get(), others)) {
            union.put(position, now.get(change.bucket()));
          }
        }
      }
      return union;
    }

    /** Rule 1. */
    private void checkKept() {
      before.forEach(
          (bucket, index) -> {
            IndexEntry latest = now.get(bucket);
            if (latest == null || !(latest.equals(index) || contains(sorted(latest), index))) {
              throw conflicts.conflict(
                  "Another commit removed keys from bucket "
                      + bucket
                      + " in partition "
                      + conflicts.text(values)
                      + " meanwhile, and this one relied on them being there.");
            }
          });
    }

    private boolean contains(int[] hashes, IndexEntry index) {
      try {
        return Arrays.stream(files.read(index))
            .allMatch(hash -> Arrays.binarySearch(hashes, hash) >= 0);
      } catch (UncheckedIOException e) {
        if (e.getCause() instanceof FileNotFoundException) {
          return false;
        }
        throw e;
      }
    }

    /** Hash and bucket of what others have added. */
    private long[] addedByOthers() {
      return now.values().stream()
          .filter(latest -> !latest.equals(before.get(latest.bucket())))
          .flatMapToLong(this::addedTo)
          .toArray();
    }

    private LongStream addedTo(IndexEntry latest) {
      IndexEntry index = before.get(latest.bucket());
      int[] known = index == null ? new int[0] : sorted(index);
      return Arrays.stream(files.read(latest))
          .filter(hash -> Arrays.binarySearch(known, hash) < 0)
          .mapToLong(hash -> ((long) hash << Integer.SIZE) | latest.bucket());
    }

    /** Rule 2; whether rule 3 applies. */
    private boolean checkAdded(BucketChange change, IndexFile index, long[] others) {
      int[] ours = sorted(new IndexEntry(values, change.bucket(), index));
      boolean lacksSome = false;
      for (long other : others) {
        int bucket = (int) other;
        boolean isOurs = Arrays.binarySearch(ours, (int) (other >> Integer.SIZE)) >= 0;
        if (isOurs && bucket != change.bucket()) {
          throw conflicts.conflict(
              "Another commit wrote a key of partition "
                  + conflicts.text(values)
                  + " for the first time, too, and gave it bucket "
                  + bucket
                  + " instead of "
                  + change.bucket()
                  + ".");
        }
        lacksSome |= !isOurs && bucket == change.bucket();
      }
      return lacksSome;
    }
  }

  /** The request with new index files that hold what others have added, too. */
  CommitRequest unite(CommitRequest request, Union union) {
    if (union.latest().isEmpty()) {
      return request;
    }
    List<Location> written = new ArrayList<>();
    List<BucketChange> changes = new ArrayList<>(request.changes());
    try {
      union
          .latest()
          .forEach((i, latest) -> changes.set(i, united(changes.get(i), latest, written)));
    } catch (UncheckedIOException e) {
      newFiles.delete(written);
      throw e;
    }
    return request.withChanges(changes);
  }

  private BucketChange united(BucketChange change, IndexEntry latest, List<Location> written) {
    IndexFile index = added(change).orElseThrow();
    BinaryRow partition = change.partition();
    int[] ours = sorted(new IndexEntry(partition, change.bucket(), index));
    int[] others =
        Arrays.stream(files.read(latest))
            .filter(hash -> Arrays.binarySearch(ours, hash) < 0)
            .toArray();
    int[] all = Arrays.copyOf(ours, Math.addExact(ours.length, others.length));
    System.arraycopy(others, 0, all, ours.length, others.length);
    IndexEntry entry = files.create(partition, change.bucket(), all);
    written.add(files.location(entry));
    files.write(entry, all);
    return change.withHashIndex(entry.file());
  }
}
