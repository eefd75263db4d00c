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

package io.keylake.spark.read.recorded;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Statistics.ColumnValues;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.convert.ColumnReferences;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What an analysis recorded of the rows of a version, for Spark's planner. Values of later commits
 * are not counted in; the number of rows holds only for the version that was analyzed. Immutable.
 *
 * @param rows number of rows; empty when rows were written since
 * @param columns statistics of the columns that are read
 */
public record RecordedStatistics(OptionalLong rows, Map<NamedReference, ColumnStatistics> columns) {
  private static final RecordedStatistics NONE =
      new RecordedStatistics(OptionalLong.empty(), Map.of());

  /** Copies the map. */
  public RecordedStatistics {
    columns = Map.copyOf(columns);
  }

  /**
   * The statistics of a version.
   *
   * @param snapshot the version; null when the table has none
   * @param schemaId the schema that it is read with
   * @param output the columns that are read
   */
  public static RecordedStatistics of(
      TableStorage storage, @Nullable Snapshot snapshot, long schemaId, StructType output) {
    if (snapshot == null || snapshot.statistics() == null) {
      return NONE;
    }
    io.keylake.format.snapshot.Statistics found;
    try {
      found = storage.statistics().of(snapshot).orElse(null);
    } catch (CorruptTableException e) {
      return NONE;
    }
    if (found == null || found.schemaId() != schemaId) {
      return NONE;
    }
    Map<NamedReference, ColumnStatistics> columns = new HashMap<>();
    for (StructField field : output.fields()) {
      ColumnValues values = found.columns().get(field.name());
      if (values != null) {
        columns.put(ColumnReferences.column(field.name()), column(values, field.dataType()));
      }
    }
    boolean isCurrent =
        snapshot.id() == found.snapshotId()
            || snapshot.commitKind() == CommitKind.ANALYZE
                && snapshot.id() == found.snapshotId() + 1;
    Long count = found.mergedRecordCount();
    return new RecordedStatistics(
        isCurrent && count != null ? OptionalLong.of(count) : OptionalLong.empty(), columns);
  }

  private static ColumnStatistics column(ColumnValues values, DataType type) {
    return new Column(
        number(values.distinctCount()),
        value(values.min(), type),
        value(values.max(), type),
        number(values.nullCount()),
        number(values.averageLength()),
        number(values.maxLength()));
  }

  private static OptionalLong number(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** Spark's value of a text; empty when it is none of the type. */
  private static Optional<Object> value(@Nullable String text, DataType type) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(parse(text, type));
    } catch (NumberFormatException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static @Nullable Object parse(String text, DataType type) {
    if (type.equals(DataTypes.IntegerType)) {
      return Integer.valueOf(text);
    } else if (type.equals(DataTypes.LongType)) {
      return Long.valueOf(text);
    } else if (type.equals(DataTypes.ShortType)) {
      return Short.valueOf(text);
    } else if (type.equals(DataTypes.ByteType)) {
      return Byte.valueOf(text);
    } else if (type.equals(DataTypes.DoubleType)) {
      return Double.valueOf(text);
    } else if (type.equals(DataTypes.FloatType)) {
      return Float.valueOf(text);
    } else if (type.equals(DataTypes.BooleanType)) {
      return Boolean.valueOf(text);
    } else if (type.equals(DataTypes.DateType)) {
      return Integer.valueOf(text);
    } else if (type.equals(DataTypes.TimestampNTZType)) {
      return DateTimeUtils.localDateTimeToMicros(LocalDateTime.parse(text.replace(' ', 'T')));
    } else if (type instanceof DecimalType decimal) {
      return Decimal.apply(new BigDecimal(text), decimal.precision(), decimal.scale());
    }
    return null;
  }

  private record Column(
      OptionalLong distinctCount,
      Optional<Object> min,
      Optional<Object> max,
      OptionalLong nullCount,
      OptionalLong avgLen,
      OptionalLong maxLen)
      implements ColumnStatistics {}
}
