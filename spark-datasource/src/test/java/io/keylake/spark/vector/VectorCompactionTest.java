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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.spark.convert.CanonicalText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class VectorCompactionTest {
  private static final int ROWS = 200;
  private static final int[] SURVIVORS = {0, 1, 2, 7, 8, 9, 63, 64, 65, 100, 150, 151, 199};

  private static final StructType TYPE =
      StructType.fromDDL(
          "bool BOOLEAN, i8 TINYINT, i16 SMALLINT, i32 INT, i64 BIGINT, f FLOAT, d DOUBLE,"
              + " dec5 DECIMAL(5,2), dec18 DECIMAL(18,3), dec30 DECIMAL(30,4), s STRING, b BINARY,"
              + " day DATE, at TIMESTAMP, local TIMESTAMP_NTZ, a ARRAY<STRING>, m MAP<STRING, INT>,"
              + " r STRUCT<x: INT, y: STRUCT<z: STRING, w: ARRAY<INT>>>");

  private enum Memory {
    ON_HEAP,
    OFF_HEAP;

    WritableColumnVector vector(DataType type) {
      return this == ON_HEAP
          ? new OnHeapColumnVector(ROWS, type)
          : new OffHeapColumnVector(ROWS, type);
    }
  }

  @ParameterizedTest
  @EnumSource(Memory.class)
  void survivorsOfEveryTypeComeFirst(Memory memory) {
    WritableColumnVector[] vectors = new WritableColumnVector[TYPE.size()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = memory.vector(TYPE.fields()[i].dataType());
    }
    RowToColumnConverter converter = new RowToColumnConverter(TYPE);
    List<String> expected = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      converter.convert(row(row), vectors);
    }
    ColumnarBatch batch = new ColumnarBatch(vectors, ROWS);
    for (int row : SURVIVORS) {
      expected.add(CanonicalText.of(batch.getRow(row), TYPE));
    }

    for (WritableColumnVector vector : vectors) {
      VectorCompaction.compact(vector, SURVIVORS, SURVIVORS.length);
    }

    List<String> seen = new ArrayList<>();
    for (int row = 0; row < SURVIVORS.length; row++) {
      seen.add(CanonicalText.of(batch.getRow(row), TYPE));
    }
    assertThat(seen).isEqualTo(expected);
    batch.close();
  }

  /** Every column is NULL in some rows, a struct is NULL as a whole or in its fields. */
  private static InternalRow row(int n) {
    UTF8String text = UTF8String.fromString("text " + n);
    Object[] inner = {n % 3 == 0 ? null : text, new GenericArrayData(new int[] {n, n + 1})};
    Object[] struct = {n % 4 == 0 ? null : n, n % 5 == 0 ? null : new GenericInternalRow(inner)};
    Object[] values = {
      n % 2 == 0,
      (byte) n,
      (short) (n * 100),
      n * 1000,
      n * 1_000_000_000_000L,
      n / 3f,
      n / 7d,
      Decimal.apply(new BigDecimal(n).movePointLeft(2), 5, 2),
      Decimal.apply(new BigDecimal(n).movePointLeft(3), 18, 3),
      Decimal.apply(new BigDecimal("1234567890123456789012.0000").add(new BigDecimal(n)), 30, 4),
      text,
      ("bytes" + n).getBytes(StandardCharsets.UTF_8),
      n,
      n * 1_000_000L,
      -n * 1_000_000L,
      new GenericArrayData(n % 7 == 0 ? new Object[] {} : new Object[] {text, null}),
      new ArrayBasedMapData(
          new GenericArrayData(new Object[] {text}), new GenericArrayData(new Object[] {n})),
      n % 11 == 0 ? null : new GenericInternalRow(struct)
    };
    int nulled = n % (values.length + 3);
    if (nulled < values.length) {
      values[nulled] = null;
    }
    return new GenericInternalRow(values);
  }

  @ParameterizedTest
  @EnumSource(Memory.class)
  void dictionaryCodedColumnsStayCoded(Memory memory) {
    WritableColumnVector vector = memory.vector(DataTypes.LongType);
    WritableColumnVector ids = vector.reserveDictionaryIds(ROWS);
    for (int row = 0; row < ROWS; row++) {
      ids.putInt(row, row % 10);
      if (row % 9 == 0) {
        vector.putNull(row);
      }
    }
    vector.setDictionary(new Thousands());

    VectorCompaction.compact(vector, SURVIVORS, SURVIVORS.length);

    assertThat(vector.hasDictionary()).isTrue();
    for (int i = 0; i < SURVIVORS.length; i++) {
      int row = SURVIVORS[i];
      assertThat(vector.isNullAt(i)).as("row %s", row).isEqualTo(row % 9 == 0);
      if (row % 9 != 0) {
        assertThat(vector.getLong(i)).isEqualTo(row % 10 * 1000L);
      }
    }
    vector.close();
  }

  private static final class Thousands implements Dictionary {
    @Override
    public int decodeToInt(int id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long decodeToLong(int id) {
      return id * 1000L;
    }

    @Override
    public float decodeToFloat(int id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double decodeToDouble(int id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte[] decodeToBinary(int id) {
      throw new UnsupportedOperationException();
    }
  }
}
