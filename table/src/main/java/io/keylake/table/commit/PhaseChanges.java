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
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.CommitKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What one snapshot changes.
 *
 * @param kind the kind of the snapshot
 * @param removed DELETE entries; written before {@code added}, see the format's rule on promoting
 * @param added ADD entries
 * @param changelog ADD entries of changelog files
 * @param removedIndexes index files that are no longer valid
 * @param addedIndexes new index files
 */
record PhaseChanges(
    CommitKind kind,
    List<ManifestEntry> removed,
    List<ManifestEntry> added,
    List<ManifestEntry> changelog,
    List<IndexEntry> removedIndexes,
    List<IndexEntry> addedIndexes) {
  PhaseChanges {
    removed = List.copyOf(removed);
    added = List.copyOf(added);
    changelog = List.copyOf(changelog);
    removedIndexes = List.copyOf(removedIndexes);
    addedIndexes = List.copyOf(addedIndexes);
  }

  /**
   * What the tasks wrote, as an addition: APPEND, or OVERWRITE when it takes files away or changes
   * deletion vectors.
   */
  static PhaseChanges written(List<BucketChange> changes) {
    PhaseChanges phase = of(CommitKind.APPEND, changes, BucketChange::written);
    boolean removes =
        !phase.removed().isEmpty()
            || Stream.concat(phase.removedIndexes().stream(), phase.addedIndexes().stream())
                .anyMatch(PhaseChanges::holdsVectors);
    return removes ? phase.ofKind(CommitKind.OVERWRITE) : phase;
  }

  /** What the tasks compacted. */
  static PhaseChanges compacted(List<BucketChange> changes) {
    return of(CommitKind.COMPACT, changes, BucketChange::compacted);
  }

  private static PhaseChanges of(
      CommitKind kind, List<BucketChange> changes, Function<BucketChange, FileChanges> part) {
    List<ManifestEntry> removed = new ArrayList<>();
    List<ManifestEntry> added = new ArrayList<>();
    List<ManifestEntry> changelog = new ArrayList<>();
    List<IndexEntry> removedIndexes = new ArrayList<>();
    List<IndexEntry> addedIndexes = new ArrayList<>();
    for (BucketChange change : changes) {
      FileChanges files = part.apply(change);
      files.removed().forEach(file -> removed.add(entry(EntryKind.DELETE, change, file)));
      files.added().forEach(file -> added.add(entry(EntryKind.ADD, change, file)));
      files.changelog().forEach(file -> changelog.add(entry(EntryKind.ADD, change, file)));
      files.removedIndexes().forEach(file -> removedIndexes.add(index(change, file)));
      files.addedIndexes().forEach(file -> addedIndexes.add(index(change, file)));
    }
    return new PhaseChanges(kind, removed, added, changelog, removedIndexes, addedIndexes);
  }

  private static ManifestEntry entry(EntryKind kind, BucketChange change, DataFile file) {
    return new ManifestEntry(
        kind, change.partition(), change.bucket(), change.totalBuckets(), file);
  }

  private static IndexEntry index(BucketChange change, IndexFile file) {
    return new IndexEntry(change.partition(), change.bucket(), file);
  }

  /** The same as a snapshot of another kind. */
  PhaseChanges ofKind(CommitKind newKind) {
    return new PhaseChanges(newKind, removed, added, changelog, removedIndexes, addedIndexes);
  }

  /** The same with other ADD entries. */
  PhaseChanges withAdded(List<ManifestEntry> others) {
    return new PhaseChanges(kind, removed, others, changelog, removedIndexes, addedIndexes);
  }

  /** The same without the added files that {@code drop} names. */
  PhaseChanges withoutAdded(Set<FileIdentity> drop) {
    return new PhaseChanges(
        kind,
        removed,
        added.stream().filter(entry -> !drop.contains(FileIdentity.of(entry))).toList(),
        changelog,
        removedIndexes,
        addedIndexes);
  }

  /** The same with index files of deletion vectors only. */
  PhaseChanges ofVectors() {
    return new PhaseChanges(
        kind,
        removed,
        added,
        changelog,
        removedIndexes.stream().filter(PhaseChanges::holdsVectors).toList(),
        addedIndexes.stream().filter(PhaseChanges::holdsVectors).toList());
  }

  private static boolean holdsVectors(IndexEntry index) {
    return index.file().type().equals(IndexFile.DELETION_VECTORS);
  }

  boolean isEmpty() {
    return removed.isEmpty()
        && added.isEmpty()
        && changelog.isEmpty()
        && removedIndexes.isEmpty()
        && addedIndexes.isEmpty();
  }

  /** Removed, then added entries. */
  List<ManifestEntry> entries() {
    return Stream.concat(removed.stream(), added.stream()).toList();
  }

  Set<BinaryRow> partitions() {
    Set<BinaryRow> partitions = new LinkedHashSet<>();
    entries().forEach(entry -> partitions.add(entry.partition()));
    removedIndexes.forEach(entry -> partitions.add(entry.partition()));
    addedIndexes.forEach(entry -> partitions.add(entry.partition()));
    return partitions;
  }
}
