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

package io.keylake.table.reference;

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which files have to go and which have to come for one version to become another one.
 *
 * <ol>
 *   <li>A file that both have, on the same level, stays.
 *   <li>Staged files of a partition stay all or none: their order counts.
 *   <li>An index file that both have stays, unless it speaks of a data file that has to come: that
 *       file comes under another name.
 * </ol>
 *
 * @param kept data files that stay
 * @param removed data files that only the first version has
 * @param added data files that only the second version has, in the order they were added in
 * @param removedIndexes index files that go
 * @param addedIndexes index files of the second version that come
 */
public record VersionDifference(
    List<ManifestEntry> kept,
    List<ManifestEntry> removed,
    List<ManifestEntry> added,
    List<IndexEntry> removedIndexes,
    List<IndexEntry> addedIndexes) {
  private record Place(BinaryRow partition, int bucket, String name) {
    static Place of(IndexEntry entry) {
      return new Place(entry.partition(), entry.bucket(), entry.file().name());
    }

    static Place of(ManifestEntry entry) {
      return new Place(entry.partition(), entry.bucket(), entry.file().name());
    }
  }

  /** Copies the lists. */
  public VersionDifference {
    kept = List.copyOf(kept);
    removed = List.copyOf(removed);
    added = List.copyOf(added);
    removedIndexes = List.copyOf(removedIndexes);
    addedIndexes = List.copyOf(addedIndexes);
  }

  /** The difference from one version to another one of the same branch. */
  public static VersionDifference between(TableStorage storage, Snapshot from, Snapshot to) {
    List<ManifestEntry> before = LiveEntries.of(storage, from, StatsProjection.KEEP);
    List<ManifestEntry> after = LiveEntries.of(storage, to, StatsProjection.KEEP);
    Set<FileIdentity> staying = identities(after);
    staying.retainAll(identities(before));
    Set<BinaryRow> restaged =
        after.stream()
            .filter(entry -> isStaged(entry) && !staying.contains(FileIdentity.of(entry)))
            .map(ManifestEntry::partition)
            .collect(Collectors.toSet());
    List<ManifestEntry> kept = new ArrayList<>();
    List<ManifestEntry> added = new ArrayList<>();
    for (ManifestEntry entry : after) {
      boolean stays =
          staying.contains(FileIdentity.of(entry))
              && !(isStaged(entry) && restaged.contains(entry.partition()));
      (stays ? kept : added).add(entry);
    }
    Set<FileIdentity> keptFiles = identities(kept);
    List<ManifestEntry> removed =
        before.stream().filter(entry -> !keptFiles.contains(FileIdentity.of(entry))).toList();
    return withIndexes(kept, removed, added, storage.indexEntries(from), storage.indexEntries(to));
  }

  private static boolean isStaged(ManifestEntry entry) {
    return entry.bucket() == TableLayout.POSTPONE_BUCKET;
  }

  private static Set<FileIdentity> identities(List<ManifestEntry> entries) {
    return entries.stream()
        .map(FileIdentity::of)
        .collect(Collectors.toCollection(() -> new HashSet<>(entries.size() * 2)));
  }

  private static VersionDifference withIndexes(
      List<ManifestEntry> kept,
      List<ManifestEntry> removed,
      List<ManifestEntry> added,
      List<IndexEntry> before,
      List<IndexEntry> after) {
    Set<Place> renamed = added.stream().map(Place::of).collect(Collectors.toSet());
    Set<Place> existing = before.stream().map(Place::of).collect(Collectors.toSet());
    Set<Place> staying =
        after.stream()
            .filter(entry -> existing.contains(Place.of(entry)) && !speaksOf(entry, renamed))
            .map(Place::of)
            .collect(Collectors.toSet());
    return new VersionDifference(
        kept,
        removed,
        added,
        before.stream().filter(entry -> !staying.contains(Place.of(entry))).toList(),
        after.stream().filter(entry -> !staying.contains(Place.of(entry))).toList());
  }

  private static boolean speaksOf(IndexEntry entry, Set<Place> files) {
    List<DeletionVectorRef> vectors = entry.file().deletionVectors();
    return vectors != null
        && vectors.stream()
            .map(ref -> new Place(entry.partition(), entry.bucket(), ref.dataFile()))
            .anyMatch(files::contains);
  }

  /** Whether both versions have the same files. */
  public boolean isEmpty() {
    return removed.isEmpty()
        && added.isEmpty()
        && removedIndexes.isEmpty()
        && addedIndexes.isEmpty();
  }
}
