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

package io.keylake.spark.file;

import io.keylake.spark.vector.ValueAppender;
import java.math.BigDecimal;
import java.util.Objects;
import org.apache.hadoop.hive.ql.exec.vector.BytesColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DecimalColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DoubleColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ListColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MapColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.TimestampColumnVector;
import org.apache.orc.TypeDescription;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VariantType;
import org.jspecify.annotations.Nullable;

/**
 * How values of an ORC type become values of a Spark type. Integers and floats widen to the wanted
 * type; fields of structs are found by name; timestamps of both kinds are microseconds, as ORC is
 * told to give local ones as if in UTC.
 *
 * <p>Rule source: table format, ORC and Avro.
 */
final class OrcAppenders {
  private static final long MILLIS_PER_SECOND = 1000L;
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final int NANOS_PER_MICRO = 1000;

  private OrcAppenders() {}

  /** Appends one value that is not NULL. */
  @FunctionalInterface
  private interface Value {
    void append(ColumnVector source, int row, WritableColumnVector target);
  }

  static OrcAppender of(TypeDescription stored, DataType type) {
    if (type instanceof LongType) {
      return OrcAppenders::longs;
    } else if (type instanceof DoubleType) {
      return OrcAppenders::doubles;
    }
    Value value = value(stored, type);
    return (vector, first, count, target) -> {
      ColumnVector source = Objects.requireNonNull(vector);
      for (int i = first; i < first + count; i++) {
        int row = source.isRepeating ? 0 : i;
        if (!source.noNulls && source.isNull[row]) {
          ValueAppender.appendNull(target);
        } else {
          value.append(source, row, target);
        }
      }
    };
  }

  private static void longs(
      @Nullable ColumnVector vector, int first, int count, WritableColumnVector target) {
    LongColumnVector source = (LongColumnVector) Objects.requireNonNull(vector);
    if (source.noNulls && !source.isRepeating) {
      target.appendLongs(count, source.vector, first);
      return;
    }
    for (int i = first; i < first + count; i++) {
      int row = source.isRepeating ? 0 : i;
      if (!source.noNulls && source.isNull[row]) {
        target.appendNull();
      } else {
        target.appendLong(source.vector[row]);
      }
    }
  }

  private static void doubles(
      @Nullable ColumnVector vector, int first, int count, WritableColumnVector target) {
    DoubleColumnVector source = (DoubleColumnVector) Objects.requireNonNull(vector);
    if (source.noNulls && !source.isRepeating) {
      target.appendDoubles(count, source.vector, first);
      return;
    }
    for (int i = first; i < first + count; i++) {
      int row = source.isRepeating ? 0 : i;
      if (!source.noNulls && source.isNull[row]) {
        target.appendNull();
      } else {
        target.appendDouble(source.vector[row]);
      }
    }
  }

  private static Value value(TypeDescription stored, DataType type) {
    if (type instanceof StructType struct) {
      return struct(stored, struct);
    } else if (type instanceof ArrayType array) {
      return list(of(stored.getChildren().get(0), array.elementType()));
    } else if (type instanceof MapType map) {
      return map(
          of(stored.getChildren().get(0), map.keyType()),
          of(stored.getChildren().get(1), map.valueType()));
    } else if (type instanceof DecimalType decimal) {
      return decimal(decimal);
    } else if (type instanceof VariantType) {
      return struct(
          stored,
          new StructType()
              .add("value", DataTypes.BinaryType)
              .add("metadata", DataTypes.BinaryType));
    }
    return scalar(type);
  }

  private static Value scalar(DataType type) {
    if (type instanceof IntegerType || type instanceof DateType) {
      return (source, row, target) -> target.appendInt((int) integer(source, row));
    } else if (type instanceof BooleanType) {
      return (source, row, target) -> target.appendBoolean(integer(source, row) != 0);
    } else if (type instanceof ByteType) {
      return (source, row, target) -> target.appendByte((byte) integer(source, row));
    } else if (type instanceof ShortType) {
      return (source, row, target) -> target.appendShort((short) integer(source, row));
    } else if (type instanceof FloatType) {
      return (source, row, target) ->
          target.appendFloat((float) ((DoubleColumnVector) source).vector[row]);
    } else if (type instanceof StringType || type instanceof BinaryType) {
      return (source, row, target) -> {
        BytesColumnVector bytes = (BytesColumnVector) source;
        target.appendByteArray(bytes.vector[row], bytes.start[row], bytes.length[row]);
      };
    } else if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      return (source, row, target) -> {
        TimestampColumnVector timestamps = (TimestampColumnVector) source;
        long seconds = Math.floorDiv(timestamps.time[row], MILLIS_PER_SECOND);
        target.appendLong(seconds * MICROS_PER_SECOND + timestamps.nanos[row] / NANOS_PER_MICRO);
      };
    }
    throw new IllegalStateException("No way to read ORC values as " + type.sql());
  }

  private static long integer(ColumnVector source, int row) {
    return ((LongColumnVector) source).vector[row];
  }

  private static Value decimal(DecimalType type) {
    return (source, row, target) -> {
      BigDecimal decimal =
          ((DecimalColumnVector) source)
              .vector[row]
              .getHiveDecimal()
              .bigDecimalValue()
              .setScale(type.scale());
      if (type.precision() <= Decimal.MAX_INT_DIGITS()) {
        target.appendInt(decimal.unscaledValue().intValueExact());
      } else if (type.precision() <= Decimal.MAX_LONG_DIGITS()) {
        target.appendLong(decimal.unscaledValue().longValueExact());
      } else {
        byte[] unscaled = decimal.unscaledValue().toByteArray();
        target.appendByteArray(unscaled, 0, unscaled.length);
      }
    };
  }

  private static Value struct(TypeDescription stored, StructType type) {
    StructField[] fields = type.fields();
    int[] sources = new int[fields.length];
    OrcAppender[] appenders = new OrcAppender[fields.length];
    for (int i = 0; i < fields.length; i++) {
      sources[i] = stored.getFieldNames().indexOf(fields[i].name());
      appenders[i] =
          sources[i] < 0
              ? OrcAppender.NULLS
              : of(stored.getChildren().get(sources[i]), fields[i].dataType());
    }
    return (source, row, target) -> {
      StructColumnVector struct = (StructColumnVector) source;
      ValueAppender.appendStruct(target);
      for (int i = 0; i < sources.length; i++) {
        appenders[i].append(
            sources[i] < 0 ? null : struct.fields[sources[i]], row, 1, target.getChild(i));
      }
    };
  }

  private static Value list(OrcAppender element) {
    return (source, row, target) -> {
      ListColumnVector list = (ListColumnVector) source;
      int length = (int) list.lengths[row];
      target.appendArray(length);
      element.append(list.child, (int) list.offsets[row], length, target.getChild(0));
    };
  }

  private static Value map(OrcAppender key, OrcAppender value) {
    return (source, row, target) -> {
      MapColumnVector map = (MapColumnVector) source;
      int length = (int) map.lengths[row];
      int offset = (int) map.offsets[row];
      target.appendArray(length);
      key.append(map.keys, offset, length, target.getChild(0));
      value.append(map.values, offset, length, target.getChild(1));
    };
  }
}
