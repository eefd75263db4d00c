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

import io.keylake.extensions.plans.Replacing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.InsertOnlyMerge;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/**
 * A statement that joins a table with a source reads only what the source can hit: the source's
 * values of partition and key columns go to the scan while the query runs, which then opens only
 * the partitions, buckets, files and row groups that may hold them.
 *
 * <ol>
 *   <li>The join gives no row for a row of the target that matches none of the source: WHEN NOT
 *       MATCHED BY SOURCE has no probe.
 *   <li>ON equates a partition or key column with a value of the source, of a type whose order
 *       files and Spark agree on.
 *   <li>The source gives the same rows when it is read once more ({@link RepeatableSource}).
 *   <li>By statistics, the source has few rows: their values are collected as a set. Or it has no
 *       more rows than the target: then their least and greatest value. Else nothing is done.
 * </ol>
 *
 * <p>Conditions on the target alone, which Spark leaves above the scan when it numbers rows, go to
 * the scan likewise. The rows of the statement are the same without all this. Pinned by {@code
 * KeyProbeSparkTest}.
 */
public final class KeyProbe extends Rule<LogicalPlan> {
  /** The driver holds up to about this many values of each column. */
  private static final long MAX_SET_ROWS = 10_000;

  private final SparkSession session;

  /** The rule of a session. */
  public KeyProbe(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.transformDown(new Replacing<>(WriteDelta.class, this::probed))
        .transformDown(new Replacing<>(InsertOnlyMerge.class, this::probed));
  }

  private Optional<? extends LogicalPlan> probed(V2WriteCommand write) {
    LogicalPlan query = write.query().transformDown(new Replacing<>(Join.class, this::probed));
    return query == write.query()
        ? Optional.empty()
        : Optional.of((LogicalPlan) write.withNewQuery(query));
  }

  private Optional<Join> probed(Join join) {
    JoinType type = join.joinType();
    if (type.equals(LeftAnti$.MODULE$)) {
      return restricted(join.right(), join.left(), join)
          .map(target -> join(join, join.left(), target));
    }
    boolean needsNoUnmatchedTarget =
        type.equals(Inner$.MODULE$)
            || type.equals(RightOuter$.MODULE$)
            || type.equals(LeftSemi$.MODULE$);
    return needsNoUnmatchedTarget
        ? restricted(join.left(), join.right(), join)
            .map(target -> join(join, target, join.right()))
        : Optional.empty();
  }

  private static Join join(Join join, LogicalPlan left, LogicalPlan right) {
    return new Join(left, right, join.joinType(), join.condition(), join.hint());
  }

  private Optional<LogicalPlan> restricted(LogicalPlan target, LogicalPlan source, Join join) {
    return TargetRead.of(target)
        .flatMap(
            read -> {
              List<Expression> probes = probes(read, source, join);
              return probes.isEmpty() && read.conditions().isEmpty()
                  ? Optional.empty()
                  : Optional.of(read.restricted(probes));
            });
  }

  private List<Expression> probes(TargetRead read, LogicalPlan source, Join join) {
    List<Expression> probes = new ArrayList<>();
    if (join.condition().isEmpty() || !RepeatableSource.isRepeatable(source)) {
      return probes;
    }
    for (Expression conjunct : KeyEquality.conjuncts(join.condition().get())) {
      KeyEquality.of(conjunct, read.relation(), source.outputSet())
          .filter(equality -> read.isKey(equality.column()) && isOrdered(equality.column()))
          .ifPresent(equality -> probes.addAll(probes(equality, read, source)));
    }
    return probes;
  }

  private List<Expression> probes(KeyEquality equality, TargetRead read, LogicalPlan source) {
    SourceKeys keys =
        new SourceKeys(
            ((org.apache.spark.sql.classic.SparkSession) session).sessionState().optimizer(),
            equality,
            source);
    long rows = keys.estimatedRows();
    if (rows <= MAX_SET_ROWS && conf().dynamicPartitionPruningEnabled()) {
      return List.of(keys.asSet());
    }
    return rows <= read.rows() ? keys.asRange() : List.of();
  }

  private static boolean isOrdered(Attribute column) {
    DataType type = column.dataType();
    return Integers.isInteger(type)
        || type instanceof DecimalType
        || type.equals(DataTypes.DateType)
        || type.equals(DataTypes.TimestampType)
        || type.equals(DataTypes.TimestampNTZType)
        || type.equals(DataTypes.StringType);
  }
}
