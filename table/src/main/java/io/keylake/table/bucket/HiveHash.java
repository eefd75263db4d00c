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

package io.keylake.table.bucket;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * The hash of a row as Hive computes it: 31 times the hash so far plus that of the next column,
 * where NULL is 0. BOOLEAN is 1 or 0; whole numbers, DATE and TIME are themselves, BIGINT folded to
 * 32 bits; FLOAT and DOUBLE are their bits, -0.0 as 0.0; text and bytes are the 31-polynomial of
 * their signed bytes; DECIMAL is Java's hash of the value without trailing zeros. Timestamps have
 * no such hash.
 *
 * <p>Rule source: table format, bucket assignment (hive). Pinned by {@code BucketFunctionTest}.
 */
final class HiveHash {
  private HiveHash() {}

  static int of(RowType type, BinaryRow row) {
    BinaryRowCodec codec = BinaryRowCodec.of(type);
    int hash = 0;
    for (int i = 0; i < type.size(); i++) {
      Object value = codec.value(row, i);
      hash = 31 * hash + (value == null ? 0 : of(type.field(i), value));
    }
    return hash;
  }

  private static int of(DataField field, Object value) {
    return switch (field.type().root()) {
      case BOOLEAN -> (Boolean) value ? 1 : 0;
      case TINYINT, SMALLINT, INT, DATE, TIME -> ((Number) value).intValue();
      case BIGINT -> Long.hashCode((Long) value);
      case FLOAT -> (Float) value == 0f ? 0 : Float.floatToIntBits((Float) value);
      case DOUBLE ->
          (Double) value == 0d ? 0 : Long.hashCode(Double.doubleToLongBits((Double) value));
      case CHAR, VARCHAR -> of(((String) value).getBytes(StandardCharsets.UTF_8));
      case BINARY, VARBINARY -> of(((Bytes) value).array());
      case DECIMAL -> of((BigDecimal) value);
      default ->
          throw new UnsupportedTableException(
              Condition.KEYLAKE_UNSUPPORTED_TYPE,
              "Column '"
                  + field.name()
                  + "' of type "
                  + field.type().root()
                  + " cannot be hashed with 'bucket-function.type' = 'hive'. Use another bucket"
                  + " key or function.");
    };
  }

  private static int of(byte[] bytes) {
    int hash = 0;
    for (byte b : bytes) {
      hash = 31 * hash + b;
    }
    return hash;
  }

  private static int of(BigDecimal value) {
    if (value.signum() == 0) {
      return 0;
    }
    BigDecimal stripped = value.stripTrailingZeros();
    return (stripped.scale() < 0 ? stripped.setScale(0) : stripped).hashCode();
  }
}
