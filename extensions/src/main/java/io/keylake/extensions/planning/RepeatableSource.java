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

import io.keylake.spark.KeylakeTable;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * Tells sources that give the same rows each time they are read within one statement. Others, such
 * as tables of a database that changes meanwhile, random samples, LIMIT or windows over ties, must
 * be read once: a key that only the second read has would not be looked for.
 */
final class RepeatableSource {
  private RepeatableSource() {}

  static boolean isRepeatable(LogicalPlan plan) {
    return plan.deterministic()
        && !plan.isStreaming()
        && !plan.containsPattern(TreePattern.PLAN_EXPRESSION())
        && everyNode(plan);
  }

  private static boolean everyNode(LogicalPlan plan) {
    return isKnown(plan)
        && Lists.of(plan.children()).stream().allMatch(RepeatableSource::everyNode);
  }

  private static boolean isKnown(LogicalPlan plan) {
    if (plan instanceof DataSourceV2Relation relation) {
      return relation.table() instanceof KeylakeTable;
    }
    if (plan instanceof LogicalRelation relation) {
      return relation.relation() instanceof HadoopFsRelation;
    }
    if (plan instanceof InMemoryRelation cached) {
      return isRepeatable(cached.cacheBuilder().logicalPlan());
    }
    return plan instanceof Project
        || plan instanceof Filter
        || plan instanceof Union
        || plan instanceof Join
        || plan instanceof Aggregate
        || plan instanceof LocalRelation
        || plan instanceof OneRowRelation
        || plan instanceof Range;
  }
}
