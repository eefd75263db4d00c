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
import io.keylake.spark.write.overwrite.RowCondition;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.jspecify.annotations.Nullable;

/** The write of the new rows, distributed as those of an INSERT. */
final class ReplacingWrite extends SameDistribution {
  private final RowLevelTarget target;
  private final RowCondition condition;
  private final RequiresDistributionAndOrdering rows;
  private @Nullable ReplacingBatchWrite batch;

  ReplacingWrite(
      RowLevelTarget target, RowCondition condition, RequiresDistributionAndOrdering rows) {
    super(rows);
    this.target = target;
    this.condition = condition;
    this.rows = rows;
  }

  @Override
  public String description() {
    return super.description() + ", replacing rows where " + condition.text();
  }

  @Override
  public BatchWrite toBatch() {
    ReplacingBatchWrite made =
        SparkErrors.translating(() -> new ReplacingBatchWrite(target, condition, rows.toBatch()));
    batch = made;
    return made;
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return batch == null ? new CustomTaskMetric[0] : batch.metrics();
  }
}
