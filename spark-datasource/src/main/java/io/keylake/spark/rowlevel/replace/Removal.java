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

package io.keylake.spark.rowlevel.replace;

import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.rowlevel.RowLevelTarget;
import io.keylake.spark.write.WriteTarget.Functions;
import io.keylake.spark.write.overwrite.RowCondition;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;

/**
 * Takes the rows away for which a condition is true, by a DELETE of Spark's that is part of the
 * running statement, and commits that together with new rows. For one execution and one thread, on
 * the driver.
 */
final class Removal {
  private final RowLevelTarget target;
  private final RowCondition condition;
  private final JoinedRows joined = new JoinedRows();

  Removal(RowLevelTarget target, RowCondition condition) {
    this.target = target;
    this.condition = condition;
  }

  /**
   * Removes the rows and commits.
   *
   * @param added what tasks wrote; it becomes part of the same snapshot
   */
  void run(WriterCommitMessage[] added) {
    joined.set(List.of(added));
    SparkSession session = SparkSession.active();
    DataSourceV2Relation rows =
        DataSourceV2Relation.create(
            new RemovalTable(target, joined), catalog(session), Option.empty());
    SparkErrors.translate(
        () -> Dataset.ofRows(session, new DeleteFromTable(rows, condition.named())));
    if (!joined.isTaken()) {
      throw new IllegalStateException(
          "The rows of " + target.write().name().text() + " were not replaced: " + condition);
    }
  }

  /** Where Spark finds the bucket function. */
  private Option<CatalogPlugin> catalog(SparkSession session) {
    return target.write().functions() == Functions.NONE
        ? Option.empty()
        : Option.apply(
            session.sessionState().catalogManager().catalog(target.write().name().catalog()));
  }

  /** Whether the new rows are in the hands of the commit. */
  boolean hasBegunToCommit() {
    return joined.isTaken();
  }

  /** What the commit made known; none before it. */
  CustomTaskMetric[] metrics() {
    return joined.metrics();
  }
}
