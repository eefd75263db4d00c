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

package io.keylake.spark.maintenance.rescale;

import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.scan.BucketFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows that commits after a snapshot added to partitions, as the files in which they came,
 * whatever compactions made of these since. Where a commit did more than add rows to a partition,
 * or a snapshot has expired, nothing can be said about it.
 */
final class LaterFiles {
  private record Bucket(BinaryRow partition, int number) {}

  private final TableStorage storage;
  private final Set<BinaryRow> unknown = new HashSet<>();
  private final Map<Bucket, List<ManifestEntry>> added = new LinkedHashMap<>();

  private LaterFiles(TableStorage storage) {
    this.storage = storage;
  }

  /** What was added to {@code partitions} after {@code base} up to {@code latest}. */
  static LaterFiles between(
      TableStorage storage, Snapshot base, Snapshot latest, Set<BinaryRow> partitions) {
    LaterFiles later = new LaterFiles(storage);
    if (!later.read(base, latest, partitions)) {
      later.unknown.addAll(partitions);
    }
    return later;
  }

  /** The files by bucket; empty when it cannot be said. */
  Optional<List<BucketFiles>> of(BinaryRow partition) {
    if (unknown.contains(partition)) {
      return Optional.empty();
    }
    List<BucketFiles> buckets = new ArrayList<>();
    added.forEach(
        (bucket, entries) -> {
          if (bucket.partition().equals(partition)) {
            buckets.add(
                new BucketFiles(
                    partition,
                    bucket.number(),
                    entries.get(0).totalBuckets(),
                    entries.stream().map(ManifestEntry::file).toList(),
                    Map.of(),
                    List.of(),
                    Set.of()));
          }
        });
    return Optional.of(buckets);
  }

  private boolean read(Snapshot base, Snapshot latest, Set<BinaryRow> partitions) {
    Snapshot before = base;
    boolean isAncestor =
        base.id() <= latest.id()
            && storage.snapshots().find(base.id()).filter(found -> isSame(found, base)).isPresent();
    if (!isAncestor) {
      return false;
    }
    for (long id = base.id() + 1; id <= latest.id(); id++) {
      Optional<Snapshot> next =
          id == latest.id() ? Optional.of(latest) : storage.snapshots().find(id);
      if (next.isEmpty()) {
        return false;
      }
      add(before, next.get(), partitions);
      before = next.get();
    }
    return true;
  }

  private static boolean isSame(Snapshot one, Snapshot other) {
    return one.deltaManifestList().equals(other.deltaManifestList());
  }

  private void add(Snapshot before, Snapshot snapshot, Set<BinaryRow> partitions) {
    if (snapshot.commitKind() == CommitKind.ANALYZE) {
      return;
    }
    for (ManifestFile manifest : storage.deltaManifests(snapshot)) {
      for (ManifestEntry entry :
          storage.manifests().entries(manifest, StatsProjection.SKIP, EntryFilter.ALL)) {
        if (partitions.contains(entry.partition())) {
          add(entry, snapshot.commitKind());
        }
      }
    }
    if (snapshot.commitKind() != CommitKind.COMPACT) {
      unknown.addAll(indexChanges(before, snapshot, partitions));
    }
  }

  /** Compactions that move staged rows into buckets do add rows to these. */
  private void add(ManifestEntry entry, CommitKind kind) {
    boolean isAddition = kind == CommitKind.APPEND && entry.kind() == EntryKind.ADD;
    boolean isStaged = entry.bucket() < 0;
    if (isAddition && !isStaged) {
      added
          .computeIfAbsent(
              new Bucket(entry.partition(), entry.bucket()), bucket -> new ArrayList<>())
          .add(entry);
    } else if (!isAddition && (isStaged || kind != CommitKind.COMPACT)) {
      unknown.add(entry.partition());
    }
  }

  private Set<BinaryRow> indexChanges(
      Snapshot before, Snapshot snapshot, Set<BinaryRow> partitions) {
    Set<IndexEntry> old = new HashSet<>(storage.indexEntries(before));
    Set<IndexEntry> now = new HashSet<>(storage.indexEntries(snapshot));
    Map<IndexEntry, Integer> seen = new HashMap<>();
    old.forEach(entry -> seen.merge(entry, 1, Integer::sum));
    now.forEach(entry -> seen.merge(entry, 1, Integer::sum));
    Set<BinaryRow> changed = new HashSet<>();
    seen.forEach(
        (entry, count) -> {
          if (count == 1 && partitions.contains(entry.partition())) {
            changed.add(entry.partition());
          }
        });
    return changed;
  }
}
