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

package io.keylake.table.bucket;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a writer has to know of the buckets it writes into, as of one snapshot: the sequence number
 * to start from, the number of sorted runs, and the number of buckets of a partition. Read in one
 * pass over the manifests when it is first asked for; holds a few numbers per bucket of the table.
 *
 * <p>Rules:
 *
 * <ol>
 *   <li>New rows of a bucket are numbered from its highest sequence number + 1, or 0 when it is
 *       empty. Numbers of files that were removed since may count, too: gaps do no harm.
 *   <li>A partition keeps the number of buckets of its live files, whatever the option says now.
 * </ol>
 *
 * <p>Safe for use by many threads: the tasks of one process share an instance. Rule source: table
 * format, write buffer and sequence numbers; bucket assignment. Pinned by {@code BucketStatesTest}.
 */
public final class BucketStates {
  /** Tables and versions whose buckets a process remembers. */
  private static final int SHARED = 8;

  private static final Map<String, SoftReference<BucketStates>> KNOWN =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SoftReference<BucketStates>> eldest) {
          return size() > SHARED;
        }
      };

  private record Bucket(BinaryRow partition, int bucket) {}

  private record Counts(Map<Integer, Integer> filesByTotal) {}

  private record State(Map<Bucket, OneBucket> buckets, Map<BinaryRow, Counts> counts) {}

  /** What is known of a bucket. */
  private static final class OneBucket {
    private long highest = -1;
    private int[] filesByLevel = new int[1];
    private long rows;

    void add(DataFile file) {
      highest = Math.max(highest, file.maxSequenceNumber());
      count(file.level(), 1);
      rows += file.rowCount();
    }

    void remove(DataFile file) {
      count(file.level(), -1);
      rows -= file.rowCount();
    }

    private void count(int level, int change) {
      if (level >= filesByLevel.length) {
        filesByLevel = Arrays.copyOf(filesByLevel, level + 1);
      }
      filesByLevel[level] += change;
    }

    int runs() {
      int filled = (int) Arrays.stream(filesByLevel).skip(1).filter(files -> files > 0).count();
      return Math.max(0, filesByLevel[0]) + filled;
    }
  }

  private final TableStorage storage;
  private final @Nullable Snapshot snapshot;
  private @Nullable State state;

  /** The buckets as of {@code snapshot}; null = an empty table. */
  public BucketStates(TableStorage storage, @Nullable Snapshot snapshot) {
    this.storage = storage;
    this.snapshot = snapshot;
  }

  /** The same for all callers of this process that ask for the same version of a table. */
  public static BucketStates shared(TableStorage storage, @Nullable Snapshot snapshot) {
    if (snapshot == null) {
      return new BucketStates(storage, null);
    }
    String key = storage.layout().manifest(snapshot.deltaManifestList()).path();
    synchronized (KNOWN) {
      SoftReference<BucketStates> reference = KNOWN.get(key);
      BucketStates known = reference == null ? null : reference.get();
      if (known == null) {
        known = new BucketStates(storage, snapshot);
        KNOWN.put(key, new SoftReference<>(known));
      }
      return known;
    }
  }

  /** The number of the first new row of a bucket. */
  public long firstSequenceNumber(BinaryRow partition, int bucket) {
    OneBucket known = state().buckets().get(new Bucket(partition, bucket));
    return known == null ? 0 : Math.max(known.highest + 1, 0);
  }

  /**
   * How many rows of a partition of a postpone table are staged: they are newer than all in its
   * buckets, and get as many numbers at most when they are put there.
   */
  public long stagedRows(BinaryRow partition) {
    OneBucket staged = state().buckets().get(new Bucket(partition, TableLayout.POSTPONE_BUCKET));
    return staged == null ? 0 : Math.max(0, staged.rows);
  }

  /** The number of sorted runs of a bucket: files of level 0, and levels above it with files. */
  public int runs(BinaryRow partition, int bucket) {
    OneBucket known = state().buckets().get(new Bucket(partition, bucket));
    return known == null ? 0 : known.runs();
  }

  /** The number of buckets that the partition's files were written for; empty when it has none. */
  public OptionalInt totalBuckets(BinaryRow partition) {
    Counts counts = state().counts().get(partition);
    return counts == null
        ? OptionalInt.empty()
        : counts.filesByTotal().entrySet().stream()
            .filter(entry -> entry.getValue() > 0)
            .mapToInt(Map.Entry::getKey)
            .max();
  }

  /** The most buckets with files that a partition has. */
  public int largestPartition() {
    Map<BinaryRow, Integer> buckets = new HashMap<>();
    state()
        .buckets()
        .forEach(
            (bucket, files) -> {
              if (files.runs() > 0) {
                buckets.merge(bucket.partition(), 1, Integer::sum);
              }
            });
    return buckets.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private synchronized State state() {
    State known = state;
    if (known == null) {
      known = load();
      state = known;
    }
    return known;
  }

  private State load() {
    State loaded = new State(new HashMap<>(), new HashMap<>());
    if (snapshot != null) {
      ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
          storage.dataManifests(snapshot),
          manifest -> storage.manifests().entries(manifest, StatsProjection.SKIP, EntryFilter.ALL),
          entries -> entries.forEach(entry -> add(loaded, entry)));
    }
    return loaded;
  }

  private static void add(State state, ManifestEntry entry) {
    boolean added = entry.kind() == EntryKind.ADD;
    if (entry.totalBuckets() > 0) {
      state
          .counts()
          .computeIfAbsent(entry.partition(), partition -> new Counts(new HashMap<>(2)))
          .filesByTotal()
          .merge(entry.totalBuckets(), added ? 1 : -1, Integer::sum);
    }
    Bucket bucket = new Bucket(entry.partition(), entry.bucket());
    OneBucket known = state.buckets().computeIfAbsent(bucket, key -> new OneBucket());
    if (added) {
      known.add(entry.file());
    } else {
      known.remove(entry.file());
    }
  }
}
