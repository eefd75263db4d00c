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

package io.keylake.spark.read.changes;

import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.read.ScanMetrics;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A columnar read of changes: of a range as a batch, or of what comes as a stream. */
public final class ChangeScan implements Scan, SupportsReportStatistics {
  private static final long ROW_OVERHEAD_BYTES = 8;

  private final ChangeTarget target;
  private final ChangeRequest request;
  private @Nullable PlannedChanges planned;

  /** Whether this is the source of a query: a plan of the batch means nothing to it. */
  private volatile boolean isStream;

  ChangeScan(ChangeTarget target, ChangeRequest request) {
    this.target = target;
    this.request = request;
  }

  /** What is read. */
  public ChangeTarget target() {
    return target;
  }

  /** Plans what is read: of this scan, of its columns and under its conditions. */
  public ChangePlanner planner() {
    return new ChangePlanner(target, request);
  }

  @Override
  public StructType readSchema() {
    return request.output();
  }

  @Override
  public String description() {
    String limit = request.limit() == ChangeRequest.NO_LIMIT ? "" : ", limit=" + request.limit();
    return target.describe() + ", " + request.filters().describe() + limit;
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  private synchronized PlannedChanges plan() {
    PlannedChanges current = planned;
    if (current == null) {
      current = SparkErrors.translating(() -> planner().plan());
      planned = current;
    }
    return current;
  }

  @Override
  public Batch toBatch() {
    return new ChangeBatch(this, List.of(target.identity(), request));
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    isStream = true;
    return SparkErrors.translating(() -> target.streams().open(this, checkpointLocation));
  }

  @Override
  public Statistics estimateStatistics() {
    if (isStream) {
      return new Estimate(OptionalLong.empty(), OptionalLong.empty(), Map.of());
    }
    long rows = plan().rows();
    long rowBytes = ROW_OVERHEAD_BYTES + request.output().defaultSize();
    long bytes = rows > Long.MAX_VALUE / rowBytes ? Long.MAX_VALUE : rows * rowBytes;
    return new Estimate(OptionalLong.of(bytes), OptionalLong.of(rows), Map.of());
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ScanMetrics.all();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return isStream
        ? new CustomTaskMetric[0]
        : ScanMetrics.ofPlan(plan().files(), plan().planningMillis());
  }

  private record Estimate(
      OptionalLong sizeInBytes,
      OptionalLong numRows,
      Map<NamedReference, ColumnStatistics> columnStats)
      implements Statistics {}

  /** Equal when the same changes are read, so that Spark runs equal scans of a query once. */
  private record ChangeBatch(ChangeScan scan, List<Object> identity) implements Batch {
    @Override
    public InputPartition[] planInputPartitions() {
      return scan.plan().tasks().stream().map(ChangePartition::new).toArray(InputPartition[]::new);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return scan.plan().readerFactory();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ChangeBatch that && identity.equals(that.identity);
    }

    @Override
    public int hashCode() {
      return identity.hashCode();
    }
  }
}
