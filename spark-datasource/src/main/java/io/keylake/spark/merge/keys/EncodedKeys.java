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

package io.keylake.spark.merge.keys;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import java.math.BigInteger;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Keys of any shape, encoded so that the order of their bytes is the order of the keys.
 *
 * <ol>
 *   <li>Fixed width: 8 bytes, big-endian, sign bit flipped.
 *   <li>DECIMAL of more than 18 digits: 16 bytes of two's complement, big-endian, sign bit flipped.
 *   <li>Texts and binaries: byte 0 becomes 0 255, and 0 0 ends the value.
 * </ol>
 *
 * Example: ("a", 1) is {@code 61 00 00 80 00 00 00 00 00 00 01}.
 */
final class EncodedKeys extends BytesKeys {
  private static final int WIDE_BYTES = 16;

  private final DataType[] types;
  private final FixedColumn[] fixedColumns;
  private final long[][] fixedValues;
  private byte[] buffer = new byte[1024];
  private int[] ends = new int[0];
  private int end;

  EncodedKeys(RowType keyType) {
    types = new DataType[keyType.size()];
    fixedColumns = new FixedColumn[types.length];
    fixedValues = new long[types.length][];
    for (int i = 0; i < types.length; i++) {
      types[i] = keyType.field(i).type();
      if (FixedColumn.isFixed(types[i])) {
        fixedColumns[i] = FixedColumn.of(types[i]);
        fixedValues[i] = new long[0];
      }
    }
  }

  static boolean isBytes(DataType type) {
    return switch (type.root()) {
      case CHAR, VARCHAR, BINARY, VARBINARY -> true;
      default -> false;
    };
  }

  @Override
  void loadKeys(ColumnVector[] columns, int rows) {
    if (ends.length < rows) {
      ends = new int[rows];
    }
    for (int column = 0; column < types.length; column++) {
      if (fixedValues[column] != null) {
        if (fixedValues[column].length < rows) {
          fixedValues[column] = new long[rows];
        }
        fixedColumns[column].load(columns[column], rows, fixedValues[column]);
      }
    }
    end = 0;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < types.length; column++) {
        if (fixedValues[column] != null) {
          addLong(fixedValues[column][row]);
        } else if (isBytes(types[column])) {
          addBytes(columns[column].getBinary(row));
        } else {
          addDecimal(columns[column], row, (AtomicType) types[column]);
        }
      }
      ends[row] = end;
    }
    use(buffer, ends, rows);
  }

  private void addLong(long value) {
    buffer = grown(buffer, end + Long.BYTES);
    long flipped = value ^ Long.MIN_VALUE;
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer[end++] = (byte) (flipped >>> shift);
    }
  }

  private void addBytes(byte[] value) {
    buffer = grown(buffer, end + 2 * value.length + 2);
    for (byte b : value) {
      buffer[end++] = b;
      if (b == 0) {
        buffer[end++] = (byte) 0xFF;
      }
    }
    buffer[end++] = 0;
    buffer[end++] = 0;
  }

  private void addDecimal(ColumnVector column, int row, AtomicType type) {
    BigInteger unscaled =
        column.getDecimal(row, type.precision(), type.scale()).toJavaBigDecimal().unscaledValue();
    byte[] bytes = unscaled.toByteArray();
    buffer = grown(buffer, end + WIDE_BYTES);
    byte fill = (byte) (unscaled.signum() < 0 ? 0xFF : 0);
    int start = end;
    for (int i = bytes.length; i < WIDE_BYTES; i++) {
      buffer[end++] = fill;
    }
    for (byte b : bytes) {
      buffer[end++] = b;
    }
    buffer[start] ^= (byte) 0x80;
  }
}
