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
import io.keylake.format.errors.Condition;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether the changes of a commit fit what the newest snapshot holds.
 *
 * <ol>
 *   <li>Bucket count: all entries of a partition with a positive number of buckets agree on it.
 *   <li>Files: no file is added twice or added although it is alive; every removed file is alive.
 *   <li>Levels: on a level above 0 of a bucket, sorted by smallest key, the largest key of a file
 *       is below the smallest of the next.
 *   <li>Strict mode: since the last safe snapshot no other user compacted or overwrote, nor, for an
 *       overwrite, added files to a bucket.
 * </ol>
 *
 * <p>All failures are {@link CommitConflictException} with KEYLAKE_CONCURRENT_MODIFICATION.
 *
 * <p>Rule source: table format, conflict detection and strict mode. Pinned by {@code
 * TableCommitterTest}.
 */
final class ConflictCheck {
  private record Level(BinaryRow partition, int bucket, int level) {}

  private final String table;
  private final TableSchema schema;
  private final BinaryRowCodec partitions;

  ConflictCheck(String table, TableSchema schema) {
    this.table = table;
    this.schema = schema;
    this.partitions = BinaryRowCodec.of(schema.partitionType());
  }

  static List<ManifestEntry> added(Collection<ManifestEntry> entries) {
    return entries.stream().filter(entry -> entry.kind() == EntryKind.ADD).toList();
  }

  /** Rule 1: {@code before} are live files or files added since the job began. */
  void bucketCounts(Collection<ManifestEntry> before, List<ManifestEntry> added) {
    Map<BinaryRow, ManifestEntry> counts = new HashMap<>();
    for (ManifestEntry entry : added) {
      checkCount(counts, entry);
    }
    for (ManifestEntry entry : before) {
      if (counts.containsKey(entry.partition())) {
        checkCount(counts, entry);
      }
    }
  }

  private void checkCount(Map<BinaryRow, ManifestEntry> counts, ManifestEntry entry) {
    if (entry.totalBuckets() <= 0) {
      return;
    }
    ManifestEntry known = counts.putIfAbsent(entry.partition(), entry);
    if (known != null && known.totalBuckets() != entry.totalBuckets()) {
      throw conflict(
          "Partition "
              + text(entry.partition())
              + " has "
              + entry.totalBuckets()
              + " buckets, but rows were written for "
              + known.totalBuckets()
              + ": another commit changed their number after they were read.");
    }
  }

  /** Rules 2 and 3: {@code live} are the live files of the touched partitions. */
  void files(Map<FileIdentity, ManifestEntry> live, PhaseChanges changes) {
    Set<FileIdentity> after = new HashSet<>(live.keySet());
    for (ManifestEntry entry : changes.removed()) {
      if (!after.remove(FileIdentity.of(entry))) {
        throw conflict(
            "Data file "
                + entry.file().name()
                + " of bucket "
                + entry.bucket()
                + " in partition "
                + text(entry.partition())
                + " was removed by another commit.");
      }
    }
    for (ManifestEntry entry : changes.added()) {
      if (!after.add(FileIdentity.of(entry))) {
        throw conflict("Data file " + entry.file().name() + " is part of the table already.");
      }
    }
    if (schema.hasPrimaryKey()) {
      levels(live, changes);
    }
  }

  private void levels(Map<FileIdentity, ManifestEntry> live, PhaseChanges changes) {
    Set<Level> touched = new HashSet<>();
    changes.added().stream()
        .filter(entry -> entry.file().level() > 0)
        .forEach(entry -> touched.add(level(entry)));
    if (touched.isEmpty()) {
      return;
    }
    Set<FileIdentity> removed = new HashSet<>();
    changes.removed().forEach(entry -> removed.add(FileIdentity.of(entry)));
    Map<Level, List<ManifestEntry>> files = new HashMap<>();
    live.forEach(
        (identity, entry) -> {
          if (touched.contains(level(entry)) && !removed.contains(identity)) {
            files.computeIfAbsent(level(entry), key -> new ArrayList<>()).add(entry);
          }
        });
    for (ManifestEntry entry : changes.added()) {
      if (entry.file().level() > 0) {
        files.computeIfAbsent(level(entry), key -> new ArrayList<>()).add(entry);
      }
    }
    files.forEach(this::checkLevel);
  }

  private static Level level(ManifestEntry entry) {
    return new Level(entry.partition(), entry.bucket(), entry.file().level());
  }

  private void checkLevel(Level level, List<ManifestEntry> files) {
    KeyComparator order = KeyComparator.of(schema.keyType());
    files.sort(Comparator.comparing(entry -> entry.file().minKey(), order));
    for (int i = 1; i < files.size(); i++) {
      ManifestEntry left = files.get(i - 1);
      ManifestEntry right = files.get(i);
      if (order.compare(left.file().maxKey(), right.file().minKey()) >= 0) {
        throw conflict(
            "Data files "
                + left.file().name()
                + " and "
                + right.file().name()
                + " would overlap on level "
                + level.level()
                + " of bucket "
                + level.bucket()
                + " in partition "
                + text(level.partition())
                + ": another commit compacted the bucket.");
      }
    }
  }

  /** Rule 4: {@code later} are the snapshots after the last safe one. */
  void strict(List<Snapshot> later, String user, CommitKind kind, Set<Long> addedToBuckets) {
    for (Snapshot snapshot : later) {
      if (snapshot.commitUser().equals(user)) {
        continue;
      }
      boolean unsafe =
          switch (snapshot.commitKind()) {
            case COMPACT, OVERWRITE -> true;
            case APPEND -> kind == CommitKind.OVERWRITE && addedToBuckets.contains(snapshot.id());
            case ANALYZE -> false;
          };
      if (unsafe) {
        throw conflict(
            "Snapshot "
                + snapshot.id()
                + " ("
                + snapshot.commitKind()
                + ") by "
                + snapshot.commitUser()
                + " came after the last safe snapshot of strict mode.");
      }
    }
  }

  CommitConflictException conflict(String what) {
    return new CommitConflictException(
        Condition.KEYLAKE_CONCURRENT_MODIFICATION,
        "Cannot commit to table "
            + table
            + ". "
            + what
            + " Nothing of this commit is visible; run the statement again.");
  }

  String text(BinaryRow partition) {
    if (partitions.type().size() == 0) {
      return "(none)";
    }
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < partitions.type().size(); i++) {
      parts.add(partitions.type().field(i).name() + "=" + partitions.value(partition, i));
    }
    return String.join("/", parts);
  }
}
