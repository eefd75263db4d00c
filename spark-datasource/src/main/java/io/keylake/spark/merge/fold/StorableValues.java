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

package io.keylake.spark.merge.fold;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;

/**
 * Finds folded values that their columns cannot take, before such rows are written: sums of compact
 * DECIMALs are added as integers, whatever the column's precision. 99.00 + 5.00 is 104.00, which
 * DECIMAL(4,2) does not hold.
 */
public final class StorableValues {
  /** A column of DECIMALs of up to 18 digits. */
  private record Compact(int column, AtomicType type, long limit) {}

  private final String table;
  private final TableSchema schema;
  private final List<Compact> compact = new ArrayList<>();

  /**
   * For rows of all columns of {@code schema}.
   *
   * @param table the table's name, for messages
   */
  public StorableValues(String table, TableSchema schema) {
    this.table = table;
    this.schema = schema;
    for (int i = 0; i < schema.fields().size(); i++) {
      DataType type = schema.fields().get(i).type();
      if (type.root() == TypeRoot.DECIMAL
          && type instanceof AtomicType decimal
          && decimal.precision() <= Decimal.MAX_LONG_DIGITS()) {
        compact.add(new Compact(i, decimal, (long) Math.pow(10, decimal.precision())));
      }
    }
  }

  /**
   * Checks folded rows.
   *
   * @throws InvalidRequestException KEYLAKE_VALUE_OUT_OF_RANGE with the column
   */
  public void check(FoldedRows rows) {
    for (Compact decimals : compact) {
      check(rows, decimals);
    }
  }

  private void check(FoldedRows rows, Compact decimals) {
    WritableColumnVector values = rows.column(decimals.column());
    AtomicType type = decimals.type();
    for (int row = 0; row < rows.rows(); row++) {
      if (!values.isNullAt(row)) {
        Decimal value = values.getDecimal(row, type.precision(), type.scale());
        if (Math.abs(value.toUnscaledLong()) >= decimals.limit()) {
          throw refuseRange(schema.fields().get(decimals.column()).name(), type, value);
        }
      }
    }
  }

  private InvalidRequestException refuseRange(String column, AtomicType type, Decimal value) {
    return new InvalidRequestException(
        Condition.KEYLAKE_VALUE_OUT_OF_RANGE,
        "The rows of one key combine to "
            + value
            + " in column "
            + column
            + " of table "
            + table
            + ", which is DECIMAL("
            + type.precision()
            + ","
            + type.scale()
            + "). Nothing is lost: widen the column (ALTER TABLE ... ALTER COLUMN "
            + column
            + " TYPE DECIMAL("
            + Math.min(38, type.precision() + 10)
            + ","
            + type.scale()
            + ")) and try again.");
  }
}
