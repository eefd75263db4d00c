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

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** Columns of a batch as the fields of one struct that is never NULL. Owns none of them. */
public final class StructOfColumns extends ColumnVector {
  private final ColumnVector[] children;

  /** A struct of {@code children}, of {@code type}. */
  public StructOfColumns(StructType type, ColumnVector[] children) {
    super(type);
    this.children = children.clone();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return children[ordinal];
  }

  @Override
  public boolean hasNull() {
    return false;
  }

  @Override
  public int numNulls() {
    return 0;
  }

  @Override
  public boolean isNullAt(int row) {
    return false;
  }

  /** The owner of the columns closes them. */
  @Override
  public void close() {
    // See above.
  }

  @Override
  public void closeIfFreeable() {
    // See above.
  }

  private static UnsupportedOperationException noValue(DataType type) {
    return new UnsupportedOperationException("A struct has no " + type);
  }

  @Override
  public boolean getBoolean(int row) {
    throw noValue(dataType());
  }

  @Override
  public byte getByte(int row) {
    throw noValue(dataType());
  }

  @Override
  public short getShort(int row) {
    throw noValue(dataType());
  }

  @Override
  public int getInt(int row) {
    throw noValue(dataType());
  }

  @Override
  public long getLong(int row) {
    throw noValue(dataType());
  }

  @Override
  public float getFloat(int row) {
    throw noValue(dataType());
  }

  @Override
  public double getDouble(int row) {
    throw noValue(dataType());
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw noValue(dataType());
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw noValue(dataType());
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    throw noValue(dataType());
  }

  @Override
  public UTF8String getUTF8String(int row) {
    throw noValue(dataType());
  }

  @Override
  public byte[] getBinary(int row) {
    throw noValue(dataType());
  }
}
