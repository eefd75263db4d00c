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

package io.keylake.spark.rowlevel.append;

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.read.KeylakeScanBuilder;
import io.keylake.spark.rowlevel.RowLevelTarget;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** One row-level statement on a table without a primary key. */
public final class AppendOperation implements RowLevelOperation {
  private final RowLevelTarget target;
  private final Command command;

  /** A statement on {@code target}. */
  public AppendOperation(RowLevelTarget target, Command command) {
    this.target = target;
    this.command = command;
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new KeylakeScanBuilder(target.read());
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    throw SparkErrors.failure(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION,
        command + " on " + target.write().name().text() + " is not supported.");
  }
}
