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

package io.keylake.spark.rowlevel.append;

import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.read.RowMetadata;
import io.keylake.spark.write.WriteMetrics;
import io.keylake.spark.write.WriteTarget;
import io.keylake.table.bucket.BucketMode;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.distributions.ClusteredDistribution;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.jspecify.annotations.Nullable;

/**
 * How Spark must distribute deleted and new rows.
 *
 * <ol>
 *   <li>New rows as an INSERT distributes them: by partition and bucket; not at all in a table that
 *       has neither.
 *   <li>Where a MERGE distributes new rows, deletes, whose columns are all NULL, go by their file.
 *   <li>A statement that only deletes needs no distribution: a task tells of the rows it saw.
 * </ol>
 */
final class AppendDeltaWrite implements DeltaWrite, RequiresDistributionAndOrdering {
  private final AppendStatement statement;
  private final LogicalWriteInfo info;
  private final @Nullable NewRows newRows;
  private final @Nullable RequiresDistributionAndOrdering rows;
  private @Nullable AppendDeltaBatchWrite batch;

  AppendDeltaWrite(AppendStatement statement, LogicalWriteInfo info) {
    this.statement = statement;
    this.info = info;
    this.newRows = NewRows.of(statement, info);
    this.rows = newRows == null ? null : newRows.inserts();
  }

  /** Whether new rows are brought together by partition or bucket. */
  static boolean clustersRows(WriteTarget target) {
    return !target.schema().partitionKeys().isEmpty()
        || !(target.bucketMode() instanceof BucketMode.Unaware);
  }

  @Override
  public String description() {
    return "Keylake " + statement.command() + " on " + statement.write().name().text();
  }

  @Override
  public DeltaBatchWrite toBatch() {
    AppendDeltaBatchWrite made =
        SparkErrors.translating(
            () ->
                new AppendDeltaBatchWrite(
                    statement,
                    newRows == null ? null : newRows.toBatch(),
                    RowIdColumns.of(statement, info)));
    batch = made;
    return made;
  }

  @Override
  public Distribution requiredDistribution() {
    if (rows == null || !(rows.requiredDistribution() instanceof ClusteredDistribution clustered)) {
      return Distributions.unspecified();
    }
    if (statement.command() != RowLevelOperation.Command.MERGE) {
      return clustered;
    }
    Expression file = ColumnReferences.identity(RowMetadata.fileColumn(statement.read().schema()));
    return Distributions.clustered(
        Stream.concat(Arrays.stream(clustered.clustering()), Stream.of(file))
            .toArray(Expression[]::new));
  }

  @Override
  public boolean distributionStrictlyRequired() {
    return rows != null && rows.distributionStrictlyRequired();
  }

  @Override
  public int requiredNumPartitions() {
    return rows == null ? 0 : rows.requiredNumPartitions();
  }

  @Override
  public long advisoryPartitionSizeInBytes() {
    return rows == null ? 0 : rows.advisoryPartitionSizeInBytes();
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return new SortOrder[0];
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return Stream.concat(Arrays.stream(WriteMetrics.all()), Arrays.stream(AppendMetrics.all()))
        .toArray(CustomMetric[]::new);
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return WriteMetrics.ofCommit(batch == null ? Map.of() : batch.counts());
  }
}
