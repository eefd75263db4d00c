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
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class VectorCompactionTest {
  private static final int ROWS = 200;
  private static final int[] SURVIVORS = {0, 1, 2, 7, 8, 9, 63, 64, 65, 100, 150, 151, 199};

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
    WritableColumnVector[] vectors = new WritableColumnVector[EveryType.TYPE.size()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = memory.vector(EveryType.TYPE.fields()[i].dataType());
    }
    RowToColumnConverter converter = new RowToColumnConverter(EveryType.TYPE);
    List<String> expected = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      converter.convert(EveryType.row(row), vectors);
    }
    ColumnarBatch batch = new ColumnarBatch(vectors, ROWS);
    for (int row : SURVIVORS) {
      expected.add(CanonicalText.of(batch.getRow(row), EveryType.TYPE));
    }

    for (WritableColumnVector vector : vectors) {
      VectorCompaction.compact(vector, SURVIVORS, SURVIVORS.length);
    }

    List<String> seen = new ArrayList<>();
    for (int row = 0; row < SURVIVORS.length; row++) {
      seen.add(CanonicalText.of(batch.getRow(row), EveryType.TYPE));
    }
    assertThat(seen).isEqualTo(expected);
    batch.close();
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
