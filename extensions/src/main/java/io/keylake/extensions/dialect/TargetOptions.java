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

package io.keylake.extensions.dialect;

import io.keylake.extensions.plans.Replacing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.UpdateTable;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * Options of the table that a DELETE, UPDATE or MERGE changes.
 *
 * @param table its name as written
 * @param options what is added to those that the relation has
 */
record TargetOptions(List<String> table, Map<String, String> options) {
  /** There are none. */
  static final TargetOptions NONE = new TargetOptions(List.of(), Map.of());

  /** The statement with the options. */
  LogicalPlan applied(LogicalPlan plan) {
    if (options.isEmpty()) {
      return plan;
    }
    return plan.transformDown(
        new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
          @Override
          public boolean isDefinedAt(LogicalPlan node) {
            return node instanceof DeleteFromTable
                || node instanceof UpdateTable
                || node instanceof MergeIntoTable;
          }

          @Override
          public LogicalPlan apply(LogicalPlan node) {
            return TargetOptions.this.appliedTo(node);
          }
        });
  }

  private LogicalPlan appliedTo(LogicalPlan node) {
    List<LogicalPlan> children = new ArrayList<>(CollectionConverters.asJava(node.children()));
    children.set(0, withOptions(children.get(0)));
    return node.withNewChildren(CollectionConverters.asScala(children).toIndexedSeq());
  }

  private LogicalPlan withOptions(LogicalPlan target) {
    return target.transformDown(
        new Replacing<>(
            UnresolvedRelation.class,
            relation ->
                CollectionConverters.asJava(relation.multipartIdentifier()).equals(table)
                    ? Optional.of(withOptions(relation))
                    : Optional.empty()));
  }

  private UnresolvedRelation withOptions(UnresolvedRelation relation) {
    Map<String, String> all = new HashMap<>(relation.options().asCaseSensitiveMap());
    all.putAll(options);
    return new UnresolvedRelation(
        relation.multipartIdentifier(), new CaseInsensitiveStringMap(all), relation.isStreaming());
  }
}
