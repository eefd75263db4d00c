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

package io.keylake.spark.merge.function;

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;

/** The widths of integers in vectors. DECIMALs of up to 18 digits are integers, too. */
enum IntegerWidth {
  BYTE(Long.SIZE - Byte.SIZE),
  SHORT(Long.SIZE - Short.SIZE),
  INT(Long.SIZE - Integer.SIZE),
  LONG(0);

  /** The most digits of a DECIMAL that is an integer in its vector. */
  static final int MAX_DIGITS = Decimal.MAX_LONG_DIGITS();

  private final int unusedBits;

  IntegerWidth(int unusedBits) {
    this.unusedBits = unusedBits;
  }

  /** The width of DECIMALs of so many digits, at most {@link #MAX_DIGITS}. */
  static IntegerWidth ofDigits(int digits) {
    return digits <= Decimal.MAX_INT_DIGITS() ? INT : LONG;
  }

  /** The lowest bits of a number that this width holds, as a number of this width. */
  long wrap(long value) {
    return value << unusedBits >> unusedBits;
  }

  long get(WritableColumnVector values, int row) {
    return switch (this) {
      case BYTE -> values.getByte(row);
      case SHORT -> values.getShort(row);
      case INT -> values.getInt(row);
      case LONG -> values.getLong(row);
    };
  }

  void put(WritableColumnVector target, int row, long value) {
    switch (this) {
      case BYTE -> target.putByte(row, (byte) value);
      case SHORT -> target.putShort(row, (short) value);
      case INT -> target.putInt(row, (int) value);
      case LONG -> target.putLong(row, value);
    }
  }
}
