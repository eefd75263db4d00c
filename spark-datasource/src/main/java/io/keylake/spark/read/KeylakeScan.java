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

package io.keylake.spark.read;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.read.layout.KeyedScan;
import io.keylake.spark.read.layout.LayoutWeight;
import io.keylake.spark.read.layout.ReportedLayout;
import io.keylake.spark.read.layout.TableLayout;
import io.keylake.spark.read.recorded.RecordedStatistics;
import io.keylake.table.options.ScanKeys.ReportPartitioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.partitioning.UnknownPartitioning;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A columnar scan of one pinned version. Splits are planned when they, or their size, are first
 * asked for, and again only when Spark adds conditions at run time.
 */
final class KeylakeScan implements SupportsReportStatistics, SupportsRuntimeV2Filtering, KeyedScan {
  private static final long ROW_OVERHEAD_BYTES = 8;

  /** Whether Spark is told which columns a join can restrict while the query runs. */
  enum RuntimeFilters {
    OFFERED,
    /** Filters are taken when they come all the same. */
    NOT_OFFERED
  }

  private final ReadPlanner planner;
  private final RuntimeFilters runtimeFilters;
  private final KeylakeScanBuilder.@Nullable Streams streams;
  private ScanRequest request;
  private @Nullable ReportedLayout layout;
  private @Nullable PlannedRead planned;

  /** Whether this is the source of a query: a plan of the batch means nothing to it. */
  private volatile boolean isStream;

  /** What Spark was told of, before it added conditions. */
  private @Nullable PlannedRead told;

  KeylakeScan(
      ReadPlanner planner,
      ScanRequest request,
      RuntimeFilters runtimeFilters,
      KeylakeScanBuilder.@Nullable Streams streams) {
    this.planner = planner;
    this.streams = streams;
    this.runtimeFilters = runtimeFilters;
    this.request = request;
  }

  @Override
  public StructType readSchema() {
    return request.output();
  }

  @Override
  public String description() {
    String limit = request.limit() == ScanRequest.NO_LIMIT ? "" : ", limit=" + request.limit();
    return planner.target().describe() + ", " + request.filters().describe() + limit;
  }

  @Override
  public Batch toBatch() {
    return new KeylakeBatch(planner.target(), request, layout, this::plan);
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    KeylakeScanBuilder.Streams source = streams;
    isStream = true;
    return source == null
        ? KeyedScan.super.toMicroBatchStream(checkpointLocation)
        : source.open(request.output(), checkpointLocation);
  }

  /** The plan of the current request, made once. */
  private synchronized PlannedRead plan() {
    PlannedRead current = planned;
    if (current == null) {
      current = SparkErrors.translating(this::newPlan);
      planned = current;
    }
    return current;
  }

  private PlannedRead newPlan() {
    ReportedLayout keys = layout;
    PlannedRead before = told;
    if (keys == null) {
      return planner.plan(request);
    }
    return before == null
        ? planner.keyed(planner.plan(request), request, keys)
        : planner.narrowed(before, request, keys);
  }

  /** The layout that was asked for, or else the whole one where the options or its cost say so. */
  @Override
  public synchronized Partitioning outputPartitioning() {
    if (layout == null) {
      layout().map(TableLayout::whole).filter(this::isWorthTelling).ifPresent(this::key);
    }
    ReportedLayout keys = layout;
    int tasks = plan().work().tasks().size();
    return keys == null
        ? new UnknownPartitioning(tasks)
        : new KeyGroupedPartitioning(keys.keys(), tasks);
  }

  private void key(ReportedLayout keys) {
    PlannedRead plan = plan();
    layout = keys;
    planned = SparkErrors.translating(() -> planner.keyed(plan, request, keys));
  }

  /**
   * Without being asked a scan reports its layout if it costs nothing: when it has about as many
   * tasks as without, and enough keys for all cores.
   */
  private boolean isWorthTelling(ReportedLayout whole) {
    if (!isReadable(whole) || !whole.isSafe(SQLConf.get())) {
      return false;
    }
    if (isReportedAlways()) {
      return true;
    }
    PlannedRead plan = plan();
    LayoutWeight weight = weigh(whole);
    long packed = plan.work().tasks().size();
    int cores = planner.cores();
    return weight.keys() >= cores
        && weight.isEven(cores, 0)
        && weight.keys() <= packed + packed / 4
        && planner.keyed(plan, request, whole).work().tasks().size() <= packed + packed / 4;
  }

  @Override
  public boolean isReportedAlways() {
    return planner.target().conf().reportPartitioning() == ReportPartitioning.ALWAYS;
  }

  private boolean isReadable(ReportedLayout reported) {
    return reported.parts().stream()
        .allMatch(part -> request.output().getFieldIndex(part.column()).isDefined());
  }

  @Override
  public synchronized Optional<TableLayout> layout() {
    boolean isTold =
        planner.target().conf().reportPartitioning() != ReportPartitioning.NEVER
            && request.limit() == ScanRequest.NO_LIMIT;
    return isTold
        ? SparkErrors.translating(() -> planner.layout(plan().files()))
        : Optional.empty();
  }

  @Override
  public LayoutWeight weigh(ReportedLayout reported) {
    return LayoutWeight.of(plan().files().buckets(), planner.keyOf(reported));
  }

  @Override
  public KeyedScan reporting(ReportedLayout reported) {
    KeylakeScan scan = new KeylakeScan(planner, request, runtimeFilters, streams);
    scan.planned = plan();
    scan.key(reported);
    return scan;
  }

  /** The conditions so far. */
  synchronized ScanFilters filters() {
    return request.filters();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Statistics estimateStatistics() {
    if (isStream) {
      return new Estimate(OptionalLong.empty(), OptionalLong.empty(), Map.of());
    }
    ReadTarget target = planner.target();
    RecordedStatistics recorded =
        RecordedStatistics.of(
            target.storage(), target.snapshot(), target.schema().id(), request.output());
    long physical = plan().counts().rows();
    long rows = Math.min(physical, recorded.rows().orElse(physical));
    long rowBytes = ROW_OVERHEAD_BYTES + request.output().defaultSize();
    long bytes = rows > Long.MAX_VALUE / rowBytes ? Long.MAX_VALUE : rows * rowBytes;
    return new Estimate(OptionalLong.of(bytes), OptionalLong.of(rows), recorded.columns());
  }

  /** Partition and key columns that are read: what a join can restrict while the query runs. */
  @Override
  public NamedReference[] filterAttributes() {
    if (runtimeFilters == RuntimeFilters.NOT_OFFERED) {
      return new NamedReference[0];
    }
    TableSchema schema = planner.target().schema();
    List<String> names = new ArrayList<>(schema.partitionKeys());
    names.addAll(schema.trimmedPrimaryKeys());
    return names.stream()
        .filter(name -> request.output().getFieldIndex(name).isDefined())
        .map(ColumnReferences::column)
        .toArray(NamedReference[]::new);
  }

  @Override
  public synchronized void filter(Predicate[] predicates) {
    if (request.limit() != ScanRequest.NO_LIMIT) {
      return;
    }
    ScanFilters more = request.filters().and(planner.target().schema(), predicates);
    if (!more.sameEffect(request.filters())) {
      told = layout != null && told == null ? plan() : told;
      request = request.withFilters(more);
      planned = null;
    }
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ScanMetrics.all();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    if (isStream) {
      return new CustomTaskMetric[0];
    }
    PlannedRead plan = plan();
    return new CustomTaskMetric[] {
      new ScanMetrics.Value(ScanMetrics.Files.NAME, plan.counts().files()),
      new ScanMetrics.Value(ScanMetrics.RawSplits.NAME, plan.counts().rawSplits()),
      new ScanMetrics.Value(ScanMetrics.MergeSplits.NAME, plan.counts().mergeSplits()),
      new ScanMetrics.Value(ScanMetrics.FoldSplits.NAME, plan.counts().foldSplits()),
      new ScanMetrics.Value(
          ScanMetrics.ManifestsRead.NAME, plan.files().statistics().manifestsRead()),
      new ScanMetrics.Value(
          ScanMetrics.ManifestsSkipped.NAME, plan.files().statistics().manifestsSkipped()),
      new ScanMetrics.Value(ScanMetrics.PlanningMillis.NAME, plan.planningMillis())
    };
  }

  private record Estimate(
      OptionalLong sizeInBytes,
      OptionalLong numRows,
      Map<NamedReference, ColumnStatistics> columnStats)
      implements Statistics {}
}
