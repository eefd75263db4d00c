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

package io.keylake.spark.rowlevel;

import io.keylake.spark.rowlevel.append.AppendOperation;
import io.keylake.spark.rowlevel.keyed.KeyedOperation;
import io.keylake.spark.write.change.Purpose;
import io.keylake.table.options.support.RewriteSupport;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.SupportsDelta;

/** Chooses how a table carries out row-level statements. */
public final class RowLevelOperations {
  private RowLevelOperations() {}

  /** One statement on {@code target}. */
  public static SupportsDelta of(RowLevelTarget target, RowLevelOperation.Command command) {
    return of(target, command, Purpose.STATEMENT);
  }

  /** The part of an overwrite of {@code target} that takes rows away. */
  public static SupportsDelta removal(RowLevelTarget target) {
    return of(target, RowLevelOperation.Command.DELETE, Purpose.OVERWRITE);
  }

  private static SupportsDelta of(
      RowLevelTarget target, RowLevelOperation.Command command, Purpose purpose) {
    if (command != RowLevelOperation.Command.DELETE) {
      RewriteSupport.check(target.write().schema(), target.write().name().text());
    }
    return target.write().schema().hasPrimaryKey()
        ? new KeyedOperation(target, command, purpose)
        : new AppendOperation(target, command, purpose);
  }
}
