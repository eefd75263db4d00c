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

package io.keylake.spark.convert;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Rows of partition values (or keys) between the format's binary form and Spark's rows. Only types
 * without inner types occur. Immutable, safe for many threads.
 */
public final class PartitionRows {
  private final RowType type;
  private final BinaryRowCodec codec;

  /** For rows of {@code type}. */
  public PartitionRows(RowType type) {
    this.type = type;
    this.codec = BinaryRowCodec.of(type);
  }

  /** The values of {@code row} as Spark holds them. */
  public InternalRow rowToSpark(BinaryRow row) {
    Object[] values = new Object[type.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = toSpark(codec.value(row, i));
    }
    return new GenericInternalRow(values);
  }

  /**
   * A value of the format (as in {@link io.keylake.format.predicate.Predicate} literals) as Spark
   * holds it.
   */
  public static @Nullable Object toSpark(@Nullable Object value) {
    if (value instanceof String text) {
      return UTF8String.fromString(text);
    } else if (value instanceof Timestamp time) {
      return time.toMicros();
    } else if (value instanceof BigDecimal number) {
      return Decimal.apply(number, Math.max(number.precision(), number.scale()), number.scale());
    } else if (value instanceof Bytes bytes) {
      return bytes.toArray();
    }
    return value;
  }

  /** The row of partition values of {@code row}, whose columns are those of the type, in order. */
  public BinaryRow toBinary(InternalRow row) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < type.size(); i++) {
      DataField field = type.field(i);
      Object value =
          row.isNullAt(i) ? null : row.get(i, SparkTypes.toSpark(field.name(), field.type()));
      values.add(toFormat(value, field.type()));
    }
    return codec.encode(values);
  }

  /** Spark's value of a column of {@code type} as the format's value. */
  public static @Nullable Object toFormat(@Nullable Object value, DataType type) {
    if (value instanceof UTF8String text) {
      return text.toString();
    } else if (value instanceof Decimal number) {
      return number.toJavaBigDecimal().setScale(((AtomicType) type).scale());
    } else if (value instanceof byte[] bytes) {
      return Bytes.copyOf(bytes);
    } else if (value instanceof Long micros) {
      return switch (type.root()) {
        case TIMESTAMP, TIMESTAMP_LTZ -> Timestamp.ofMicros(micros);
        default -> micros;
      };
    }
    return value;
  }
}
