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
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.table.bucket.BucketMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an overwrite changes.
 *
 * <ol>
 *   <li>Every live file in scope is removed, then the new files are added; index files in scope are
 *       removed, changelog files of the job are left out. Staged files (bucket below 0) stay unless
 *       the table is a postpone table.
 *   <li>Every new file must be in scope. Where keys move between partitions, other partitions may
 *       get files, too: they are added to what is there.
 *   <li>On a primary-key table, when all new files are of level 0 in buckets of 0 and above, those
 *       of a bucket that do not overlap one another and hold no deletes go to the top level at
 *       once, unless the job compacted the bucket itself.
 * </ol>
 *
 * <p>Rule source: table format, what one job commits. Pinned by {@code OverwriteTest}.
 */
final class OverwritePlan {
  private record Bucket(BinaryRow partition, int bucket) {}

  private final CommitTable table;

  OverwritePlan(CommitTable table) {
    this.table = table;
  }

  /** The partitions that {@code scope} replaces. */
  TouchedPartitions partitions(OverwriteScope scope, List<BucketChange> changes) {
    var type = table.schema().partitionType();
    if (scope instanceof OverwriteScope.WrittenPartitions) {
      Set<BinaryRow> written = new HashSet<>();
      changes.stream()
          .filter(change -> !change.written().added().isEmpty())
          .forEach(change -> written.add(change.partition()));
      return TouchedPartitions.of(written, type);
    }
    if (scope instanceof OverwriteScope.Partitions selected) {
      for (BucketChange change : crossing() ? List.<BucketChange>of() : changes) {
        if (!selected.filter().test(change.partition())) {
          throw new InvalidRequestException(
              Condition.KEYLAKE_OVERWRITE_MISMATCH,
              "Rows of partition "
                  + new ConflictCheck(table.name(), table.schema()).text(change.partition())
                  + " cannot be written by an overwrite of "
                  + selected.text()
                  + " in table "
                  + table.name()
                  + ". Select only rows of the overwritten partitions.");
        }
      }
      return TouchedPartitions.where(selected.filter(), type);
    }
    return TouchedPartitions.where(partition -> true, type);
  }

  private boolean crossing() {
    return BucketMode.of(table.schema()) instanceof BucketMode.CrossPartition;
  }

  /** The changes, given what is live in these {@code replaced} partitions. */
  PhaseChanges plan(
      List<BucketChange> changes,
      TouchedPartitions replaced,
      Collection<ManifestEntry> live,
      List<IndexEntry> indexes) {
    boolean postpone = BucketMode.of(table.schema()) instanceof BucketMode.Postpone;
    List<ManifestEntry> removed =
        live.stream()
            .filter(entry -> postpone || entry.bucket() >= 0)
            .map(ManifestEntry::asDelete)
            .toList();
    PhaseChanges written = PhaseChanges.written(changes);
    if (!written.removed().isEmpty() || !written.removedIndexes().isEmpty()) {
      throw new IllegalArgumentException("An overwrite finds the files it removes itself");
    }
    return new PhaseChanges(
        CommitKind.OVERWRITE,
        removed,
        upgraded(written.added(), compactedBuckets(changes), replaced),
        List.of(),
        indexes,
        written.addedIndexes());
  }

  private static Set<Bucket> compactedBuckets(List<BucketChange> changes) {
    return changes.stream()
        .filter(change -> !change.compacted().isEmpty())
        .map(change -> new Bucket(change.partition(), change.bucket()))
        .collect(Collectors.toSet());
  }

  private List<ManifestEntry> upgraded(
      List<ManifestEntry> added, Set<Bucket> compacted, TouchedPartitions replaced) {
    boolean possible =
        table.options().commit().overwriteUpgrade()
            && table.schema().hasPrimaryKey()
            && added.stream().allMatch(entry -> entry.bucket() >= 0 && entry.file().level() == 0);
    if (!possible) {
      return added;
    }
    int top = table.options().compaction().levels() - 1;
    Map<Bucket, List<DataFile>> byBucket = new HashMap<>();
    added.forEach(
        entry -> byBucket.computeIfAbsent(bucket(entry), b -> new ArrayList<>()).add(entry.file()));
    Set<Bucket> rising = new HashSet<>();
    byBucket.forEach(
        (bucket, files) -> {
          boolean isReplaced = replaced.contains(bucket.partition(), bucket.bucket());
          if (isReplaced && !compacted.contains(bucket) && isSortedRun(files)) {
            rising.add(bucket);
          }
        });
    return added.stream()
        .map(entry -> rising.contains(bucket(entry)) ? withLevel(entry, top) : entry)
        .toList();
  }

  private static Bucket bucket(ManifestEntry entry) {
    return new Bucket(entry.partition(), entry.bucket());
  }

  private boolean isSortedRun(List<DataFile> files) {
    KeyComparator order = KeyComparator.of(table.schema().keyType());
    List<DataFile> sorted = new ArrayList<>(files);
    sorted.sort(Comparator.comparing(DataFile::minKey, order));
    for (int i = 0; i < sorted.size(); i++) {
      boolean overlaps =
          i > 0 && order.compare(sorted.get(i - 1).maxKey(), sorted.get(i).minKey()) >= 0;
      if (overlaps || sorted.get(i).mayHoldDeletes()) {
        return false;
      }
    }
    return true;
  }

  private static ManifestEntry withLevel(ManifestEntry entry, int level) {
    return new ManifestEntry(
        entry.kind(),
        entry.partition(),
        entry.bucket(),
        entry.totalBuckets(),
        entry.file().withLevel(level));
  }
}
