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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy;
import scala.collection.immutable.Seq;

/**
 * Plans scans whose layout the plan gains from as scans that report it.
 *
 * <ol>
 *   <li>Spark optimizes for the last time before scans exist, so it is the planner that decides: at
 *       the root of the plan, which it sees first, for all scans at once ({@link BucketLayouts}).
 *       Scans keep the decision as a tag; a plan that is planned again while it runs keeps them.
 *   <li>The logical plan stays as it is: adaptive execution looks for its very nodes. Only when the
 *       projections and filters over a tagged scan are planned, the scan is the reporting one.
 * </ol>
 */
public final class LayoutStrategy extends SparkStrategy {
  private static final TreeNodeTag<Decision> DECISION = new TreeNodeTag<>("keylake.layout");

  /**
   * What becomes of a scan.
   *
   * @param reporting the scan that reports; empty = as it is
   */
  private record Decision(Optional<DataSourceV2ScanRelation> reporting) {}

  private final SparkSession session;

  /** The strategy of a session. */
  public LayoutStrategy(SparkSession session) {
    this.session = session;
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (plan instanceof ReturnAnswer root) {
      decide(root.child());
      return Lists.seq(List.of());
    }
    return reporting(plan)
        .map(new DataSourceV2Strategy((org.apache.spark.sql.classic.SparkSession) session)::apply)
        .orElseGet(() -> Lists.seq(List.of()));
  }

  private void decide(LogicalPlan plan) {
    List<DataSourceV2ScanRelation> scans =
        BucketLayouts.nodes(plan, DataSourceV2ScanRelation.class).stream()
            .filter(relation -> relation.scan() instanceof KeyedScan)
            .toList();
    if (scans.isEmpty()
        || scans.stream().anyMatch(relation -> relation.getTagValue(DECISION).isDefined())) {
      return;
    }
    Map<DataSourceV2ScanRelation, DataSourceV2ScanRelation> reporting =
        new BucketLayouts(session).of(plan);
    scans.forEach(
        relation ->
            relation.setTagValue(
                DECISION, new Decision(Optional.ofNullable(reporting.get(relation)))));
  }

  /** The projections and filters {@code plan} over a scan that is to report. */
  private static Optional<LogicalPlan> reporting(LogicalPlan plan) {
    if (plan instanceof DataSourceV2ScanRelation relation) {
      var decision = relation.getTagValue(DECISION);
      return decision.isDefined()
          ? decision.get().reporting().map(LogicalPlan.class::cast)
          : Optional.empty();
    }
    return plan instanceof Project || plan instanceof Filter
        ? reporting(plan.children().apply(0))
            .map(child -> plan.withNewChildren(Lists.seq(List.of(child))))
        : Optional.empty();
  }
}
