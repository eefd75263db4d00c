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

package io.keylake.spark.vector;

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.CalendarIntervalType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VariantType;

/**
 * Moves the surviving rows of a batch to its front, inside the vectors that Spark's readers fill.
 *
 * <ol>
 *   <li>A dictionary-coded column moves its ids only and stays lazy.
 *   <li>Strings, binaries, wide decimals, arrays and maps move offset and length; bytes and
 *       elements stay where they are. Null rows are skipped: what they point to is stale.
 *   <li>Structs and variants move their null flags, then their children.
 *   <li>Columns in which every row is NULL stay as they are. So do constants, which are no writable
 *       vectors.
 * </ol>
 *
 * Safe because Spark's readers reset all vectors before each batch and write from row 0. Example:
 * rows {@code a b c d} with survivors {@code 0 2} become {@code a c ..}. Pinned by {@code
 * VectorCompactionTest}.
 */
public final class VectorCompaction {
  private VectorCompaction() {}

  /**
   * Moves row {@code survivors[i]} to {@code i} for each {@code i} below {@code count}.
   *
   * @param survivors ascending row numbers
   */
  public static void compact(WritableColumnVector column, int[] survivors, int count) {
    int first = 0;
    while (first < count && survivors[first] == first) {
      first++;
    }
    if (first < count) {
      move(column, survivors, first, count);
    }
  }

  private static void move(WritableColumnVector column, int[] rows, int first, int count) {
    if (column.isAllNull()) {
      return;
    }
    boolean hasNull = column.hasNull();
    if (hasNull) {
      moveNulls(column, rows, first, count);
    }
    if (column.hasDictionary()) {
      WritableColumnVector ids = column.getDictionaryIds();
      for (int i = first; i < count; i++) {
        ids.putInt(i, ids.getDictId(rows[i]));
      }
      return;
    }
    DataType type = column.dataType();
    if (isVariableLength(type)) {
      moveRanges(column, rows, first, count);
    } else if (hasChildren(type)) {
      for (int child = 0; child < column.getNumChildren(); child++) {
        move(column.getChild(child), rows, first, count);
      }
    } else {
      moveFixed(column, type, rows, first, count);
    }
  }

  private static void moveNulls(WritableColumnVector column, int[] rows, int first, int count) {
    for (int i = first; i < count; i++) {
      if (column.isNullAt(rows[i])) {
        column.putNull(i);
      } else {
        column.putNotNull(i);
      }
    }
  }

  private static boolean isVariableLength(DataType type) {
    return type instanceof StringType
        || type instanceof BinaryType
        || type instanceof ArrayType
        || type instanceof MapType
        || DecimalType.isByteArrayDecimalType(type);
  }

  static boolean hasChildren(DataType type) {
    return type instanceof StructType
        || type instanceof VariantType
        || type instanceof CalendarIntervalType;
  }

  /** Runs after the null flags have moved, so that the flag of row i belongs to the new row i. */
  private static void moveRanges(WritableColumnVector column, int[] rows, int first, int count) {
    for (int i = first; i < count; i++) {
      if (!column.isNullAt(i)) {
        int row = rows[i];
        column.putArray(i, column.getArrayOffset(row), column.getArrayLength(row));
      }
    }
  }

  private static void moveFixed(
      WritableColumnVector column, DataType type, int[] rows, int first, int count) {
    if (isLong(type)) {
      for (int i = first; i < count; i++) {
        column.putLong(i, column.getLong(rows[i]));
      }
    } else if (isInt(type)) {
      for (int i = first; i < count; i++) {
        column.putInt(i, column.getInt(rows[i]));
      }
    } else if (type instanceof DoubleType) {
      for (int i = first; i < count; i++) {
        column.putDouble(i, column.getDouble(rows[i]));
      }
    } else if (type instanceof FloatType) {
      for (int i = first; i < count; i++) {
        column.putFloat(i, column.getFloat(rows[i]));
      }
    } else {
      moveSmall(column, type, rows, first, count);
    }
  }

  private static void moveSmall(
      WritableColumnVector column, DataType type, int[] rows, int first, int count) {
    if (type instanceof BooleanType) {
      for (int i = first; i < count; i++) {
        column.putBoolean(i, column.getBoolean(rows[i]));
      }
    } else if (type instanceof ByteType) {
      for (int i = first; i < count; i++) {
        column.putByte(i, column.getByte(rows[i]));
      }
    } else if (type instanceof ShortType) {
      for (int i = first; i < count; i++) {
        column.putShort(i, column.getShort(rows[i]));
      }
    } else {
      throw new IllegalStateException("No way to move values of type " + type.sql());
    }
  }

  /** The test for 32 bits comes first: that for 64 bits is also true for small decimals. */
  static boolean isInt(DataType type) {
    return type instanceof IntegerType
        || type instanceof DateType
        || DecimalType.is32BitDecimalType(type);
  }

  static boolean isLong(DataType type) {
    return type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || (DecimalType.is64BitDecimalType(type) && !DecimalType.is32BitDecimalType(type));
  }
}
