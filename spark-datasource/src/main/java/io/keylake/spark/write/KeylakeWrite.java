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

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.write.bucket.BucketFunctionBinding;
import io.keylake.spark.write.change.Statement;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.ScanKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;
import org.jspecify.annotations.Nullable;

/**
 * How Spark must distribute rows before they are written. Rows are never ordered by Spark: writers
 * sort.
 *
 * <ol>
 *   <li>Buckets: clustered by the partition columns and the bucket, so that one task writes all of
 *       a bucket and there is one file of each bucket per statement.
 *   <li>Buckets of a table that is reached by its path, where Spark has no catalog to find the
 *       bucket function in: clustered by the partition columns and the bucket key itself. All rows
 *       of a key still meet in one task, so the last one wins as ever; a bucket may get several
 *       files, whose keys differ.
 *   <li>Postpone tables: clustered by the partition columns and a slot of the key's hash, with a
 *       size to aim at, so that the number of tasks tells the amount of data, see {@link
 *       io.keylake.spark.write.postpone.NewPartitions}.
 *   <li>Dynamic buckets: clustered by the partition columns and the assigner of the key, which is
 *       what the bucket function gives for as many buckets, so that one task gives out the buckets
 *       that an assigner owns. Where Spark cannot compute the assigner: by the partition columns,
 *       or all rows to one task, see {@link AssignerTasks}.
 *   <li>Keys that are found once whatever their partition: clustered by the assigner of the key
 *       alone, so that one task decides where a key goes.
 *   <li>No buckets, partitioned: clustered by the partition columns with a size to aim at, so that
 *       small partitions get one file and large ones are spread over tasks.
 *   <li>No buckets, not partitioned: as the rows come, without a shuffle.
 *   <li>{@code sink.parallelism} gives the number of tasks, but where only one may write; rows of
 *       the last kind are then spread by their columns.
 * </ol>
 *
 * Pinned by {@code KeylakeWriteTest}.
 */
final class KeylakeWrite implements RequiresDistributionAndOrdering, DeltaWrite {
  private static final int ANY_NUMBER = 0;

  private final WriteTarget target;
  private final StructType rows;
  private final Replacement replacement;
  private final @Nullable Statement statement;
  private final @Nullable AssignerTasks assignerTasks;
  private final int parallelism;
  private @Nullable KeylakeBatchWrite batch;

  /** A write; {@code statement} is null when rows are added. */
  KeylakeWrite(
      WriteTarget target, StructType rows, Replacement replacement, @Nullable Statement statement) {
    this.statement = statement;
    this.target = target;
    this.rows = rows;
    this.replacement = replacement;
    this.parallelism = ScanKeys.SINK_PARALLELISM.find(target.options().asMap()).orElse(ANY_NUMBER);
    this.assignerTasks =
        target.bucketMode() instanceof BucketMode.Dynamic
                || target.bucketMode() instanceof BucketMode.CrossPartition
            ? AssignerTasks.of(target)
            : null;
  }

  @Override
  public String description() {
    String name = "Keylake " + target.name().text();
    return statement == null ? name : name + ", " + statement.command();
  }

  @Override
  public DeltaBatchWrite toBatch() {
    AssignerTasks tasks = assignerTasks;
    KeylakeBatchWrite made =
        SparkErrors.translating(
            () ->
                new KeylakeBatchWrite(
                    target,
                    rows,
                    replacement,
                    statement,
                    tasks == null
                        ? AssignerRules.single(target.options().bucket().dynamic())
                        : tasks.rules()));
    batch = made;
    return made;
  }

  @Override
  public Distribution requiredDistribution() {
    List<Expression> clustering = new ArrayList<>();
    if (!(target.bucketMode() instanceof BucketMode.CrossPartition)) {
      target
          .schema()
          .partitionKeys()
          .forEach(key -> clustering.add(ColumnReferences.identity(key)));
    }
    if (target.bucketMode() instanceof BucketMode.Fixed fixed) {
      addBuckets(clustering, fixed.totalBuckets());
    }
    target.newPartitions().ifPresent(added -> addBuckets(clustering, added.slots()));
    if (assignerTasks != null) {
      addAssigners(clustering, assignerTasks);
    }
    if (clustering.isEmpty() && parallelism > 0) {
      addAllColumns(clustering);
    }
    return clustering.isEmpty()
        ? Distributions.unspecified()
        : Distributions.clustered(clustering.toArray(new Expression[0]));
  }

  private void addAllColumns(List<Expression> clustering) {
    for (StructField column : rows.fields()) {
      if (column.dataType() instanceof AtomicType && !(column.dataType() instanceof VariantType)) {
        clustering.add(ColumnReferences.identity(column.name()));
      }
    }
    if (clustering.isEmpty()) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_INVALID_OPTION,
          "The option '"
              + ScanKeys.SINK_PARALLELISM.name()
              + "' cannot hold for the write to "
              + target.name().text()
              + ": there is no plain column to spread rows by. Leave it out, and repartition the"
              + " query.");
    }
  }

  private void addBuckets(List<Expression> clustering, int totalBuckets) {
    BucketOptions options = target.options().bucket();
    switch (target.functions()) {
      case FROM_CATALOG ->
          clustering.add(
              options.function() == BucketOptions.Function.DEFAULT
                  ? ColumnReferences.bucket(totalBuckets, options.keys())
                  : ColumnReferences.function(
                      BucketFunctionBinding.name(options.function()),
                      totalBuckets,
                      options.keys()));
      case NONE -> options.keys().forEach(key -> clustering.add(ColumnReferences.identity(key)));
    }
  }

  private void addAssigners(List<Expression> clustering, AssignerTasks tasks) {
    List<String> keys = target.options().bucket().keys();
    switch (tasks.spread()) {
      case ASSIGNERS, KEY_ASSIGNERS ->
          clustering.add(ColumnReferences.bucket(tasks.rules().assigners(), keys));
      case PARTITIONS -> {}
      case ONE_TASK -> keys.forEach(key -> clustering.add(ColumnReferences.identity(key)));
    }
  }

  @Override
  public int requiredNumPartitions() {
    boolean isOneTask =
        assignerTasks != null && assignerTasks.spread() == AssignerTasks.Spread.ONE_TASK;
    return isOneTask ? 1 : parallelism;
  }

  @Override
  public boolean distributionStrictlyRequired() {
    return target.bucketMode() instanceof BucketMode.Fixed
        || target.bucketMode() instanceof BucketMode.Postpone
        || assignerTasks != null
        || parallelism > 0;
  }

  @Override
  public long advisoryPartitionSizeInBytes() {
    if (parallelism > 0) {
      return 0;
    }
    boolean rebalanced =
        !target.schema().partitionKeys().isEmpty()
            && target.bucketMode() instanceof BucketMode.Unaware;
    return rebalanced || target.bucketMode() instanceof BucketMode.Postpone
        ? target.taskBytes()
        : 0;
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return new SortOrder[0];
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return WriteMetrics.ofCommit(batch == null ? Map.of() : batch.counts());
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return WriteMetrics.all();
  }

  @Override
  public String toString() {
    return description();
  }
}
