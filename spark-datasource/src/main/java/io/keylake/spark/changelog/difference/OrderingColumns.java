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

package io.keylake.spark.changelog.difference;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineRules;
import java.util.ArrayList;
import java.util.List;

/** The columns that decide which row of a key counts. */
final class OrderingColumns {
  private static final int SPARK_TIMESTAMP_DIGITS = 6;

  private OrderingColumns() {}

  /**
   * Checks that their values are known exactly.
   *
   * @param where what is read, for messages
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_TYPE where times are finer than Spark's
   */
  static void check(TableSchema schema, String where) {
    List<DataField> columns = new ArrayList<>(schema.keyType().fields());
    columns.addAll(new SequenceOrder(schema, TableOptions.of(schema).merge()).columns());
    if (EngineRules.of(schema, where) instanceof EngineRules.PartialUpdate partial) {
      partial.groups().stream()
          .flatMap(group -> group.fields().stream())
          .map(schema.fields()::get)
          .forEach(columns::add);
    }
    for (DataField column : columns) {
      if (column.type() instanceof AtomicType type && isFinerThanSpark(type)) {
        throw new UnsupportedTableException(
            Condition.KEYLAKE_UNSUPPORTED_TYPE,
            "Column "
                + column.name()
                + " decides which row of a key counts, but Spark's timestamps have microseconds and"
                + " the column has a precision of "
                + type.precision()
                + " ("
                + where
                + "). Changes of such a table cannot be computed here: set 'changelog-producer' and"
                + " write it with another engine.");
      }
    }
  }

  private static boolean isFinerThanSpark(AtomicType type) {
    return (type.root() == TypeRoot.TIMESTAMP || type.root() == TypeRoot.TIMESTAMP_LTZ)
        && type.precision() > SPARK_TIMESTAMP_DIGITS;
  }
}
