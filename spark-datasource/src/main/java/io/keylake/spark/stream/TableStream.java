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

import io.keylake.format.fileio.Location;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.snapshot.ConsumerStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.read.FullRead;
import io.keylake.spark.stream.StreamConsumer.Need;
import io.keylake.spark.stream.StreamPosition.Phase;
import io.keylake.spark.stream.StreamTasks.Placement;
import io.keylake.spark.stream.StreamView.Kind;
import io.keylake.spark.stream.task.RowCondition;
import io.keylake.spark.stream.task.StreamColumns;
import io.keylake.spark.stream.task.StreamReaderFactory;
import io.keylake.spark.stream.task.StreamSpec;
import io.keylake.spark.stream.task.StreamSpec.Deletes;
import io.keylake.table.scan.PartitionOrder;
import io.keylake.table.split.SplitSize;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.AcceptsLatestSeenOffset;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A table as the source of one run of a streaming query. Spark asks in each trigger how far it goes
 * ({@link #latestOffset(Offset, ReadLimit)}), notes that in the checkpoint, and asks for the tasks
 * between two places; after a restart it asks for the tasks of the same places again, and gets the
 * same rows.
 *
 * <p>Nothing is decided by what is only in memory: plans, sizes and progress that are remembered
 * here save work. Called by the thread of the query, but for {@link #stop}.
 */
public final class TableStream
    implements MicroBatchStream,
        SupportsTriggerAvailableNow,
        ReportsSourceMetrics,
        AcceptsLatestSeenOffset {
  private static final String START_FILE = "keylake-start";

  private final StreamTarget target;
  private final StreamOptions options;
  private final StreamHistory history;
  private final SnapshotPlans plans;
  private final StreamSteps steps;
  private final StreamLag lag;
  private final StreamConsumer consumer;
  private final StreamColumns columns;
  private final @Nullable StructType pairs;
  private final @Nullable RowCondition condition;
  private final Clock clock;
  private final Location started;
  private @Nullable TaskConfiguration configuration;
  private @Nullable Long frozen;
  private long lastBatchMillis;

  /**
   * A run of a query.
   *
   * @param target the table
   * @param wanted the columns that Spark asks for
   * @param checkpoint where the query keeps its progress in this source
   * @param clock tells how long a trigger has waited
   */
  public TableStream(StreamTarget target, StructType wanted, String checkpoint, Clock clock) {
    this.target = target;
    this.clock = clock;
    this.started = new Location(checkpoint).child(START_FILE);
    this.options = new StreamOptions(target);
    Optional<StreamFilter> filter =
        options.filter().map(text -> StreamFilter.parse(session(), target, text));
    StreamColumns read =
        StreamColumns.of(
            inner(wanted),
            target.view().metaColumns(),
            target.schema().rowType(),
            filter.map(StreamFilter::columns).orElse(Set.of()));
    this.pairs = target.view().kind() == Kind.PAIRS ? wanted : null;
    this.columns =
        pairs != null
            ? read.leadingWithKinds()
            : deletes() == Deletes.FAIL ? read.withKinds() : read;
    this.condition = filter.map(found -> found.on(columns.data())).orElse(null);
    this.plans =
        new SnapshotPlans(
            target,
            options,
            filter
                .map(StreamFilter::pushed)
                .orElseGet(
                    () -> new org.apache.spark.sql.connector.expressions.filter.Predicate[0]),
            ZoneId.systemDefault());
    this.history = new StreamHistory(target, plans.changes());
    this.steps = new StreamSteps(target, options, history, plans);
    this.lag = new StreamLag(history, plans);
    Need need = plans.computesChanges() ? Need.STATE_BEFORE : Need.NEXT;
    ConsumerStore consumers = target.storage().consumers();
    this.consumer =
        options
            .consumer()
            .map(name -> StreamConsumer.named(consumers, name, need, clock))
            .orElseGet(() -> StreamConsumer.ofQuery(consumers, checkpoint, need, clock));
  }

  /** The columns outside of arrays. */
  private StructType inner(StructType wanted) {
    if (target.view().kind() != Kind.PAIRS) {
      return wanted;
    }
    StructType inner = new StructType();
    for (StructField field : wanted.fields()) {
      boolean isData = !target.view().metaColumns().containsKey(field.name());
      DataType type = isData ? ((ArrayType) field.dataType()).elementType() : field.dataType();
      inner = inner.add(field.name(), type, true);
    }
    return inner;
  }

  private static SparkSession session() {
    return (SparkSession) org.apache.spark.sql.SparkSession.active();
  }

  private Deletes deletes() {
    boolean fails =
        target.view().kind() == Kind.ROWS
            && target.schema().hasPrimaryKey()
            && !options.ignoresDeletes()
            && !options.skipsChangeCommits();
    return fails ? Deletes.FAIL : Deletes.PASS;
  }

  /**
   * Spark asks again until the first batch is committed, also after a restart, when the table may
   * have gone on: the place is kept beside the checkpoint's offsets.
   */
  @Override
  public Offset initialOffset() {
    return SparkErrors.translating(
        () -> {
          Optional<byte[]> kept = target.storage().io().readIfExists(started);
          if (kept.isPresent()) {
            return new StreamOffset(
                StreamPosition.parse(new String(kept.get(), StandardCharsets.UTF_8)));
          }
          ZoneId zone = ZoneId.of(SQLConf.get().sessionLocalTimeZone(), ZoneId.SHORT_IDS);
          StreamPosition position = new StreamStart(target, history, zone).position();
          byte[] text = position.json().getBytes(StandardCharsets.UTF_8);
          target.storage().io().overwrite(started, text);
          return new StreamOffset(position);
        });
  }

  @Override
  public Offset deserializeOffset(String json) {
    return new StreamOffset(SparkErrors.translating(() -> StreamPosition.parse(json)));
  }

  @Override
  public void setLatestSeenOffset(Offset offset) {
    SparkErrors.translate(() -> history.check(StreamOffset.position(offset)));
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    return SparkErrors.translating(options::limit);
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    frozen = SparkErrors.translating(history::latestId);
  }

  @Override
  public Offset latestOffset() {
    throw new UnsupportedOperationException("Spark asks with a limit");
  }

  @Override
  public Offset latestOffset(Offset startOffset, ReadLimit limit) {
    return SparkErrors.translating(() -> latest(startOffset, limit));
  }

  private Offset latest(Offset startOffset, ReadLimit limit) {
    StreamPosition start = StreamOffset.position(startOffset);
    history.check(start);
    consumer.note(start);
    Long last = frozen;
    Admission admission = Admission.of(limit);
    StreamPosition end = steps.end(start, last == null ? history.latestId() : last, admission);
    long now = clock.millis();
    if (end.equals(start) || (last == null && admission.waits(now - lastBatchMillis))) {
      return startOffset;
    }
    lastBatchMillis = now;
    return new StreamOffset(end);
  }

  @Override
  public @Nullable Offset reportLatestOffset() {
    return SparkErrors.translating(
        () -> history.latest().map(StreamPosition::after).map(StreamOffset::new).orElse(null));
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start, Offset end) {
    return SparkErrors.translating(
        () -> tasks(StreamOffset.position(start), StreamOffset.position(end)));
  }

  private InputPartition[] tasks(StreamPosition start, StreamPosition end) {
    history.check(end);
    List<InputPartition> tasks = new ArrayList<>();
    List<WorkPiece.OfCommit> changes = new ArrayList<>();
    for (StreamSteps.Range range : steps.between(start, end)) {
      List<WorkPiece.OfVersion> version = new ArrayList<>();
      for (WorkPiece piece : range.pieces()) {
        if (piece instanceof WorkPiece.OfVersion ofVersion) {
          version.add(ofVersion);
        } else {
          changes.add((WorkPiece.OfCommit) piece);
        }
      }
      if (!version.isEmpty()) {
        tasks.addAll(packing(version).ofVersion(version, mark(range.of())));
      }
    }
    tasks.addAll(packing(changes).ofCommits(changes));
    return tasks.toArray(InputPartition[]::new);
  }

  private CommitMark mark(PlannedSnapshot version) {
    Snapshot snapshot =
        history
            .version(
                new StreamPosition(version.snapshotId(), 0, Phase.FULL, version.manifestList(), ""))
            .orElseThrow();
    return new CommitMark(snapshot.id(), plans.changes().timeMillis(snapshot));
  }

  /** Tasks of at most the wanted size, and smaller ones where there would be fewer than cores. */
  private StreamTasks packing(List<? extends WorkPiece> pieces) {
    SplitSize wanted = SplitSize.of(target.options().scan());
    long bytes = pieces.stream().mapToLong(piece -> piece.size().bytes()).sum();
    int cores = session().sparkContext().defaultParallelism();
    long fair = Math.max(wanted.openCostBytes(), bytes / Math.max(1, cores));
    boolean hasBuckets = target.schema().hasPrimaryKey() || target.options().bucket().count() != -1;
    return new StreamTasks(
        new SplitSize(Math.max(1, Math.min(wanted.targetBytes(), fair)), wanted.openCostBytes()),
        new PartitionOrder(target.schema().partitionType()),
        hasBuckets ? Placement.BUCKETS_IN_ORDER : Placement.ANYWHERE);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return SparkErrors.translating(
        () -> {
          if (configuration == null) {
            configuration = plans.fullRead(null).configuration();
          }
          return new StreamReaderFactory(spec(), configuration);
        });
  }

  private StreamSpec spec() {
    FullRead read = plans.fullRead(null);
    ReadSpec version = withSchemas(read.spec(columns.data(), List.of()));
    return new StreamSpec(
        target.name().text(),
        version,
        new ChangeSpec(
            plans.computesChanges() ? withKeyConditions(version) : version,
            columns.read(),
            columns.readType(),
            kinds()),
        columns,
        pairs,
        condition,
        deletes());
  }

  private ReadSpec withSchemas(ReadSpec spec) {
    return new ReadSpec(
        spec.schema(),
        spec.columns(),
        spec.output(),
        plans.fileSchemas(),
        spec.predicate(),
        spec.addedDefaults(),
        spec.batchRows(),
        spec.memory());
  }

  /** Where rows are computed, only conditions on their keys may leave some out before. */
  private ReadSpec withKeyConditions(ReadSpec spec) {
    Predicate all = spec.predicate();
    if (all == null) {
      return spec;
    }
    List<Predicate> onKeys =
        Predicates.conjuncts(List.of(all)).stream()
            .filter(
                part ->
                    Predicates.fieldIds(part).stream()
                        .allMatch(id -> target.schema().keyType().indexOfId(id) >= 0))
            .toList();
    return new ReadSpec(
        spec.schema(),
        spec.columns(),
        spec.output(),
        spec.fileSchemas(),
        Predicates.and(onKeys).orElse(null),
        spec.addedDefaults(),
        spec.batchRows(),
        spec.memory());
  }

  private Set<ChangeKind> kinds() {
    return switch (target.view().kind()) {
      case ROWS ->
          deletes() == Deletes.FAIL
              ? EnumSet.of(ChangeKind.INSERT, ChangeKind.UPDATE_AFTER, ChangeKind.DELETE)
              : EnumSet.of(ChangeKind.INSERT, ChangeKind.UPDATE_AFTER);
      case CHANGELOG, PAIRS, CHANGES, WHOLE_CHANGES -> ChangeSpec.ALL_KINDS;
    };
  }

  @Override
  public Map<String, String> metrics(Optional<Offset> latestConsumedOffset) {
    return latestConsumedOffset
        .map(offset -> SparkErrors.translating(() -> lag.after(StreamOffset.position(offset))))
        .orElse(Map.of());
  }

  @Override
  public void commit(Offset end) {
    SparkErrors.translate(() -> consumer.note(StreamOffset.position(end)));
  }

  @Override
  public void stop() {
    consumer.close();
  }

  @Override
  public String toString() {
    return target.describe();
  }
}
