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

import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.scan.ReadRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what the newest snapshot holds of the partitions that a commit touches. */
final class BaseFiles {
  private final CommitTable table;

  BaseFiles(CommitTable table) {
    this.table = table;
  }

  /** The live files; none without a snapshot. */
  Map<FileIdentity, ManifestEntry> live(
      @Nullable Snapshot snapshot, TouchedPartitions partitions, StatsProjection stats) {
    ManifestMerge merge = new ManifestMerge(table.layout().manifestFolder().path());
    if (snapshot != null) {
      partitions.read(
          table.manifests(), table.storage().dataManifests(snapshot), stats, merge::addAll);
    }
    Map<FileIdentity, ManifestEntry> live = new LinkedHashMap<>();
    merge.entries().forEach(entry -> live.put(FileIdentity.of(entry), entry));
    return live;
  }

  /** The index files; none without a snapshot. */
  List<IndexEntry> indexes(@Nullable Snapshot snapshot, TouchedPartitions partitions) {
    if (snapshot == null) {
      return List.of();
    }
    return table.storage().indexEntries(snapshot).stream()
        .filter(entry -> partitions.contains(entry.partition(), entry.bucket()))
        .toList();
  }

  /**
   * What the commits after {@code base} up to {@code latest} added and did not remove again; empty
   * when that cannot be told, because {@code base} is no ancestor or a snapshot has expired.
   */
  Optional<List<ManifestEntry>> addedSince(
      Snapshot base, Snapshot latest, TouchedPartitions partitions) {
    if (base.id() == latest.id() && isSame(base, latest)) {
      return Optional.of(List.of());
    }
    if (base.id() >= latest.id()
        || table.snapshots().find(base.id()).filter(found -> isSame(base, found)).isEmpty()) {
      return Optional.empty();
    }
    ManifestMerge merge = new ManifestMerge(table.layout().manifestFolder().path());
    for (long id = base.id() + 1; id <= latest.id(); id++) {
      Optional<Snapshot> snapshot = id == latest.id() ? Optional.of(latest) : find(id);
      if (snapshot.isEmpty()) {
        return Optional.empty();
      }
      List<ManifestFile> delta = table.storage().deltaManifests(snapshot.get());
      partitions.read(table.manifests(), delta, StatsProjection.SKIP, merge::addAll);
    }
    return Optional.of(ConflictCheck.added(merge.entries()));
  }

  /**
   * Every change that the commits after {@code base} up to {@code latest} made to rows: what they
   * added and what they removed, compactions aside; empty when that cannot be told. A null {@code
   * base} is an empty table.
   */
  Optional<List<ManifestEntry>> rowChangesSince(
      @Nullable Snapshot base, Snapshot latest, TouchedPartitions partitions) {
    return changingSince(base, latest)
        .map(
            snapshots -> {
              List<ManifestEntry> changes = new ArrayList<>();
              snapshots.forEach(snapshot -> changes.addAll(changes(snapshot, partitions)));
              return changes;
            });
  }

  /**
   * The commits after {@code base} up to {@code latest} that may have changed rows, compactions
   * aside; empty when that cannot be told. A null {@code base} is an empty table.
   */
  Optional<List<Snapshot>> changingSince(@Nullable Snapshot base, Snapshot latest) {
    if (base != null && base.id() == latest.id() && isSame(base, latest)) {
      return Optional.of(List.of());
    }
    boolean isAncestor =
        base == null
            || base.id() < latest.id()
                && table
                    .snapshots()
                    .find(base.id())
                    .filter(found -> isSame(base, found))
                    .isPresent();
    List<Snapshot> changing = new ArrayList<>();
    for (long id = base == null ? 1 : base.id() + 1; isAncestor && id <= latest.id(); id++) {
      Optional<Snapshot> snapshot = id == latest.id() ? Optional.of(latest) : find(id);
      if (snapshot.isEmpty()) {
        return Optional.empty();
      }
      if (snapshot.get().commitKind() != CommitKind.COMPACT) {
        changing.add(snapshot.get());
      }
    }
    return isAncestor ? Optional.of(changing) : Optional.empty();
  }

  /** Whether a snapshot itself added or removed a file that may have rows of the range. */
  boolean changes(Snapshot snapshot, ReadRange range) {
    boolean[] found = {false};
    TouchedPartitions.where(range::holds, table.schema().partitionType())
        .read(
            table.manifests(),
            table.storage().deltaManifests(snapshot),
            StatsProjection.KEEP,
            entries -> found[0] |= entries.stream().anyMatch(range::mayHold));
    return found[0];
  }

  /** What one snapshot itself changed. */
  List<ManifestEntry> changes(Snapshot snapshot, TouchedPartitions partitions) {
    List<ManifestEntry> entries = new ArrayList<>();
    partitions.read(
        table.manifests(),
        table.storage().deltaManifests(snapshot),
        StatsProjection.SKIP,
        entries::addAll);
    return entries;
  }

  private Optional<Snapshot> find(long id) {
    return table.snapshots().find(id);
  }

  private static boolean isSame(Snapshot one, Snapshot other) {
    return one.deltaManifestList().equals(other.deltaManifestList());
  }
}
