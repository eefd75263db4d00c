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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.unsafe.types.VariantVal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class VectorCopyTest {
  private static final int ROWS = 100;
  private static final StructType TYPE = EveryType.TYPE.add("v", DataTypes.VariantType);
  private static final int[] FROM = {3, 99, 0, 50, 51, 52, 0, 7};
  private static final int[] TO = {7, 0, 6, 1, 5, 2, 4, 3};

  private enum Source {
    ON_HEAP,
    OFF_HEAP,
    UNSAFE_ROWS,
    OTHER_ROWS
  }

  private static InternalRow row(int n) {
    GenericInternalRow row = (GenericInternalRow) EveryType.row(n);
    Object[] values = Arrays.copyOf(row.values(), TYPE.size());
    values[TYPE.size() - 1] =
        n % 3 == 0 ? null : new VariantVal(new byte[] {12, (byte) n}, new byte[] {1, 0, 0});
    return new GenericInternalRow(values);
  }

  private static WritableColumnVector[] targets() {
    WritableColumnVector[] targets = new WritableColumnVector[TYPE.size()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = new OnHeapColumnVector(1, TYPE.fields()[i].dataType());
      VectorCopy.reserve(targets[i], TO.length);
    }
    return targets;
  }

  private static WritableColumnVector[] vectors(Source source) {
    WritableColumnVector[] vectors = new WritableColumnVector[TYPE.size()];
    for (int i = 0; i < vectors.length; i++) {
      DataType type = TYPE.fields()[i].dataType();
      vectors[i] =
          source == Source.OFF_HEAP
              ? new OffHeapColumnVector(ROWS, type)
              : new OnHeapColumnVector(ROWS, type);
    }
    RowToColumnConverter converter = new RowToColumnConverter(TYPE);
    for (int row = 0; row < ROWS; row++) {
      converter.convert(row(row), vectors);
    }
    return vectors;
  }

  private static void copy(Source source, WritableColumnVector[] targets) {
    boolean columnar = source == Source.ON_HEAP || source == Source.OFF_HEAP;
    WritableColumnVector[] vectors = columnar ? vectors(source) : new WritableColumnVector[0];
    UnsafeProjection projection = UnsafeProjection.create(TYPE);
    for (int column = 0; column < targets.length; column++) {
      VectorCopy copy = new VectorCopy(TYPE.fields()[column].dataType());
      if (columnar) {
        copy.copy(vectors[column], FROM, TO, 0, 3, targets[column]);
        copy.copy(vectors[column], FROM, TO, 3, FROM.length, targets[column]);
        continue;
      }
      for (int i = 0; i < FROM.length; i++) {
        InternalRow row = row(FROM[i]);
        copy.copy(
            source == Source.UNSAFE_ROWS ? projection.apply(row) : row,
            column,
            targets[column],
            TO[i]);
      }
    }
    for (WritableColumnVector vector : vectors) {
      vector.close();
    }
  }

  private static List<String> texts(ColumnVector[] vectors, int count) {
    ColumnarBatch batch = new ColumnarBatch(vectors, count);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(CanonicalText.of(batch.getRow(i), EveryType.TYPE));
    }
    return texts;
  }

  @ParameterizedTest
  @EnumSource(Source.class)
  void valuesOfEveryTypeGoWhereTheyShould(Source source) {
    WritableColumnVector[] targets = targets();

    for (int round = 0; round < 2; round++) {
      for (WritableColumnVector target : targets) {
        target.reset();
      }
      copy(source, targets);

      List<String> texts = texts(targets, TO.length);
      for (int i = 0; i < FROM.length; i++) {
        assertThat(texts.get(TO[i])).isEqualTo(CanonicalText.of(row(FROM[i]), EveryType.TYPE));
        ColumnVector variants = targets[TYPE.size() - 1];
        assertThat(variants.isNullAt(TO[i])).isEqualTo(FROM[i] % 3 == 0);
        if (FROM[i] % 3 != 0) {
          assertThat(variants.getVariant(TO[i]).getValue()).containsExactly(12, FROM[i]);
        }
      }
    }
  }

  @Test
  void appendsNullForNoRow() {
    WritableColumnVector[] vectors = vectors(Source.ON_HEAP);
    WritableColumnVector[] targets = targets();

    for (int column = 0; column < targets.length; column++) {
      VectorCopy copy = new VectorCopy(TYPE.fields()[column].dataType());
      copy.append(vectors[column], new int[] {5, -1}, 2, targets[column]);
      copy.append(vectors[column], new int[] {9, 12, 13}, 2, targets[column]);
      assertThat(targets[column].getElementsAppended()).isEqualTo(4);
    }

    List<String> texts = texts(targets, 4);
    assertThat(texts.get(0)).isEqualTo(CanonicalText.of(row(5), EveryType.TYPE));
    assertThat(texts.get(1)).doesNotContain("true", "false", "text", "[").contains("\"r\":null");
    assertThat(texts.get(2)).isEqualTo(CanonicalText.of(row(9), EveryType.TYPE));
    assertThat(texts.get(3)).isEqualTo(CanonicalText.of(row(12), EveryType.TYPE));
  }

  @Test
  void dictionariesAreDecoded() {
    for (DataType type : List.of(DataTypes.StringType, DataTypes.IntegerType)) {
      WritableColumnVector source = new OnHeapColumnVector(ROWS, type);
      WritableColumnVector ids = source.reserveDictionaryIds(ROWS);
      for (int row = 0; row < ROWS; row++) {
        ids.putInt(row, row % 70);
      }
      source.putNull(50);
      source.setDictionary(new Numbers());
      WritableColumnVector target = new OnHeapColumnVector(TO.length, type);

      new VectorCopy(type).copy(source, FROM, TO, 0, FROM.length, target);

      assertThat(target.hasDictionary()).isFalse();
      for (int i = 0; i < FROM.length; i++) {
        assertThat(target.isNullAt(TO[i])).isEqualTo(FROM[i] == 50);
        if (FROM[i] != 50 && type == DataTypes.IntegerType) {
          assertThat(target.getInt(TO[i])).isEqualTo(FROM[i] % 70);
        } else if (FROM[i] != 50) {
          assertThat(target.getUTF8String(TO[i])).hasToString("#" + FROM[i] % 70);
        }
      }
    }
  }

  @Test
  void constantsAreRepeated() {
    ConstantColumnVector text = new ConstantColumnVector(ROWS, DataTypes.StringType);
    text.setUtf8String(UTF8String.fromString("same"));
    ConstantColumnVector none =
        new ConstantColumnVector(ROWS, DataTypes.createArrayType(DataTypes.LongType));
    none.setNull();
    WritableColumnVector texts = new OnHeapColumnVector(TO.length, text.dataType());
    WritableColumnVector nulls = new OnHeapColumnVector(TO.length, none.dataType());

    new VectorCopy(text.dataType()).copy(text, FROM, TO, 0, FROM.length, texts);
    new VectorCopy(none.dataType()).copy(none, FROM, TO, 0, FROM.length, nulls);

    for (int row = 0; row < TO.length; row++) {
      assertThat(texts.getUTF8String(row)).hasToString("same");
      assertThat(nulls.isNullAt(row)).isTrue();
    }
  }

  private static final class Numbers implements Dictionary {
    @Override
    public int decodeToInt(int id) {
      return id;
    }

    @Override
    public long decodeToLong(int id) {
      throw new UnsupportedOperationException();
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
      return ("#" + id).getBytes(StandardCharsets.UTF_8);
    }
  }
}
