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

package io.keylake.format.row;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeText;

/**
 * Where the parts of a binary row and of a binary array are.
 *
 * <ol>
 *   <li>Row: a block of one kind byte and one null bit per field, {@code ((arity + 71) / 64) * 8}
 *       bytes; then 8 bytes per field; then the variable part, in steps of 8. The null bit of field
 *       i is bit i + 8 of the block, counted from the least significant bit of byte 0.
 *   <li>Array: the number of elements as int32; null bits in steps of 4 bytes; the elements in
 *       their natural width, in total a multiple of 8; then the variable part.
 *   <li>A reference to the variable part is {@code (offset << 32) | length}, the offset counting
 *       from the start of the row or array. Text and bytes of at most 7 bytes are in the slot
 *       itself, with {@code 0x80 | length} in its last byte.
 * </ol>
 *
 * Rule source: table format, BinaryRow. Pinned by {@code BinaryRowCodecTest}.
 */
final class RowLayout {
  static final int SLOT_SIZE = 8;
  static final int MAX_INLINE_LENGTH = 7;
  static final int INLINE_FLAG = 0x80;
  static final int MAX_COMPACT_DECIMAL_PRECISION = 18;
  static final int MAX_COMPACT_TIMESTAMP_PRECISION = 3;
  static final int BIG_DECIMAL_SIZE = 16;
  static final int HEADER_BITS = 8;

  private RowLayout() {}

  static int nullBlockSize(int arity) {
    return (arity + 63 + HEADER_BITS) / 64 * 8;
  }

  static int slotOffset(int arity, int position) {
    return nullBlockSize(arity) + SLOT_SIZE * position;
  }

  static int fixedSize(int arity) {
    return nullBlockSize(arity) + SLOT_SIZE * arity;
  }

  static int arrayHeaderSize(int size) {
    return 4 + (size + 31) / 32 * 4;
  }

  static int arrayFixedSize(int size, int elementWidth) {
    return roundUp(Math.addExact(arrayHeaderSize(size), Math.multiplyExact(size, elementWidth)));
  }

  static int roundUp(int size) {
    return Math.addExact(size, 7) & ~7;
  }

  static long reference(int offset, int length) {
    return ((long) offset << 32) | length;
  }

  static boolean isCompactDecimal(DataType type) {
    return ((AtomicType) type).precision() <= MAX_COMPACT_DECIMAL_PRECISION;
  }

  static boolean isCompactTimestamp(DataType type) {
    return ((AtomicType) type).precision() <= MAX_COMPACT_TIMESTAMP_PRECISION;
  }

  /** Bytes of one element of this type in an array. */
  static int elementWidth(DataType type) {
    return switch (type.root()) {
      case BOOLEAN, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, FLOAT, DATE, TIME -> 4;
      case BIGINT,
          DOUBLE,
          DECIMAL,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          TIMESTAMP,
          TIMESTAMP_LTZ,
          VARIANT,
          BLOB,
          ARRAY,
          MAP,
          MULTISET,
          ROW,
          VECTOR ->
          SLOT_SIZE;
    };
  }

  static UnsupportedTableException unsupported(DataType type) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Cannot store a value of type "
            + TypeText.of(type)
            + " in a binary row: this version does not read or write it. Leave the column out of"
            + " keys and partitions.");
  }
}
