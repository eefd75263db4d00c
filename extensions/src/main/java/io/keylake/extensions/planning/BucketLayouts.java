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

package io.keylake.extensions.planning;

import io.keylake.spark.read.layout.KeyedScan;
import io.keylake.spark.read.layout.LayoutWeight;
import io.keylake.spark.read.layout.ReportedLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys$;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.BROADCAST$;
import org.apache.spark.sql.catalyst.plans.logical.HintInfo;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.JoinStrategyHint;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.V2ScanPartitioningAndOrdering$;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Decides which scans report their layout: those below a join, grouping or window on their bucket
 * key report how buckets spread rows, so that Spark puts no shuffle between.
 *
 * <ol>
 *   <li>A scan reports only the part of its layout that the plan compares ({@link LayoutChoice}).
 *   <li>Scans that are joined report the greatest number of buckets that divides all of theirs.
 *   <li>Nothing is reported for a join one of whose sides Spark will broadcast.
 *   <li>Nothing is reported that leaves cores without work, or cuts a scan into many small tasks;
 *       if need be, values of partition columns are left out of the key ({@link LayoutWeight}).
 * </ol>
 *
 * <p>All other scans are cut as ever. Rows are the same without this. Pinned by {@code
 * BucketJoinSparkTest}.
 */
final class BucketLayouts {
  /** Bytes that opening a file is worth, as for Spark's own files. */
  private static final long OPEN_COST_BYTES = 4L << 20;

  private static final int TASKS_OF_CORE = 4;

  private final SparkSession session;
  private final SQLConf conf;

  BucketLayouts(SparkSession session) {
    this.session = session;
    this.conf = SQLConf.get();
  }

  /** The scans that are to report, by identity, each with the one in its place. */
  @SuppressWarnings("IdentityHashMapUsage")
  Map<DataSourceV2ScanRelation, DataSourceV2ScanRelation> of(LogicalPlan plan) {
    Map<DataSourceV2ScanRelation, DataSourceV2ScanRelation> reporting = new IdentityHashMap<>();
    if (!conf.v2BucketingEnabled()) {
      return reporting;
    }
    LayoutChoice choice = new LayoutChoice(otherColumns(conf));
    ScanGroups groups = new ScanGroups();
    for (Join join : nodes(plan, Join.class)) {
      join(join, choice, groups);
    }
    for (Aggregate aggregate : nodes(plan, Aggregate.class)) {
      group(aggregate.child(), Lists.of(aggregate.groupingExpressions()), choice, groups);
    }
    for (Window window : nodes(plan, Window.class)) {
      group(window.child(), Lists.of(window.partitionSpec()), choice, groups);
    }
    groups
        .scans(this::isGood, choice::coarser)
        .forEach(
            (relation, scan) ->
                reporting(relation, scan).ifPresent(better -> reporting.put(relation, better)));
    return reporting;
  }

  /** Parts that stand for any value would become the whole key of a join on fewer columns. */
  private static LayoutChoice.OtherColumns otherColumns(SQLConf conf) {
    boolean wantsAll = (Boolean) conf.getConf(SQLConf.REQUIRE_ALL_CLUSTER_KEYS_FOR_CO_PARTITION());
    return wantsAll && !conf.v2BucketingAllowJoinKeysSubsetOfPartitionKeys()
        ? LayoutChoice.OtherColumns.ANY_VALUE
        : LayoutChoice.OtherColumns.LEFT_OUT;
  }

  /** The nodes of one kind, children first. */
  static <N extends LogicalPlan> List<N> nodes(LogicalPlan plan, Class<N> type) {
    List<N> nodes = new ArrayList<>();
    for (LogicalPlan child : CollectionConverters.asJava(plan.children())) {
      nodes.addAll(nodes(child, type));
    }
    if (type.isInstance(plan)) {
      nodes.add(type.cast(plan));
    }
    return nodes;
  }

  private void join(Join join, LayoutChoice choice, ScanGroups groups) {
    if (isBroadcast(join)) {
      return;
    }
    var parts = ExtractEquiJoinKeys$.MODULE$.unapply(join);
    if (parts.isDefined()) {
      choice
          .ofJoin(join.left(), Lists.of(parts.get()._2()), join.right(), Lists.of(parts.get()._3()))
          .ifPresent(pair -> groups.join(pair.left(), pair.right()));
    }
  }

  private static void group(
      LogicalPlan child, List<Expression> keys, LayoutChoice choice, ScanGroups groups) {
    choice.ofGrouping(child, keys).forEach(groups::add);
  }

  /** Whether Spark will send one side of the join to all tasks. */
  private boolean isBroadcast(Join join) {
    JoinType type = join.joinType();
    boolean canBuildRight = !type.equals(RightOuter$.MODULE$) && !type.equals(FullOuter$.MODULE$);
    boolean canBuildLeft = type.equals(Inner$.MODULE$) || type.equals(RightOuter$.MODULE$);
    return (canBuildRight && isBroadcast(join.right(), join.hint().rightHint()))
        || (canBuildLeft && isBroadcast(join.left(), join.hint().leftHint()));
  }

  private boolean isBroadcast(LogicalPlan side, Option<HintInfo> hint) {
    Option<JoinStrategyHint> strategy = hint.isDefined() ? hint.get().strategy() : Option.empty();
    if (strategy.isDefined()) {
      return strategy.get().equals(BROADCAST$.MODULE$);
    }
    return side.stats()
            .sizeInBytes()
            .bigInteger()
            .compareTo(BigInteger.valueOf(conf.autoBroadcastJoinThreshold()))
        <= 0;
  }

  private boolean isGood(KeyedScan scan, ReportedLayout layout) {
    if (!layout.isSafe(conf)) {
      return false;
    }
    if (scan.isReportedAlways()) {
      return true;
    }
    int cores = session.sparkContext().defaultParallelism();
    long shuffledTask = (Long) conf.getConf(SQLConf.ADVISORY_PARTITION_SIZE_IN_BYTES());
    LayoutWeight weight = scan.weigh(layout);
    int tasks = Math.max(conf.numShufflePartitions(), TASKS_OF_CORE * cores);
    return weight.isEven(cores, shuffledTask) && !weight.isScattered(tasks, OPEN_COST_BYTES);
  }

  /** The relation with a scan that reports; empty when the catalog has not our functions. */
  private static Optional<DataSourceV2ScanRelation> reporting(
      DataSourceV2ScanRelation relation, KeyedScan scan) {
    DataSourceV2ScanRelation unreported =
        relation.copy(
            relation.relation(),
            scan,
            relation.output(),
            Option.empty(),
            relation.ordering(),
            relation.pushedFilters());
    LogicalPlan reported = V2ScanPartitioningAndOrdering$.MODULE$.apply(unreported);
    return reported instanceof DataSourceV2ScanRelation keyed
            && keyed.keyGroupedPartitioning().isDefined()
        ? Optional.of(keyed)
        : Optional.empty();
  }
}
