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

package io.keylake.spark.file.rowwise;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.ql.exec.vector.BytesColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DecimalColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DoubleColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ListColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MapColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MultiValuedColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.TimestampColumnVector;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;

/** Puts the value at a position of a row or array into a row of an ORC vector. */
@FunctionalInterface
interface OrcValueWriter {
  long MICROS_PER_MILLI = 1000L;
  long MICROS_PER_SECOND = 1_000_000L;

  void write(SpecializedGetters from, int position, ColumnVector to, int row);

  /** The writer of a type; NULL is handled for every type, nullable or not. */
  static OrcValueWriter of(DataType type) {
    OrcValueWriter value = notNull(type);
    return (from, position, to, row) -> {
      if (from.isNullAt(position)) {
        to.noNulls = false;
        to.isNull[row] = true;
      } else {
        to.isNull[row] = false;
        value.write(from, position, to, row);
      }
    };
  }

  private static OrcValueWriter notNull(DataType type) {
    return switch (type.root()) {
      case BOOLEAN ->
          (from, position, to, row) -> longs(to)[row] = from.getBoolean(position) ? 1 : 0;
      case TINYINT -> (from, position, to, row) -> longs(to)[row] = from.getByte(position);
      case SMALLINT -> (from, position, to, row) -> longs(to)[row] = from.getShort(position);
      case INT, DATE, TIME -> (from, position, to, row) -> longs(to)[row] = from.getInt(position);
      case BIGINT -> (from, position, to, row) -> longs(to)[row] = from.getLong(position);
      case FLOAT ->
          (from, position, to, row) ->
              ((DoubleColumnVector) to).vector[row] = from.getFloat(position);
      case DOUBLE ->
          (from, position, to, row) ->
              ((DoubleColumnVector) to).vector[row] = from.getDouble(position);
      case CHAR, VARCHAR ->
          (from, position, to, row) ->
              ((BytesColumnVector) to).setVal(row, from.getUTF8String(position).getBytes());
      case BINARY, VARBINARY, BLOB ->
          (from, position, to, row) ->
              ((BytesColumnVector) to).setVal(row, from.getBinary(position));
      case DECIMAL -> decimal((AtomicType) type);
      case TIMESTAMP, TIMESTAMP_LTZ ->
          (from, position, to, row) ->
              setMicros((TimestampColumnVector) to, row, from.getLong(position));
      case ARRAY -> array(((ArrayType) type).element());
      case MAP -> map(((MapType) type).key(), ((MapType) type).value());
      case MULTISET -> map(((MultisetType) type).element(), DataTypes.INT.asNotNull());
      case ROW -> row((RowType) type);
      case VARIANT, VECTOR -> throw new IllegalArgumentException("No ORC form of " + type);
    };
  }

  private static long[] longs(ColumnVector vector) {
    return ((LongColumnVector) vector).vector;
  }

  /**
   * ORC keeps seconds cut towards 1970 beside a positive fraction, and readers put the second back
   * by the sign of the seconds. In the last second before 1970 these are zero, so that a fraction
   * of a millisecond or more would be read as one of the first second after.
   */
  private static void setMicros(TimestampColumnVector to, int row, long micros) {
    long fraction = Math.floorMod(micros, MICROS_PER_SECOND);
    if (micros < 0 && micros > -MICROS_PER_SECOND && fraction >= MICROS_PER_MILLI) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_VALUE,
          "Cannot write the timestamp 1969-12-31T23:59:59."
              + String.format(Locale.ROOT, "%06d", fraction)
              + " (UTC) to an ORC file: ORC readers would see it one second later. Set"
              + " 'file.format' = 'parquet', or change the value.");
    }
    to.time[row] = Math.floorDiv(micros, MICROS_PER_MILLI);
    to.nanos[row] = (int) (fraction * 1000L);
  }

  private static OrcValueWriter decimal(AtomicType type) {
    return (from, position, to, row) ->
        ((DecimalColumnVector) to)
            .set(
                row,
                HiveDecimal.create(
                    from.getDecimal(position, type.precision(), type.scale()).toJavaBigDecimal()));
  }

  private static OrcValueWriter row(RowType type) {
    List<OrcValueWriter> fields =
        type.fields().stream().map(DataField::type).map(OrcValueWriter::of).toList();
    return (from, position, to, row) -> {
      SpecializedGetters struct = from.getStruct(position, fields.size());
      StructColumnVector vector = (StructColumnVector) to;
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).write(struct, i, vector.fields[i], row);
      }
    };
  }

  private static int append(MultiValuedColumnVector vector, int row, int size) {
    int start = vector.childCount;
    vector.offsets[row] = start;
    vector.lengths[row] = size;
    vector.childCount = start + size;
    return start;
  }

  private static OrcValueWriter array(DataType elementType) {
    OrcValueWriter element = of(elementType);
    return (from, position, to, row) -> {
      ArrayData array = from.getArray(position);
      ListColumnVector vector = (ListColumnVector) to;
      int start = append(vector, row, array.numElements());
      vector.child.ensureSize(vector.childCount, true);
      for (int i = 0; i < array.numElements(); i++) {
        element.write(array, i, vector.child, start + i);
      }
    };
  }

  private static OrcValueWriter map(DataType keyType, DataType valueType) {
    OrcValueWriter key = of(keyType);
    OrcValueWriter value = of(valueType);
    return (from, position, to, row) -> {
      MapData map = from.getMap(position);
      MapColumnVector vector = (MapColumnVector) to;
      int start = append(vector, row, map.numElements());
      vector.keys.ensureSize(vector.childCount, true);
      vector.values.ensureSize(vector.childCount, true);
      for (int i = 0; i < map.numElements(); i++) {
        key.write(map.keyArray(), i, vector.keys, start + i);
        value.write(map.valueArray(), i, vector.values, start + i);
      }
    };
  }
}
