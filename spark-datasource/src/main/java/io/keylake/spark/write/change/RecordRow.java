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

package io.keylake.spark.write.change;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.ColumnRule;
import io.keylake.table.options.engine.EngineRules;
import java.math.BigDecimal;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/**
 * The record that should make one row of another when it is folded onto it.
 *
 * <ol>
 *   <li>A column that does not change is NULL where the engine passes NULL over.
 *   <li>A sum gets what the old value lacks. Floating-point sums are left alone: they would not
 *       come out to the bit.
 *   <li>Any other column gets the new value.
 * </ol>
 *
 * <p>For one thread.
 */
final class RecordRow {
  private final List<DataField> fields;
  private final List<ColumnRule> rules;
  private final DataType[] types;
  private final boolean[] fixed;
  private final long firstField;
  private final UnsafeRow record;

  RecordRow(TableSchema schema, EngineRules engine) {
    this.fields = schema.fields();
    this.rules = columnRules(engine);
    this.types = new DataType[fields.size()];
    this.fixed = new boolean[fields.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = SparkTypes.toSpark(fields.get(i).name(), fields.get(i).type());
      fixed[i] = UnsafeRow.isFixedLength(types[i]);
    }
    this.firstField = UnsafeRow.calculateBitSetWidthInBytes(fields.size());
    this.record = UnsafeRow.createFromByteArray(0, fields.size());
  }

  private static List<ColumnRule> columnRules(EngineRules engine) {
    if (engine instanceof EngineRules.PartialUpdate partial) {
      return partial.columns();
    }
    if (engine instanceof EngineRules.Aggregation aggregation) {
      return aggregation.columns();
    }
    throw new IllegalArgumentException("Rows are not computed by " + engine);
  }

  /** The record, valid until the next call. */
  UnsafeRow of(UnsafeRow old, UnsafeRow next) {
    record.copyFrom(next);
    for (int i = 0; i < types.length; i++) {
      AggregateFunction function = rules.get(i).function();
      if (isSame(old, next, i)) {
        if (fields.get(i).type().nullable() && passesNullOver(function)) {
          record.setNullAt(i);
        }
      } else if (function == Plain.SUM && !old.isNullAt(i) && !next.isNullAt(i)) {
        setDifference(i, old, next);
      }
    }
    return record;
  }

  private boolean isSame(UnsafeRow left, UnsafeRow right, int field) {
    if (left.isNullAt(field) || right.isNullAt(field)) {
      return left.isNullAt(field) && right.isNullAt(field);
    }
    long leftWord = word(left, field);
    long rightWord = word(right, field);
    if (fixed[field]) {
      return leftWord == rightWord;
    }
    int size = (int) leftWord;
    return size == (int) rightWord
        && ByteArrayMethods.arrayEquals(
            left.getBaseObject(),
            left.getBaseOffset() + (leftWord >>> 32),
            right.getBaseObject(),
            right.getBaseOffset() + (rightWord >>> 32),
            size);
  }

  private long word(UnsafeRow row, int field) {
    return Platform.getLong(row.getBaseObject(), row.getBaseOffset() + firstField + 8L * field);
  }

  private static boolean passesNullOver(AggregateFunction function) {
    return !(function instanceof Plain plain)
        || switch (plain) {
          case KEY, GROUP_ORDER, GROUP_VALUE, LAST_VALUE, FIRST_VALUE -> false;
          default -> true;
        };
  }

  private void setDifference(int field, UnsafeRow old, UnsafeRow next) {
    if (!(fields.get(field).type() instanceof AtomicType type)) {
      return;
    }
    switch (type.root()) {
      case TINYINT -> {
        int difference = next.getByte(field) - old.getByte(field);
        if (difference == (byte) difference) {
          record.setByte(field, (byte) difference);
        }
      }
      case SMALLINT -> {
        int difference = next.getShort(field) - old.getShort(field);
        if (difference == (short) difference) {
          record.setShort(field, (short) difference);
        }
      }
      case INT -> {
        long difference = (long) next.getInt(field) - old.getInt(field);
        if (difference == (int) difference) {
          record.setInt(field, (int) difference);
        }
      }
      case BIGINT -> {
        long difference = next.getLong(field) - old.getLong(field);
        boolean overflows =
            ((next.getLong(field) ^ old.getLong(field)) & (next.getLong(field) ^ difference)) < 0;
        if (!overflows) {
          record.setLong(field, difference);
        }
      }
      case DECIMAL -> {
        int precision = type.precision();
        int scale = type.scale();
        BigDecimal difference =
            next.getDecimal(field, precision, scale)
                .toJavaBigDecimal()
                .subtract(old.getDecimal(field, precision, scale).toJavaBigDecimal());
        if (difference.precision() <= precision) {
          record.setDecimal(field, Decimal.apply(difference, precision, scale), precision);
        }
      }
      default -> {}
    }
  }
}
