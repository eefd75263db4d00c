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

package io.keylake.spark.metadata;

import java.util.function.Function;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A column of a metadata table.
 *
 * @param <T> what a row is made of
 * @param type the column's name, type and nullability
 * @param value the column's value, as Spark holds it, of what a row is made of
 */
record MetadataField<T>(StructField type, Function<T, @Nullable Object> value) {
  /** A STRING column. */
  static <T> MetadataField<T> text(String name, Function<T, String> value) {
    return new MetadataField<>(
        field(name, DataTypes.StringType, false), row -> UTF8String.fromString(value.apply(row)));
  }

  /** A STRING column that may be NULL. */
  static <T> MetadataField<T> optionalText(String name, Function<T, @Nullable String> value) {
    return new MetadataField<>(
        field(name, DataTypes.StringType, true),
        row -> {
          String text = value.apply(row);
          return text == null ? null : UTF8String.fromString(text);
        });
  }

  /** A BIGINT column. */
  static <T> MetadataField<T> number(String name, Function<T, Long> value) {
    return new MetadataField<>(field(name, DataTypes.LongType, false), value::apply);
  }

  /** A BIGINT column that may be NULL. */
  static <T> MetadataField<T> optionalNumber(String name, Function<T, @Nullable Long> value) {
    return new MetadataField<>(field(name, DataTypes.LongType, true), value::apply);
  }

  /** An INT column. */
  static <T> MetadataField<T> integer(String name, Function<T, Integer> value) {
    return new MetadataField<>(field(name, DataTypes.IntegerType, false), value::apply);
  }

  /** A TIMESTAMP column of a point in time: milliseconds since the epoch. */
  static <T> MetadataField<T> instant(String name, Function<T, Long> millis) {
    return new MetadataField<>(
        field(name, DataTypes.TimestampType, false),
        row -> Math.multiplyExact(millis.apply(row), 1000L));
  }

  /**
   * A TIMESTAMP column, which may be NULL, of a local date and time that a writer noted, in
   * milliseconds as if in UTC: it reads as this date and time in the session's zone.
   */
  static <T> MetadataField<T> localTime(String name, Function<T, @Nullable Long> millis) {
    return new MetadataField<>(
        field(name, DataTypes.TimestampType, true),
        row -> {
          Long local = millis.apply(row);
          return local == null ? null : MetadataText.microsInSessionZone(local);
        });
  }

  /** A column of another type, which may be NULL. */
  static <T> MetadataField<T> other(
      String name, DataType type, Function<T, @Nullable Object> value) {
    return new MetadataField<>(field(name, type, true), value);
  }

  private static StructField field(String name, DataType type, boolean nullable) {
    return new StructField(name, type, nullable, Metadata.empty());
  }
}
