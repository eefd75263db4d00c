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

package io.keylake.spark.write;

import io.keylake.format.fileio.Ids;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.maintenance.StagedMove;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.write.WriterPlan.Numbering;
import io.keylake.spark.write.bucket.ReroutedCommit;
import io.keylake.spark.write.change.KeyChanges;
import io.keylake.spark.write.change.Purpose;
import io.keylake.spark.write.change.Statement;
import io.keylake.spark.write.change.StatementCounts;
import io.keylake.spark.write.cross.CrossRules;
import io.keylake.spark.write.cross.CrossWrite;
import io.keylake.spark.write.cross.OpenKeys;
import io.keylake.spark.write.stream.EpochCommit;
import io.keylake.spark.write.stream.JobIdentity;
import io.keylake.spark.write.stream.SkippedRows;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.MergeOptions.Engine;
import io.keylake.table.options.changelog.ChangelogOptions;
import io.keylake.table.options.engine.PartialColumns;
import io.keylake.table.options.support.RewriteSupport;
import io.keylake.table.scan.ReadRange;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.MergeSummary;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * One statement's write: tasks write files, the driver commits them as one snapshot.
 *
 * <p>Only messages of tasks that Spark's commit coordinator has let commit arrive here, one per
 * partition, so retried and speculative tasks add nothing twice; those that lost have deleted their
 * files. Files of executors that died are left to orphan removal.
 */
final class KeylakeBatchWrite implements DeltaBatchWrite, EpochCommit {
  private final WriteTarget target;
  private final JobIdentity identity;
  private final StructType rows;
  private final Replacement replacement;
  private final @Nullable Statement statement;
  private final AssignerRules assigners;
  private final String job = Ids.random().next();
  private final Configuration configuration;
  private final TableCommitter committer;
  private final @Nullable PartialColumns partialColumns;
  private final @Nullable CrossWrite cross;
  private @Nullable Snapshot base;
  private Map<String, String> counts = Map.of();
  private List<Snapshot> committed = List.of();
  private boolean isRepeated;
  private @Nullable Long watermark;

  /** A write; {@code statement} is null when rows are added. */
  KeylakeBatchWrite(
      WriteTarget target,
      StructType rows,
      Replacement replacement,
      @Nullable Statement statement,
      AssignerRules assigners) {
    this.target = target;
    this.identity = target.identity().ofOneWrite();
    this.statement = statement;
    this.assigners = assigners;
    this.rows = rows;
    this.replacement = replacement;
    this.partialColumns = statement == null ? target.partialColumns().orElse(null) : null;
    this.cross = target.crossWrite(replacement.scope()).orElse(null);
    this.configuration = target.configuration();
    this.committer = target.committer(new FileSequenceRebase(target, configuration, Ids.random()));
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return SparkErrors.translating(
        () -> {
          isRepeated = target.isRepeated();
          if (isRepeated) {
            return new SkippedRows();
          }
          if (completesRows()) {
            RewriteSupport.check(target.schema(), target.name().text());
          }
          base =
              statement == null
                  ? target.storage().snapshots().latest().orElse(null)
                  : statement.base();
          return new TaskWriterFactory(
              plan(info.numPartitions()), TaskConfiguration.of(configuration));
        });
  }

  private WriterPlan plan(int tasks) {
    SortOrder order = SortOrder.of(target.schema(), target.options().merge());
    boolean isUnaware = target.bucketMode() instanceof BucketMode.Unaware;
    return new WriterPlan(
        target.name().text(),
        target.storage().layout().root(),
        target.storage().layout().branch(),
        rows,
        DataFileSpec.ofWrite(target.schema(), target.options()),
        target.kinds(),
        completesRows() || statement != null ? order.byWriting() : order,
        buckets(tasks),
        assigners,
        target.options().fileLayout(),
        isUnaware || replacement.replacesPartitions() && !readsKeys()
            ? Numbering.FROM_ZERO
            : Numbering.CONTINUED,
        base,
        partialColumns,
        statement == null
            ? null
            : statement.rules(
                target.name().text(), target.schema(), target.options().commit().keyUpdate()),
        crossRules(),
        compaction(tasks),
        changelog().orElse(null));
  }

  /** Rows are passed on as they come, but for those of an overwrite. */
  private Optional<DataFileSpec> changelog() {
    boolean isOverwrite =
        replacement.replacesPartitions()
            || statement != null && statement.purpose() == Purpose.OVERWRITE;
    return isOverwrite
        ? Optional.empty()
        : ChangelogOptions.of(target.options())
            .filter(changelog -> changelog.producer() == ChangelogProducer.INPUT)
            .map(changelog -> DataFileSpec.ofChangelog(target.schema(), changelog, 0));
  }

  private @Nullable WriteCompaction compaction(int tasks) {
    return switch (identity.compaction()) {
      case BY_OPTIONS -> WriteCompaction.of(target, replacement, tasks).orElse(null);
      case LATER -> null;
    };
  }

  private @Nullable CrossRules crossRules() {
    if (cross == null) {
      return null;
    }
    return statement == null
        ? cross.forRows(job, base, assigners, Clock.system(ZoneId.systemDefault()))
        : cross.forChanges(job, base, assigners);
  }

  /** Whether keys that the table has matter to where rows go. */
  private boolean readsKeys() {
    return cross != null && cross.readsKeys();
  }

  /** A postpone table is written like one with fixed buckets, as many as new partitions get. */
  private BucketOptions buckets(int tasks) {
    BucketOptions options = target.options().bucket();
    return target.newPartitions().map(p -> options.withCount(p.buckets(tasks))).orElse(options);
  }

  /** Rows that are staged where this statement writes are older than what it writes. */
  private void moveStagedRows(List<BucketChange> changes, List<BucketChange> overrides) {
    Snapshot start = base;
    boolean isPostponed = target.bucketMode() instanceof BucketMode.Postpone;
    if (!isPostponed || start == null || replacement.replacesPartitions()) {
      return;
    }
    Map<BinaryRow, Integer> partitions = new HashMap<>();
    changes.forEach(change -> partitions.put(change.partition(), change.totalBuckets()));
    overrides.forEach(change -> partitions.put(change.partition(), change.totalBuckets()));
    StagedMove.Place place =
        new StagedMove.Place(
            target.name().text(),
            target.storage(),
            target.schema(),
            target.options(),
            configuration);
    new StagedMove(SparkSession.active().sparkContext(), place, Ids.random())
        .before(start, partitions);
  }

  /** Whether rows set some columns and the others are read. */
  private boolean completesRows() {
    return partialColumns != null && target.options().merge().engine() == Engine.DEDUPLICATE;
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    commit(messages, null);
  }

  @Override
  public void commit(WriterCommitMessage[] messages, @Nullable WriteSummary summary) {
    if (isRepeated) {
      return;
    }
    SparkErrors.translate(
        () -> {
          if (summary instanceof MergeSummary) {
            checkKeys(messages);
          }
          checkPartitions(messages);
          List<BucketChange> changes = BucketChange.perBucket(changes(messages));
          List<BucketChange> overrides = BucketChange.perBucket(overrides(messages));
          moveStagedRows(changes, overrides);
          CommitRequest request =
              request(changes)
                  .withProperties(counts(summary).properties())
                  .reading(statement == null ? null : statement.reads().get());
          if (summary instanceof MergeSummary && !target.schema().hasPrimaryKey()) {
            request = guarded(request);
          }
          committed =
              statement == null || overrides.isEmpty()
                  ? routed().commit(request).snapshots()
                  : statement.overrides().commit(committer, request, overrides).stream().toList();
          counts = committed.stream().findFirst().map(Snapshot::properties).orElse(Map.of());
          OpenKeys.end(job);
          target.upkeep().afterCommit();
        });
  }

  /**
   * A MERGE that only inserts comes as a plain write, which adds what it did not find in the whole
   * table.
   */
  private CommitRequest guarded(CommitRequest request) {
    return switch (target.options().commit().isolation()) {
      case SERIALIZABLE ->
          request
              .basedOn(target.planned())
              .reading(
                  ReadRange.of(
                      target.storage(),
                      target.schema(),
                      target.options(),
                      partition -> true,
                      List.of()));
      case SNAPSHOT -> request;
    };
  }

  private ReroutedCommit routed() {
    return new ReroutedCommit(
        committer, target.storage(), target.schema(), target.options(), configuration);
  }

  /** A MERGE that only inserts comes as a plain write: its rows must have different keys. */
  private void checkKeys(WriterCommitMessage[] messages) {
    for (WriterCommitMessage message : messages) {
      if (message instanceof BucketWriteMessage written && written.repeatedKey() != null) {
        throw KeyChanges.twice("MERGE", target.name().text(), written.repeatedKey());
      }
    }
  }

  private void checkPartitions(WriterCommitMessage[] messages) {
    for (WriterCommitMessage message : messages) {
      if (cross != null && message instanceof BucketWriteMessage written) {
        cross.checkGiven(written.givenPartitions());
      }
    }
  }

  /** What the commit made known, as properties of its snapshot; empty before it. */
  Map<String, String> counts() {
    return counts;
  }

  private StatementCounts counts(@Nullable WriteSummary summary) {
    String operation = replacement.replacesPartitions() ? "OVERWRITE" : "INSERT";
    if (statement != null) {
      operation = statement.operation();
    } else if (summary instanceof MergeSummary) {
      operation = "MERGE";
    }
    return new StatementCounts(operation, summary);
  }

  @Override
  public void watermark(long millis) {
    watermark = millis;
  }

  @Override
  public List<Snapshot> committed() {
    return committed;
  }

  /** Deletes what all tasks wrote, whether it fits together or not. */
  @Override
  public void abort(WriterCommitMessage[] messages) {
    List<BucketChange> all = new ArrayList<>(changes(messages));
    all.addAll(overrides(messages));
    OpenKeys.end(job);
    SparkErrors.translate(() -> committer.abort(request(all)));
  }

  private static List<BucketChange> overrides(WriterCommitMessage[] messages) {
    List<BucketChange> overrides = new ArrayList<>();
    for (WriterCommitMessage message : messages) {
      if (message instanceof BucketWriteMessage written) {
        overrides.addAll(written.overrides());
      }
    }
    return overrides;
  }

  private CommitRequest request(List<BucketChange> changes) {
    CommitRequest request = identity.request(changes).basedOn(base);
    Long mark = watermark;
    if (mark != null) {
      request = request.withWatermark(mark);
    }
    boolean readsRows = completesRows() && !replacement.replacesPartitions();
    if (readsRows || readsKeys() || statement != null) {
      request = request.withChecks(Set.of(CommitRequest.Check.KEYS_UNCHANGED));
    }
    return replacement.scope().map(request::overwriting).orElse(request);
  }

  /** What each task wrote; {@code messages} may have nulls. */
  private static List<BucketChange> changes(WriterCommitMessage[] messages) {
    List<BucketChange> changes = new ArrayList<>();
    for (WriterCommitMessage message : messages) {
      if (message instanceof BucketWriteMessage written) {
        changes.addAll(written.changes());
      }
    }
    return changes;
  }

  @Override
  public String toString() {
    return "Keylake " + target.name().text();
  }
}
