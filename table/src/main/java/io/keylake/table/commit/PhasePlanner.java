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
import io.keylake.format.index.IndexEntry;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.RowType;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.CommitOptions;
import io.keylake.table.scan.ReadRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says what a snapshot has to change on top of the newest one, after checking that it may. Asked
 * again at every try.
 */
final class PhasePlanner {
  private final CommitTable table;
  private final @Nullable SequenceRebase rebase;
  private final BaseFiles baseFiles;
  private final ConflictCheck check;
  private final HashIndexCheck hashIndexes;
  private final OverwritePlan overwritePlan;

  PhasePlanner(CommitTable table, @Nullable SequenceRebase rebase, Ids ids) {
    this.table = table;
    this.rebase = rebase;
    this.baseFiles = new BaseFiles(table);
    this.check = new ConflictCheck(table.name(), table.schema());
    this.hashIndexes = new HashIndexCheck(table, check, ids);
    this.overwritePlan = new OverwritePlan(table);
  }

  /**
   * What to commit.
   *
   * @param changes what the snapshot changes
   * @param request the request, with new sequence numbers where they were needed and without
   *     compactions that another commit is in the way of
   * @param isNothing whether there is nothing to commit after all
   */
  record Plan(PhaseChanges changes, CommitRequest request, boolean isNothing) {}

  private record Committed(EntryKind kind, FileIdentity file) {
    static Committed of(ManifestEntry entry) {
      return new Committed(entry.kind(), FileIdentity.of(entry));
    }
  }

  /** Whether the written part makes a snapshot. */
  boolean hasWrite(CommitRequest request) {
    if (request.overwrite() != null) {
      return true;
    }
    if (!PhaseChanges.written(request.changes()).isEmpty()) {
      return true;
    }
    if (request.empty() == CommitRequest.EmptyWrite.MERGES_MANIFESTS) {
      return false;
    }
    boolean onlyCompaction =
        request.changes().stream().anyMatch(change -> !change.compacted().isEmpty());
    return recordsEmpty(request) && !onlyCompaction;
  }

  private boolean recordsEmpty(CommitRequest request) {
    Boolean ignore = table.options().commit().ignoreEmpty();
    return ignore == null ? request.empty() == CommitRequest.EmptyWrite.RECORDED : !ignore;
  }

  Plan plan(CommitRequest request, OwnCommits.Phase phase, @Nullable Snapshot latest) {
    if (phase == OwnCommits.Phase.COMPACT) {
      return compaction(request, latest);
    }
    OverwriteScope scope = request.overwrite();
    if (scope instanceof OverwriteScope.NamedFiles named) {
      return exchange(request, named.version(), latest);
    }
    return scope == null ? addition(request, latest) : overwrite(request, scope, latest);
  }

  private Plan overwrite(CommitRequest request, OverwriteScope scope, @Nullable Snapshot latest) {
    TouchedPartitions partitions = overwritePlan.partitions(scope, request.changes());
    Map<FileIdentity, ManifestEntry> live =
        baseFiles.live(latest, partitions, StatsProjection.KEEP);
    PhaseChanges changes =
        overwritePlan.plan(
            request.changes(), partitions, live.values(), baseFiles.indexes(latest, partitions));
    check.bucketCounts(List.of(), changes.added());
    check.files(live, changes);
    checkStrict(request, changes.kind(), latest);
    if (latest != null) {
      checkKeys(request, latest);
    }
    return new Plan(changes, request, changes.isEmpty() && !recordsEmpty(request));
  }

  private Plan exchange(CommitRequest request, Snapshot version, @Nullable Snapshot latest) {
    if (latest == null
        || latest.id() != version.id()
        || !latest.deltaManifestList().equals(version.deltaManifestList())) {
      throw check.conflict("Another commit came after the files to replace had been chosen.");
    }
    PhaseChanges changes = PhaseChanges.written(request.changes()).ofKind(CommitKind.OVERWRITE);
    Map<FileIdentity, ManifestEntry> live = live(changes, latest);
    check.files(live, changes);
    check.bucketCounts(staying(live, changes), changes.added());
    checkStrict(request, changes.kind(), latest);
    return new Plan(changes, request, changes.isEmpty());
  }

  private Plan addition(CommitRequest request, @Nullable Snapshot latest) {
    PhaseChanges changes = PhaseChanges.written(request.changes());
    HashIndexCheck.Union union = hashIndexes.check(request, latest);
    if (latest == null) {
      check.bucketCounts(List.of(), changes.added());
      check.files(Map.of(), changes);
      return new Plan(changes, request, false);
    }
    boolean discards =
        changes.kind() == CommitKind.APPEND && table.options().commit().discardDuplicates();
    boolean checksFiles =
        discards
            || changes.kind() == CommitKind.OVERWRITE
            || request.checks().contains(CommitRequest.Check.FILES);
    Collection<ManifestEntry> others;
    Set<FileIdentity> discarded = Set.of();
    if (checksFiles) {
      Map<FileIdentity, ManifestEntry> live = live(changes, latest);
      if (discards) {
        discarded = live.keySet();
        changes = changes.withoutAdded(discarded);
      }
      check.files(live, changes);
      if (changes.kind() == CommitKind.OVERWRITE) {
        List<IndexEntry> indexes = baseFiles.indexes(latest, touched(changes));
        new CompactionCheck(table, check, live.values(), indexes).checkVectors(request.changes());
      }
      others = staying(live, changes);
    } else {
      others = addedMeanwhile(request, changes, latest);
    }
    check.bucketCounts(others, changes.added());
    checkStrict(request, changes.kind(), latest);
    checkKeys(request, latest);
    checkReads(request, latest);
    CommitRequest adjusted = hashIndexes.unite(rebase(request, others), union);
    return adjusted.equals(request)
        ? new Plan(changes, request, false)
        : new Plan(
            PhaseChanges.written(adjusted.changes()).withoutAdded(discarded), adjusted, false);
  }

  private static Collection<ManifestEntry> staying(
      Map<FileIdentity, ManifestEntry> live, PhaseChanges changes) {
    Map<FileIdentity, ManifestEntry> staying = new LinkedHashMap<>(live);
    changes.removed().forEach(entry -> staying.remove(FileIdentity.of(entry)));
    return staying.values();
  }

  /** Fails when another commit has changed rows of keys that the request asks to be unchanged. */
  void checkKeys(CommitRequest request, Snapshot latest) {
    if (!request.checks().contains(CommitRequest.Check.KEYS_UNCHANGED)) {
      return;
    }
    boolean isCrossing = BucketMode.of(table.schema()) instanceof BucketMode.CrossPartition;
    List<ManifestEntry> others =
        baseFiles
            .rowChangesSince(
                request.base(),
                latest,
                isCrossing
                    ? TouchedPartitions.where(any -> true, table.schema().partitionType())
                    : reliedOn(request))
            .orElseThrow(this::basisGone);
    KeyRangeCheck ranges = new KeyRangeCheck(table.schema());
    (isCrossing
            ? ranges.firstChangedAnywhere(request, others)
            : ranges.firstChanged(request, others))
        .ifPresent(
            keys -> {
              throw check.conflict(
                  "Another commit wrote keys of bucket "
                      + keys.bucket()
                      + " in partition "
                      + check.text(keys.partition())
                      + " after the statement had read their rows.");
            });
  }

  private TouchedPartitions reliedOn(CommitRequest request) {
    Set<BinaryRow> partitions = new HashSet<>();
    request.changes().forEach(change -> partitions.add(change.partition()));
    request.guards().forEach(guard -> partitions.add(guard.partition()));
    return TouchedPartitions.of(partitions, table.schema().partitionType());
  }

  /** Fails when another commit has changed what the request's statement has read. */
  private void checkReads(CommitRequest request, Snapshot latest) {
    ReadRange reads = request.reads();
    if (reads == null) {
      return;
    }
    for (Snapshot snapshot :
        baseFiles.changingSince(request.base(), latest).orElseThrow(this::basisGone)) {
      if (baseFiles.changes(snapshot, reads)) {
        throw check.conflict(
            "Snapshot "
                + snapshot.id()
                + " ("
                + snapshot.properties().getOrDefault(Snapshot.OPERATION, "a write")
                + ") changed rows that the statement's conditions may select, after it had read"
                + " them; 'isolation-level' = 'snapshot' allows that.");
      }
    }
  }

  private CommitConflictException basisGone() {
    return check.conflict("The snapshots since the one that the statement has read are gone.");
  }

  private Map<FileIdentity, ManifestEntry> live(PhaseChanges changes, @Nullable Snapshot latest) {
    TouchedPartitions partitions = touched(changes);
    return baseFiles.live(latest, partitions, StatsProjection.SKIP);
  }

  private TouchedPartitions touched(PhaseChanges changes) {
    return TouchedPartitions.of(changes.partitions(), table.schema().partitionType());
  }

  private Collection<ManifestEntry> addedMeanwhile(
      CommitRequest request, PhaseChanges changes, Snapshot latest) {
    Snapshot base = request.base();
    Optional<List<ManifestEntry>> added =
        base == null ? Optional.empty() : baseFiles.addedSince(base, latest, touched(changes));
    return added.isPresent() ? added.get() : live(changes, latest).values();
  }

  private CommitRequest rebase(CommitRequest request, Collection<ManifestEntry> others) {
    if (!table.schema().hasPrimaryKey()) {
      return request;
    }
    List<OptionalLong> numbers =
        new KeyRangeCheck(table.schema()).firstNumbers(request.changes(), others);
    if (numbers.stream().noneMatch(OptionalLong::isPresent)) {
      return request;
    }
    List<BucketChange> changes = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      BucketChange change = request.changes().get(i);
      OptionalLong first = numbers.get(i);
      changes.add(first.isPresent() ? rebase(change, first.getAsLong()) : change);
    }
    return request.withChanges(changes);
  }

  private BucketChange rebase(BucketChange change, long first) {
    if (rebase == null) {
      throw check.conflict(
          "Another commit wrote the same keys of bucket "
              + change.bucket()
              + " in partition "
              + check.text(change.partition())
              + " meanwhile.");
    }
    BucketChange rebased = rebase.rebase(change, first);
    return rebased.withoutCompaction();
  }

  private Plan compaction(CommitRequest request, @Nullable Snapshot latest) {
    checkStrict(request, CommitKind.COMPACT, latest);
    TouchedPartitions buckets = compactedBuckets(request);
    CompactionCheck fit =
        new CompactionCheck(
            table,
            check,
            baseFiles.live(latest, buckets, StatsProjection.SKIP).values(),
            baseFiles.indexes(latest, buckets));
    CommitRequest ordered = withoutOvertakenMoves(request, latest);
    CommitRequest fitting = ordered.withChanges(fit.fitting(ordered.changes()));
    PhaseChanges changes = PhaseChanges.compacted(fitting.changes());
    boolean mergesManifests = request.empty() == CommitRequest.EmptyWrite.MERGES_MANIFESTS;
    return new Plan(changes, fitting, changes.isEmpty() && !mergesManifests);
  }

  /**
   * Staged rows that are put into buckets are newer than what is there. Where another commit has
   * meanwhile added rows of the same keys with numbers that are as high, the move of the partition
   * is left out: it has to number its rows anew.
   */
  private CommitRequest withoutOvertakenMoves(CommitRequest request, @Nullable Snapshot latest) {
    Snapshot base = request.base();
    Set<BinaryRow> moved = new HashSet<>();
    for (BucketChange change : request.changes()) {
      if (change.bucket() == TableLayout.POSTPONE_BUCKET && !change.compacted().isEmpty()) {
        moved.add(change.partition());
      }
    }
    if (moved.isEmpty() || base == null || latest == null) {
      return request;
    }
    TouchedPartitions partitions = TouchedPartitions.of(moved, table.schema().partitionType());
    Collection<ManifestEntry> others =
        baseFiles
            .addedSince(base, latest, partitions)
            .orElseGet(
                () ->
                    List.copyOf(baseFiles.live(latest, partitions, StatsProjection.SKIP).values()));
    Set<BinaryRow> overtaken =
        new KeyRangeCheck(table.schema()).overtaken(request.changes(), others);
    return request.withChanges(
        request.changes().stream()
            .map(
                change ->
                    moved.contains(change.partition()) && overtaken.contains(change.partition())
                        ? change.withoutCompaction()
                        : change)
            .toList());
  }

  /** The buckets that are compacted; where staged rows give partitions buckets, all of these. */
  private TouchedPartitions compactedBuckets(CommitRequest request) {
    List<BucketChange> compacted =
        request.changes().stream().filter(change -> !change.compacted().isEmpty()).toList();
    RowType type = table.schema().partitionType();
    return BucketMode.of(table.schema()) instanceof BucketMode.Postpone
        ? TouchedPartitions.of(compacted.stream().map(BucketChange::partition).toList(), type)
        : TouchedPartitions.ofBuckets(compacted, type);
  }

  /** The request as it was committed by {@code own}: without the compactions that it left out. */
  CommitRequest asCommitted(CommitRequest request, OwnCommits.Phase phase, Snapshot own) {
    if (phase == OwnCommits.Phase.WRITE) {
      return request;
    }
    Set<Committed> committed =
        baseFiles.changes(own, compactedBuckets(request)).stream()
            .map(Committed::of)
            .collect(Collectors.toSet());
    return request.withChanges(
        request.changes().stream()
            .map(change -> isCommitted(change, committed) ? change : change.withoutCompaction())
            .toList());
  }

  /** Whether {@code own} added any file that the request has written. */
  boolean adds(Snapshot own, CommitRequest request) {
    Set<FileIdentity> written =
        PhaseChanges.written(request.changes()).added().stream()
            .map(FileIdentity::of)
            .collect(Collectors.toSet());
    List<BucketChange> changes = request.changes();
    TouchedPartitions partitions =
        TouchedPartitions.of(
            changes.stream().map(BucketChange::partition).toList(), table.schema().partitionType());
    return !written.isEmpty()
        && baseFiles.changes(own, partitions).stream()
            .anyMatch(entry -> written.contains(FileIdentity.of(entry)));
  }

  private static boolean isCommitted(BucketChange change, Set<Committed> committed) {
    return PhaseChanges.compacted(List.of(change)).entries().stream()
        .allMatch(entry -> committed.contains(Committed.of(entry)));
  }

  private void checkStrict(CommitRequest request, CommitKind kind, @Nullable Snapshot latest) {
    CommitOptions options = table.options().commit();
    Long safe = options.lastSafeSnapshot();
    if (safe == null || safe < 0 || latest == null) {
      return;
    }
    List<Snapshot> later = new ArrayList<>();
    Set<Long> addedToBuckets = new HashSet<>();
    for (long id = safe + 1; id <= latest.id(); id++) {
      Optional<Snapshot> snapshot = table.snapshots().find(id);
      snapshot.ifPresent(later::add);
      if (snapshot.isPresent() && kind == CommitKind.OVERWRITE && addsToBucket(snapshot.get())) {
        addedToBuckets.add(id);
      }
    }
    check.strict(later, request.user(), kind, addedToBuckets);
  }

  private boolean addsToBucket(Snapshot snapshot) {
    return table.storage().deltaManifests(snapshot).stream().anyMatch(PhasePlanner::holdsBucket);
  }

  private static boolean holdsBucket(ManifestFile manifest) {
    Integer max = manifest.maxBucket();
    return manifest.addedFiles() > 0 && (max == null || max >= 0);
  }
}
