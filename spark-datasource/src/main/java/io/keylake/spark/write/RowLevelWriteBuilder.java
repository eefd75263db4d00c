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

import io.keylake.format.snapshot.Snapshot;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.jspecify.annotations.Nullable;

/** What one row-level statement writes. */
public final class RowLevelWriteBuilder implements DeltaWriteBuilder {
  private final WriteTarget target;
  private final LogicalWriteInfo info;
  private final Command command;
  private final @Nullable Snapshot base;

  /**
   * A builder of a write to {@code target}.
   *
   * @param base the snapshot whose rows the statement reads; null = an empty table
   */
  public RowLevelWriteBuilder(
      WriteTarget target, LogicalWriteInfo info, Command command, @Nullable Snapshot base) {
    this.target = target;
    this.info = info;
    this.command = command;
    this.base = base;
  }

  @Override
  public DeltaWrite build() {
    throw new UnsupportedOperationException(
        command + " " + target.name().text() + " " + info.queryId() + " " + base);
  }
}
