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

package io.keylake.spark.file.gather;

import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Puts values of a column of fixed width, none of them NULL, into the words of rows: one loop for
 * each width.
 */
@FunctionalInterface
interface FixedGather {
  /**
   * Puts the values of some items.
   *
   * @param words where the words are
   * @param column the values of a source
   * @param items from {@code begin} to {@code end} the items
   * @param rows the row of each item in the source
   */
  void put(Words words, ColumnVector column, int[] items, int[] rows, int begin, int end);

  /**
   * The words of one field.
   *
   * @param bytes the rows
   * @param starts where the row of each item, less {@code first}, starts
   * @param first the first item
   * @param field where the word is in its row
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Words(byte[] bytes, long[] starts, int first, long field) {}

  /** The loop for values of {@code type}; null when their width is not fixed. */
  static @Nullable FixedGather of(DataType type) {
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return FixedGather::longs;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return FixedGather::ints;
    } else if (type instanceof DoubleType) {
      return FixedGather::doubles;
    } else if (type instanceof FloatType) {
      return FixedGather::floats;
    } else if (type instanceof DecimalType && DecimalType.is32BitDecimalType(type)) {
      return FixedGather::intsAsLongs;
    } else if (type instanceof DecimalType && DecimalType.is64BitDecimalType(type)) {
      return FixedGather::longs;
    }
    return small(type);
  }

  private static @Nullable FixedGather small(DataType type) {
    if (type instanceof BooleanType) {
      return FixedGather::booleans;
    } else if (type instanceof ByteType) {
      return FixedGather::bytes;
    } else if (type instanceof ShortType) {
      return FixedGather::shorts;
    }
    return null;
  }

  private static void longs(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    byte[] bytes = words.bytes();
    long[] starts = words.starts();
    int first = words.first();
    long field = words.field();
    for (int i = begin; i < end; i++) {
      int item = items[i];
      Platform.putLong(bytes, starts[item - first] + field, column.getLong(rows[item]));
    }
  }

  private static void ints(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    byte[] bytes = words.bytes();
    long[] starts = words.starts();
    int first = words.first();
    long field = words.field();
    for (int i = begin; i < end; i++) {
      int item = items[i];
      long word = starts[item - first] + field;
      Platform.putLong(bytes, word, 0);
      Platform.putInt(bytes, word, column.getInt(rows[item]));
    }
  }

  private static void intsAsLongs(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    byte[] bytes = words.bytes();
    long[] starts = words.starts();
    int first = words.first();
    long field = words.field();
    for (int i = begin; i < end; i++) {
      int item = items[i];
      Platform.putLong(bytes, starts[item - first] + field, column.getInt(rows[item]));
    }
  }

  private static void doubles(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    byte[] bytes = words.bytes();
    long[] starts = words.starts();
    int first = words.first();
    long field = words.field();
    for (int i = begin; i < end; i++) {
      int item = items[i];
      Platform.putDouble(bytes, starts[item - first] + field, column.getDouble(rows[item]));
    }
  }

  private static void floats(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    for (int i = begin; i < end; i++) {
      int item = items[i];
      long word = words.starts()[item - words.first()] + words.field();
      Platform.putLong(words.bytes(), word, 0);
      Platform.putFloat(words.bytes(), word, column.getFloat(rows[item]));
    }
  }

  private static void booleans(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    for (int i = begin; i < end; i++) {
      int item = items[i];
      long word = words.starts()[item - words.first()] + words.field();
      Platform.putLong(words.bytes(), word, 0);
      Platform.putBoolean(words.bytes(), word, column.getBoolean(rows[item]));
    }
  }

  private static void bytes(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    for (int i = begin; i < end; i++) {
      int item = items[i];
      long word = words.starts()[item - words.first()] + words.field();
      Platform.putLong(words.bytes(), word, 0);
      Platform.putByte(words.bytes(), word, column.getByte(rows[item]));
    }
  }

  private static void shorts(
      Words words, ColumnVector column, int[] items, int[] rows, int begin, int end) {
    for (int i = begin; i < end; i++) {
      int item = items[i];
      long word = words.starts()[item - words.first()] + words.field();
      Platform.putLong(words.bytes(), word, 0);
      Platform.putShort(words.bytes(), word, column.getShort(rows[item]));
    }
  }
}
