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

import io.keylake.spark.rowlevel.RowLevelTarget;
import io.keylake.spark.write.KeylakeWriteBuilder;
import io.keylake.spark.write.overwrite.RowCondition;
import io.keylake.spark.write.overwrite.RowReplacement;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;

/**
 * Replaces the rows of one version of a table for which a condition is true.
 *
 * <ol>
 *   <li>Tasks write the new rows as those of an INSERT, but without compaction and without a
 *       changelog of their own, and refuse rows for which the condition is not true.
 *   <li>Then the rows of the version for which it is true are found as those of a DELETE: by a scan
 *       that skips what cannot hold any, planned by Spark.
 *   <li>The commit of that DELETE takes the files of the new rows along: one snapshot, with the
 *       checks against other writers that a DELETE has.
 * </ol>
 *
 * <p>Lives on the driver.
 */
public final class ReplacedRows implements RowReplacement {
  private final RowLevelTarget target;

  /** Replaces rows of {@code target}. */
  public ReplacedRows(RowLevelTarget target) {
    this.target = target;
  }

  @Override
  public Write write(RowCondition condition, LogicalWriteInfo info) {
    return new ReplacingWrite(
        target,
        condition,
        KeylakeWriteBuilder.addedRows(target.write().withoutCompaction().withoutChangelog(), info));
  }
}
