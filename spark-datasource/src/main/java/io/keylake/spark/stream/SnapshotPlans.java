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

package io.keylake.spark.stream;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.read.FullRead;
import io.keylake.spark.read.ReadTarget;
import io.keylake.spark.stream.StreamPosition.Phase;
import io.keylake.spark.stream.StreamView.Kind;
import io.keylake.table.changes.ChangeFile;
import io.keylake.table.changes.ChangeLog;
import io.keylake.table.changes.ChangeRules;
import io.keylake.table.changes.ChangeRules.Take;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.scan.FileTest;
import io.keylake.table.scan.PartitionOrder;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans what each snapshot gives to a query, once as long as it is remembered: a trigger reads the
 * manifests of new snapshots only. What is remembered is bounded by its number of pieces. For one
 * thread.
 */
final class SnapshotPlans {
  private static final int REMEMBERED_PIECES = 10_000;

  private final StreamTarget target;
  private final StreamOptions options;
  private final ChangeLog changes;
  private final ChangeSplits splits;
  private final ChangeRules rules;
  private final org.apache.spark.sql.connector.expressions.filter.Predicate[] conditions;
  private final ZoneId zone;
  private final Map<Key, PlannedSnapshot> remembered = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Long, TableSchema> fileSchemas = new HashMap<>();
  private long rememberedPieces;

  private record Key(Phase phase, long snapshotId, String manifestList) {}

  /**
   * Plans of a query.
   *
   * @param conditions rows that do not fulfil all of them may be left out
   * @param zone in which writers note the time of files
   */
  SnapshotPlans(
      StreamTarget target,
      StreamOptions options,
      org.apache.spark.sql.connector.expressions.filter.Predicate[] conditions,
      ZoneId zone) {
    this.target = target;
    this.options = options;
    this.conditions = conditions.clone();
    this.zone = zone;
    this.rules = rules(target, options);
    Predicate<BinaryRow> wanted = fullRead(null).wantedPartitions();
    this.changes =
        new ChangeLog(
            target.storage(), target.schema(), target.options(), new WantedPartitions(wanted));
    this.splits =
        new ChangeSplits(
            target,
            new FileTest(
                target.schema(), target.storage().schemas()::load, fullRead(null).skipping()));
  }

  private record WantedPartitions(Predicate<BinaryRow> wanted) implements EntryFilter {
    @Override
    public boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets) {
      return wanted.test(partition);
    }

    @Override
    public boolean keepsLevel(int level) {
      return true;
    }
  }

  private static ChangeRules rules(StreamTarget target, StreamOptions options) {
    boolean isKeyed = target.schema().hasPrimaryKey();
    return switch (target.view().kind()) {
      case CHANGES, WHOLE_CHANGES -> ChangeRules.exact();
      case ROWS, CHANGELOG, PAIRS -> {
        ChangeRules stored = ChangeRules.stream(target.options());
        ChangeRules rules =
            isKeyed && stored.append() == Take.ADDED_FILES
                ? stored.withStatements(Take.DIFFERENCE)
                : stored;
        if (isKeyed && options.isComputed()) {
          rules = rules.withAppend(Take.DIFFERENCE);
        }
        yield options.readsOverwrites(isKeyed) ? rules.withOverwrite(Take.DIFFERENCE) : rules;
      }
    };
  }

  /** The changes of the table, for the wanted partitions. */
  ChangeLog changes() {
    return changes;
  }

  /** Whether some changes are computed from states of the table. */
  boolean computesChanges() {
    return rules.computes();
  }

  /** The schemas of all files that were planned so far, by id. */
  Map<Long, TableSchema> fileSchemas() {
    return Map.copyOf(fileSchemas);
  }

  /** The read of a version; null = of none, for what holds for all of them. */
  FullRead fullRead(@Nullable Snapshot snapshot) {
    ChangelogProducer producer = target.options().merge().changelogProducer();
    ReadTarget.View view =
        !target.schema().hasPrimaryKey()
            ? ReadTarget.View.MERGED
            : switch (producer) {
              case NONE, INPUT -> ReadTarget.View.MERGED;
              case LOOKUP -> ReadTarget.View.COMPACTED;
              case FULL_COMPACTION -> ReadTarget.View.TOP_LEVEL;
            };
    return new FullRead(
        new ReadTarget(
            target.name(), target.storage(), target.schema(), snapshot, view, target.conf()),
        conditions);
  }

  /** The whole version of a snapshot. */
  PlannedSnapshot version(Snapshot snapshot) {
    return remembered(Phase.FULL, snapshot, () -> versionPieces(snapshot));
  }

  /** The changes of a snapshot. */
  PlannedSnapshot changes(Snapshot snapshot) {
    return remembered(Phase.CHANGES, snapshot, () -> changePieces(snapshot));
  }

  private PlannedSnapshot remembered(
      Phase phase, Snapshot snapshot, Supplier<List<WorkPiece>> pieces) {
    Key key = new Key(phase, snapshot.id(), snapshot.deltaManifestList());
    PlannedSnapshot known = remembered.get(key);
    if (known == null) {
      known = new PlannedSnapshot(snapshot.id(), snapshot.deltaManifestList(), phase, pieces.get());
      remembered.put(key, known);
      rememberedPieces += weight(known);
      forgetOldest();
    }
    return known;
  }

  private static long weight(PlannedSnapshot planned) {
    return 1L + planned.pieces().size();
  }

  /** The newest one stays, however large it is. */
  private void forgetOldest() {
    Iterator<PlannedSnapshot> oldest = remembered.values().iterator();
    while (rememberedPieces > REMEMBERED_PIECES && remembered.size() > 1) {
      rememberedPieces -= weight(oldest.next());
      oldest.remove();
    }
  }

  private List<WorkPiece> versionPieces(Snapshot snapshot) {
    Optional<Long> notOlder = ScanKeys.FILE_CREATION_TIME.find(target.options().asMap());
    Predicate<DataFile> wanted =
        notOlder.isEmpty() ? file -> true : file -> isCreatedSince(file, notOlder.get());
    List<WorkPiece> pieces = new ArrayList<>();
    fullRead(snapshot).pieces(wanted).forEach(piece -> pieces.add(new WorkPiece.OfVersion(piece)));
    pieces.stream()
        .flatMap(piece -> ((WorkPiece.OfVersion) piece).splits().stream())
        .flatMap(split -> split.dataFiles())
        .forEach(this::rememberSchema);
    return pieces;
  }

  /** Files note the local time of their writer. */
  private boolean isCreatedSince(DataFile file, long epochMillis) {
    Long created = file.creationTimeMillis();
    long local =
        LocalDateTime.ofInstant(Instant.ofEpochMilli(epochMillis), zone)
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
    return created == null || created >= local;
  }

  private List<WorkPiece> changePieces(Snapshot snapshot) {
    Optional<CommitChanges> found = changes.of(snapshot, rules);
    if (found.isEmpty() || !isWanted(found.get())) {
      return List.of();
    }
    List<WorkPiece> pieces = new ArrayList<>();
    for (ChangeSplits.Numbered split : splits.of(found.get())) {
      pieces.add(new WorkPiece.OfCommit(split.split(), split.totalBuckets()));
      split.split().dataFiles().forEach(this::rememberSchema);
    }
    pieces.sort(
        Comparator.comparing(
                WorkPiece::partition, new PartitionOrder(target.schema().partitionType()))
            .thenComparingInt(WorkPiece::bucket));
    return pieces;
  }

  private boolean isWanted(CommitChanges commit) {
    boolean inRange =
        target.view().range().isEmpty()
            || target.view().range().get().holds(commit.version(), commit.timeMillis());
    boolean skips = target.view().kind() == Kind.ROWS && options.skipsChangeCommits();
    return inRange && !(skips && isKnownToChange(commit));
  }

  /** Whether a commit has, or may have, other rows than new ones. */
  private static boolean isKnownToChange(CommitChanges commit) {
    return switch (commit.source()) {
      case CHANGELOG, ADDED_FILES ->
          commit.buckets().stream()
              .flatMap(bucket -> bucket.files().stream())
              .map(ChangeFile::file)
              .anyMatch(DataFile::mayHoldDeletes);
      case DIFFERENCE -> true;
    };
  }

  private void rememberSchema(DataFile file) {
    fileSchemas.computeIfAbsent(file.schemaId(), target.storage().schemas()::load);
  }
}
