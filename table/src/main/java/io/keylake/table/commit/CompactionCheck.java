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

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.bucket.BucketMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which compactions of a request still fit what the newest snapshot holds. Files that others put on
 * level 0 meanwhile are in nobody's way. Changes are looked at in their order, each on top of those
 * before it; a change that does not fit takes all changes of its group with it: of its bucket, of
 * its partition where rows move from staging into buckets, none where files have no buckets.
 *
 * <ol>
 *   <li>Every removed file is alive, every added one is new.
 *   <li>Files of the bucket agree on the partition's number of buckets.
 *   <li>No file overlaps another of its level, above level 0.
 *   <li>Every removed index file is there. A removed data file has the deletion vector that the
 *       removed index files name for it, or none when they name none; a file that only moves to
 *       another level keeps whatever vector it has.
 *   <li>With one index file per bucket, a new one takes the place of a removed one or of none.
 *   <li>New deletion vectors belong to files that are alive, and no file has two.
 * </ol>
 *
 * <p>Example of rule 6: a compaction of level 0 marked a row of file h, another one has rewritten h
 * meanwhile; without the rule the old version of the row would come back.
 *
 * <p>Rule source: table format, conflict detection and deletion vectors. Pinned by {@code
 * CompactionCommitTest}.
 */
final class CompactionCheck {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionCheck.class);

  private record Bucket(BinaryRow partition, int bucket) {
    static Bucket of(BucketChange change) {
      return new Bucket(change.partition(), change.bucket());
    }

    static Bucket of(ManifestEntry entry) {
      return new Bucket(entry.partition(), entry.bucket());
    }

    static Bucket of(IndexEntry entry) {
      return new Bucket(entry.partition(), entry.bucket());
    }
  }

  private record Group(BinaryRow partition, int bucket, int change) {}

  private record Vector(String indexFile, DeletionVectorRef ref) {}

  private record Contents(Map<FileIdentity, ManifestEntry> live, List<IndexEntry> indexes) {
    Contents() {
      this(new LinkedHashMap<>(), new ArrayList<>());
    }

    void addAll(Contents other) {
      live.putAll(other.live);
      indexes.addAll(other.indexes);
    }
  }

  private final String table;
  private final BucketMode mode;
  private final ConflictCheck check;
  private final Map<Bucket, Contents> contents = new HashMap<>();

  /**
   * A check against one snapshot.
   *
   * @param live live files of the touched buckets
   * @param indexes index files of the touched buckets
   */
  CompactionCheck(
      CommitTable table,
      ConflictCheck check,
      Collection<ManifestEntry> live,
      Collection<IndexEntry> indexes) {
    this.table = table.name();
    this.mode = BucketMode.of(table.schema());
    this.check = check;
    live.forEach(entry -> contents(Bucket.of(entry)).live().put(FileIdentity.of(entry), entry));
    indexes.forEach(entry -> contents(Bucket.of(entry)).indexes().add(entry));
  }

  private Contents contents(Bucket bucket) {
    return contents.computeIfAbsent(bucket, key -> new Contents());
  }

  /** The same changes, without the compactions that do not fit. Asked once. */
  List<BucketChange> fitting(List<BucketChange> changes) {
    Map<Group, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < changes.size(); i++) {
      if (!changes.get(i).compacted().isEmpty()) {
        groups.computeIfAbsent(group(changes.get(i), i), group -> new ArrayList<>()).add(i);
      }
    }
    List<BucketChange> fitting = new ArrayList<>(changes);
    for (List<Integer> group : groups.values()) {
      if (!fits(group.stream().map(changes::get).toList())) {
        group.forEach(i -> fitting.set(i, changes.get(i).withoutCompaction()));
      }
    }
    return fitting;
  }

  private Group group(BucketChange change, int position) {
    if (mode instanceof BucketMode.Unaware) {
      return new Group(change.partition(), change.bucket(), position);
    }
    boolean isWhole = mode instanceof BucketMode.Postpone;
    return new Group(change.partition(), isWhole ? 0 : change.bucket(), 0);
  }

  private boolean fits(List<BucketChange> group) {
    PhaseChanges changes = PhaseChanges.compacted(group);
    Set<Bucket> buckets = group.stream().map(Bucket::of).collect(Collectors.toSet());
    if (mode instanceof BucketMode.Postpone) {
      BinaryRow partition = group.get(0).partition();
      contents.keySet().stream()
          .filter(bucket -> bucket.partition().equals(partition))
          .forEach(buckets::add);
    }
    try {
      check(changes, together(buckets));
    } catch (CommitConflictException e) {
      BucketChange first = group.get(0);
      LOG.warn(
          "The compaction of bucket {} in partition {} of table {} is dropped: {}",
          first.bucket(),
          check.text(first.partition()),
          table,
          e.getMessage());
      return false;
    }
    apply(changes);
    return true;
  }

  /**
   * Rules 4 to 6 for what was written, where it takes files away or changes deletion vectors: rows
   * of these files that another commit deleted meanwhile must not come back.
   */
  void checkVectors(List<BucketChange> changes) {
    Map<Bucket, List<BucketChange>> byBucket = new LinkedHashMap<>();
    for (BucketChange change : changes) {
      byBucket.computeIfAbsent(Bucket.of(change), bucket -> new ArrayList<>()).add(change);
    }
    byBucket.forEach(
        (bucket, ofBucket) ->
            vectors(PhaseChanges.written(ofBucket).ofVectors(), contents(bucket)));
  }

  private Contents together(Set<Bucket> buckets) {
    if (buckets.size() == 1) {
      return contents(buckets.iterator().next());
    }
    Contents all = new Contents();
    buckets.forEach(bucket -> all.addAll(contents(bucket)));
    return all;
  }

  private void apply(PhaseChanges changes) {
    for (ManifestEntry entry : changes.removed()) {
      contents(Bucket.of(entry)).live().remove(FileIdentity.of(entry));
    }
    for (ManifestEntry entry : changes.added()) {
      contents(Bucket.of(entry)).live().put(FileIdentity.of(entry), entry);
    }
    for (IndexEntry entry : changes.removedIndexes()) {
      contents(Bucket.of(entry)).indexes().removeIf(present -> isSameFile(present, entry));
    }
    for (IndexEntry entry : changes.addedIndexes()) {
      contents(Bucket.of(entry)).indexes().add(entry);
    }
  }

  private void check(PhaseChanges changes, Contents before) {
    check.bucketCounts(before.live().values(), changes.entries());
    check.files(before.live(), changes);
    vectors(changes, before);
  }

  private void vectors(PhaseChanges changes, Contents before) {
    List<IndexEntry> staying = staying(before.indexes(), changes.removedIndexes());
    vectorsOfInputs(changes, before.indexes());
    if (!(mode instanceof BucketMode.Unaware)) {
      oneIndexPerBucket(staying, changes.addedIndexes());
    }
    newVectors(changes, before.live().values(), staying);
  }

  private List<IndexEntry> staying(List<IndexEntry> before, List<IndexEntry> removed) {
    List<IndexEntry> staying = new ArrayList<>(before);
    for (IndexEntry entry : removed) {
      if (!staying.removeIf(present -> isSameFile(present, entry))) {
        throw check.conflict(
            "Index file " + entry.file().name() + " was replaced by another commit.");
      }
    }
    return staying;
  }

  private static boolean isSameFile(IndexEntry one, IndexEntry other) {
    return one.file().name().equals(other.file().name()) && Bucket.of(one).equals(Bucket.of(other));
  }

  private void vectorsOfInputs(PhaseChanges changes, List<IndexEntry> present) {
    Map<String, Vector> used = vectors(changes.removedIndexes());
    Map<String, Vector> current = vectors(present);
    Set<String> moved = names(changes.added());
    for (ManifestEntry entry : changes.removed()) {
      String file = entry.file().name();
      if (!moved.contains(file) && !Objects.equals(used.get(file), current.get(file))) {
        throw check.conflict("Another commit deleted rows of data file " + file + ".");
      }
    }
  }

  private static Map<String, Vector> vectors(List<IndexEntry> indexes) {
    Map<String, Vector> vectors = new HashMap<>();
    for (IndexEntry entry : indexes) {
      refs(entry).forEach(ref -> vectors.put(ref.dataFile(), new Vector(entry.file().name(), ref)));
    }
    return vectors;
  }

  private static List<DeletionVectorRef> refs(IndexEntry entry) {
    List<DeletionVectorRef> refs = entry.file().deletionVectors();
    return refs == null ? List.of() : refs;
  }

  private static Set<String> names(List<ManifestEntry> entries) {
    return entries.stream().map(entry -> entry.file().name()).collect(Collectors.toSet());
  }

  private void oneIndexPerBucket(List<IndexEntry> staying, List<IndexEntry> added) {
    for (IndexEntry mine : added) {
      for (IndexEntry other : staying) {
        if (mine.file().type().equals(other.file().type())
            && Bucket.of(mine).equals(Bucket.of(other))) {
          throw check.conflict(
              "Index file " + other.file().name() + " was put in place by another commit.");
        }
      }
    }
  }

  private void newVectors(
      PhaseChanges changes, Collection<ManifestEntry> before, List<IndexEntry> staying) {
    if (changes.addedIndexes().stream().allMatch(entry -> refs(entry).isEmpty())) {
      return;
    }
    Set<String> alive =
        before.stream().map(entry -> entry.file().name()).collect(Collectors.toSet());
    alive.removeAll(names(changes.removed()));
    alive.addAll(names(changes.added()));
    Map<String, Vector> others = vectors(staying);
    for (IndexEntry entry : changes.addedIndexes()) {
      for (DeletionVectorRef ref : refs(entry)) {
        if (!alive.contains(ref.dataFile())) {
          throw check.conflict("Data file " + ref.dataFile() + " was removed by another commit.");
        }
        if (others.containsKey(ref.dataFile())) {
          throw check.conflict(
              "Another commit deleted rows of data file " + ref.dataFile() + ", too.");
        }
      }
    }
  }
}
