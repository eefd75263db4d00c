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

package io.keylake.table.changes;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.scan.ScanPlanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that a commit touched, with their files and deletion vectors before and after it.
 *
 * <ol>
 *   <li>A bucket is touched when the commit added or removed a file of it, or changed its deletion
 *       vectors.
 *   <li>The state before is the state after, less what was added, with what was removed.
 *   <li>Where a producer's changelog comes with compaction, rows of lower levels have not been
 *       delivered before the commit, and a later compaction delivers them: they are no part of the
 *       states. Overwrites of other engines drop the changelog of their own compaction: rows that
 *       such a commit wrote itself are part of the state after.
 * </ol>
 *
 * <p>Pinned by {@code ChangeLogTest}.
 */
final class StateDifference {
  private final TableStorage storage;
  private final ScanPlanner scans;
  private final FileAddresses addresses;

  StateDifference(
      TableStorage storage, TableSchema schema, TableOptions options, FileAddresses addresses) {
    this.storage = storage;
    this.scans = new ScanPlanner(storage, schema, options).ofEveryLevel();
    this.addresses = addresses;
  }

  /**
   * A commit.
   *
   * @param landed its snapshot
   * @param before the snapshot before; null when there is none, or none any more
   * @param delta the entries of its files
   */
  record Commit(Snapshot landed, @Nullable Snapshot before, List<ManifestEntry> delta) {
    Commit {
      delta = List.copyOf(delta);
    }
  }

  private record BucketId(BinaryRow partition, int bucket) {
    static BucketId of(ManifestEntry entry) {
      return new BucketId(entry.partition(), entry.bucket());
    }
  }

  /** The lowest level whose rows readers of the changelog know. */
  static int lowestDeliveredLevel(TableOptions options) {
    return switch (options.merge().changelogProducer()) {
      case NONE, INPUT -> 0;
      case LOOKUP -> 1;
      case FULL_COMPACTION -> options.compaction().levels() - 1;
    };
  }

  /** Whether nothing that was there before was taken away. */
  boolean onlyAdds(Commit commit) {
    return commit.delta().stream().allMatch(entry -> entry.kind() == EntryKind.ADD)
        && !marksRows(commit);
  }

  /** Whether the commit changed deletion vectors, as far as is known. */
  boolean marksRows(Commit commit) {
    Snapshot before = commit.before();
    String was = before == null ? null : before.indexManifest();
    return !Objects.equals(was, commit.landed().indexManifest())
        && !vectorFiles(before).equals(vectorFiles(commit.landed()));
  }

  private Map<BucketId, Set<String>> vectorFiles(@Nullable Snapshot snapshot) {
    Map<BucketId, Set<String>> files = new HashMap<>();
    if (snapshot != null) {
      for (IndexEntry entry : storage.indexEntries(snapshot)) {
        if (entry.file().type().equals(IndexFile.DELETION_VECTORS)) {
          files
              .computeIfAbsent(
                  new BucketId(entry.partition(), entry.bucket()), id -> new HashSet<>())
              .add(entry.file().name());
        }
      }
    }
    return files;
  }

  /** The touched buckets of those that the filter wants. */
  List<ChangedBucket> buckets(Commit commit, EntryFilter filter, int lowestLevel) {
    Map<BucketId, List<ManifestEntry>> touched = new LinkedHashMap<>();
    for (ManifestEntry entry : commit.delta()) {
      if (entry.bucket() != TableLayout.POSTPONE_BUCKET) {
        touched.computeIfAbsent(BucketId.of(entry), id -> new ArrayList<>()).add(entry);
      }
    }
    Map<BucketId, Set<String>> vectorsBefore = vectorFiles(commit.before());
    Map<BucketId, Set<String>> vectorsAfter = vectorFiles(commit.landed());
    Set<BucketId> marked = new LinkedHashSet<>(vectorsBefore.keySet());
    marked.addAll(vectorsAfter.keySet());
    for (BucketId id : marked) {
      if (!Objects.equals(vectorsBefore.get(id), vectorsAfter.get(id))) {
        touched.computeIfAbsent(id, unused -> new ArrayList<>());
      }
    }
    Map<BucketId, BucketFiles> now = states(commit.landed(), touched.keySet());
    List<ChangedBucket> changed = new ArrayList<>();
    touched.forEach(
        (id, entries) -> {
          BucketFiles after = now.getOrDefault(id, empty(id, entries));
          if (filter.keepsBucket(id.partition(), id.bucket(), after.totalBuckets())) {
            changed.add(sides(commit, after, entries, lowestLevel));
          }
        });
    return changed;
  }

  private Map<BucketId, BucketFiles> states(Snapshot snapshot, Set<BucketId> wanted) {
    Set<BinaryRow> partitions =
        wanted.stream().map(BucketId::partition).collect(Collectors.toSet());
    Map<BucketId, BucketFiles> states = new HashMap<>();
    for (BucketFiles bucket : scans.buckets(snapshot, partitions, StatsProjection.SKIP)) {
      BucketId id = new BucketId(bucket.partition(), bucket.bucket());
      if (wanted.contains(id)) {
        states.put(id, bucket);
      }
    }
    return states;
  }

  /** The buckets of those that the filter wants that differ between two snapshots. */
  List<ChangedBucket> between(@Nullable Snapshot before, Snapshot after, EntryFilter filter) {
    Map<BucketId, BucketFiles> was = before == null ? Map.of() : states(before);
    Map<BucketId, BucketFiles> is = states(after);
    Set<BucketId> all = new LinkedHashSet<>(was.keySet());
    all.addAll(is.keySet());
    List<ChangedBucket> changed = new ArrayList<>();
    for (BucketId id : all) {
      BucketFiles old = was.getOrDefault(id, empty(id, List.of()));
      BucketFiles now = is.getOrDefault(id, empty(id, List.of()));
      if (filter.keepsBucket(id.partition(), id.bucket(), now.totalBuckets())
          && !(Set.copyOf(old.files()).equals(Set.copyOf(now.files()))
              && old.vectors().equals(now.vectors()))) {
        changed.add(ChangedBucket.between(old, now));
      }
    }
    return changed;
  }

  private Map<BucketId, BucketFiles> states(Snapshot snapshot) {
    Map<BucketId, BucketFiles> states = new LinkedHashMap<>();
    for (BucketFiles bucket : scans.plan(snapshot, ScanFilter.of(List.of())).buckets()) {
      states.put(new BucketId(bucket.partition(), bucket.bucket()), bucket);
    }
    return states;
  }

  private static BucketFiles empty(BucketId id, List<ManifestEntry> entries) {
    int total = entries.isEmpty() ? -1 : entries.get(entries.size() - 1).totalBuckets();
    return new BucketFiles(
        id.partition(), id.bucket(), total, List.of(), Map.of(), List.of(), Set.of());
  }

  private ChangedBucket sides(
      Commit commit, BucketFiles after, List<ManifestEntry> entries, int lowestLevel) {
    Set<String> added = new HashSet<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    after.files().forEach(file -> files.put(file.name(), file));
    for (ManifestEntry entry : entries) {
      if (entry.kind() == EntryKind.ADD) {
        added.add(entry.file().name());
        files.remove(entry.file().name());
      }
    }
    for (ManifestEntry entry : entries) {
      if (entry.kind() == EntryKind.DELETE) {
        files.put(entry.file().name(), entry.file().withoutStats());
      }
    }
    files.values().removeIf(file -> file.level() < lowestLevel);
    boolean isOurs = commit.landed().properties().containsKey(Snapshot.OPERATION);
    Set<String> ownRows = isOurs ? Set.of() : added;
    List<DataFile> kept =
        after.files().stream()
            .filter(file -> file.level() >= lowestLevel || ownRows.contains(file.name()))
            .toList();
    int totalBefore =
        entries.stream()
            .filter(entry -> entry.kind() == EntryKind.DELETE)
            .mapToInt(ManifestEntry::totalBuckets)
            .findFirst()
            .orElse(after.totalBuckets());
    return ChangedBucket.between(
        before(commit.before(), withTotal(after, totalBefore), files), withFiles(after, kept));
  }

  private BucketFiles before(
      @Nullable Snapshot snapshot, BucketFiles after, Map<String, DataFile> files) {
    Map<String, IndexedVector> vectors = new HashMap<>();
    List<IndexFile> indexes = new ArrayList<>();
    if (snapshot != null) {
      for (IndexEntry entry : storage.indexEntries(snapshot)) {
        IndexFile index = entry.file();
        List<DeletionVectorRef> refs = index.deletionVectors();
        if (refs == null
            || !index.type().equals(IndexFile.DELETION_VECTORS)
            || entry.bucket() != after.bucket()
            || !entry.partition().equals(after.partition())) {
          continue;
        }
        indexes.add(index);
        String path = addresses.indexFile(entry.partition(), entry.bucket(), index).path();
        refs.stream()
            .filter(ref -> files.containsKey(ref.dataFile()))
            .forEach(ref -> vectors.put(ref.dataFile(), new IndexedVector(path, ref)));
      }
    }
    return new BucketFiles(
        after.partition(),
        after.bucket(),
        after.totalBuckets(),
        List.copyOf(files.values()),
        vectors,
        indexes,
        Set.of());
  }

  private static BucketFiles withTotal(BucketFiles bucket, int totalBuckets) {
    return new BucketFiles(
        bucket.partition(),
        bucket.bucket(),
        totalBuckets,
        bucket.files(),
        bucket.vectors(),
        bucket.vectorFiles(),
        Set.of());
  }

  private static BucketFiles withFiles(BucketFiles bucket, List<DataFile> files) {
    return new BucketFiles(
        bucket.partition(),
        bucket.bucket(),
        bucket.totalBuckets(),
        files,
        bucket.vectors(),
        bucket.vectorFiles(),
        Set.of());
  }
}
