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

package io.keylake.format.index;

import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeRoot;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * How file indexes hash and store the values of a column.
 *
 * <p>Rule source: table format, file indexes; vectors of the reference implementation 1.4.2 in
 * {@code FileIndexesTest}.
 */
final class IndexedValue {
  private static final XXHash64 XX_HASH = XXHashFactory.fastestJavaInstance().hash64();
  private static final int MILLISECOND_PRECISION = 3;

  private IndexedValue() {}

  /** Whether a Bloom filter can hold values of this type. */
  static boolean isHashable(DataType type) {
    return switch (type.root()) {
      case TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ ->
          true;
      case BOOLEAN, DECIMAL, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> false;
    };
  }

  /** Whether a bitmap index can hold values of this type. */
  static boolean isStorable(DataType type) {
    return switch (type.root()) {
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          CHAR,
          VARCHAR,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ ->
          true;
      case BINARY, VARBINARY, DECIMAL, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> false;
    };
  }

  /** The 64-bit hash of a value of a hashable type. */
  static long hash(DataType type, Object value) {
    if (value instanceof String text) {
      return hash(text.getBytes(StandardCharsets.UTF_8));
    }
    if (value instanceof Bytes bytes) {
      return hash(bytes.array());
    }
    if (value instanceof Float number) {
      return mix(Float.floatToIntBits(number));
    }
    if (value instanceof Double number) {
      return mix(Double.doubleToLongBits(number));
    }
    return mix(asLong(type, value));
  }

  private static long hash(byte[] bytes) {
    return XX_HASH.hash(bytes, 0, bytes.length, 0);
  }

  private static long asLong(DataType type, Object value) {
    if (value instanceof Timestamp timestamp) {
      return precision(type) <= MILLISECOND_PRECISION ? timestamp.millis() : timestamp.toMicros();
    }
    return ((Number) value).longValue();
  }

  private static int precision(DataType type) {
    return ((AtomicType) type).precision();
  }

  /** Thomas Wang's 64-bit mix. */
  private static long mix(long value) {
    long key = ~value + (value << 21);
    key ^= key >> 24;
    key = key + (key << 3) + (key << 8);
    key ^= key >> 14;
    key = key + (key << 2) + (key << 4);
    key ^= key >> 28;
    return key + (key << 31);
  }

  /** Writes a value of a storable type. */
  static void write(DataType type, Object value, DataOutput out) throws IOException {
    switch (type.root()) {
      case BOOLEAN -> out.writeBoolean((Boolean) value);
      case TINYINT -> out.writeByte(((Number) value).byteValue());
      case SMALLINT -> out.writeShort(((Number) value).shortValue());
      case INT, DATE, TIME -> out.writeInt(((Number) value).intValue());
      case FLOAT -> out.writeFloat((Float) value);
      case DOUBLE -> out.writeDouble((Double) value);
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> out.writeLong(asLong(type, value));
      default -> {
        byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
      }
    }
  }

  /** Reads a value as {@link #write} stores it; timestamps come back as in {@link #comparable}. */
  static Object read(DataType type, DataInput in) throws IOException {
    return switch (type.root()) {
      case BOOLEAN -> in.readBoolean();
      case TINYINT -> in.readByte();
      case SMALLINT -> in.readShort();
      case INT, DATE, TIME -> in.readInt();
      case FLOAT -> in.readFloat();
      case DOUBLE -> in.readDouble();
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> in.readLong();
      default -> {
        byte[] text = new byte[in.readInt()];
        in.readFully(text);
        yield new String(text, StandardCharsets.UTF_8);
      }
    };
  }

  /**
   * The form of a value in which stored and asked values are equal: a timestamp as the long that is
   * stored.
   */
  static Object comparable(DataType type, Object value) {
    return value instanceof Timestamp ? (Object) asLong(type, value) : value;
  }

  /**
   * Whether equality of values of this type is the equality SQL means; -0.0 and 0.0 make floating
   * point unsafe.
   */
  static boolean hasExactEquality(DataType type) {
    return type.root() != TypeRoot.FLOAT && type.root() != TypeRoot.DOUBLE;
  }
}
