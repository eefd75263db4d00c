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

package io.keylake.spark.file.parquet;

import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import java.math.BigDecimal;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.spark.unsafe.Platform;

/**
 * How numbers lie in a row and in a page. A row has 8 bytes per field; a page 4 or 8 bytes per
 * value.
 */
enum NumberStorage {
  BYTE(Integer.BYTES),
  SHORT(Integer.BYTES),
  INT(Integer.BYTES),
  LONG(Long.BYTES),
  /** A long in the row, an int in the page: decimals of up to 9 digits. */
  LONG_AS_INT(Integer.BYTES),
  /** Microseconds in the row, milliseconds in the page. */
  MICROS_AS_MILLIS(Long.BYTES),
  FLOAT(Integer.BYTES),
  DOUBLE(Long.BYTES);

  private final int width;

  NumberStorage(int width) {
    this.width = width;
  }

  /** Bytes of a value in a page. */
  int width() {
    return width;
  }

  /** Reads the value whose field starts at {@code address} of a row. */
  long read(byte[] bytes, long address) {
    return switch (this) {
      case BYTE -> Platform.getByte(bytes, address);
      case SHORT -> Platform.getShort(bytes, address);
      case INT, FLOAT -> Platform.getInt(bytes, address);
      case LONG, LONG_AS_INT, DOUBLE -> Platform.getLong(bytes, address);
      case MICROS_AS_MILLIS -> Math.floorDiv(Platform.getLong(bytes, address), 1000L);
    };
  }

  /** Whether a stored value is a floating-point zero of either sign. */
  boolean isZero(long stored) {
    return switch (this) {
      case FLOAT -> Float.intBitsToFloat((int) stored) == 0.0f;
      case DOUBLE -> Double.longBitsToDouble(stored) == 0.0;
      case BYTE, SHORT, INT, LONG, LONG_AS_INT, MICROS_AS_MILLIS -> false;
    };
  }

  /** A stored floating-point number with the other sign. */
  long negated(long stored) {
    return stored ^ (this == FLOAT ? Integer.MIN_VALUE : Long.MIN_VALUE);
  }

  /** The hash of a stored value in a bloom filter. */
  long hash(BloomFilter filter, long stored) {
    return switch (this) {
      case LONG, MICROS_AS_MILLIS -> filter.hash(stored);
      case DOUBLE -> filter.hash(Double.longBitsToDouble(stored));
      case FLOAT -> filter.hash(Float.intBitsToFloat((int) stored));
      case BYTE, SHORT, INT, LONG_AS_INT -> filter.hash((int) stored);
    };
  }

  /** The storage of a type's values. */
  static NumberStorage of(AtomicType type) {
    return switch (type.root()) {
      case TINYINT -> BYTE;
      case SMALLINT -> SHORT;
      case INT, DATE, TIME -> INT;
      case BIGINT -> LONG;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case DECIMAL -> type.precision() <= 9 ? LONG_AS_INT : LONG;
      case TIMESTAMP, TIMESTAMP_LTZ -> type.precision() <= 3 ? MICROS_AS_MILLIS : LONG;
      default -> throw new IllegalArgumentException("No number: " + type);
    };
  }

  /** A stored integer as a Java value of the type. */
  static Object toValue(AtomicType type, long stored) {
    return switch (type.root()) {
      case TINYINT -> (byte) stored;
      case SMALLINT -> (short) stored;
      case INT, DATE, TIME -> (int) stored;
      case BIGINT -> stored;
      case DECIMAL -> BigDecimal.valueOf(stored, type.scale());
      case TIMESTAMP, TIMESTAMP_LTZ ->
          type.precision() <= 3 ? new Timestamp(stored, 0) : Timestamp.ofMicros(stored);
      default -> throw new IllegalArgumentException("No integer: " + type);
    };
  }
}
