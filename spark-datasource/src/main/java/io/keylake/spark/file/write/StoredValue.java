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

package io.keylake.spark.file.write;

import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/**
 * Takes the value of an atomic column out of a row as a Java value (see {@link
 * io.keylake.format.predicate.Predicate}), as it will be stored. For what is done once a value
 * anyway: row-wise formats and file indexes.
 */
@FunctionalInterface
interface StoredValue {
  /** The value at {@code ordinal}, which is not NULL. */
  Object read(SpecializedGetters row, int ordinal);

  /** The way of a type's values. */
  static StoredValue of(DataType type) {
    return switch (type.root()) {
      case BOOLEAN -> SpecializedGetters::getBoolean;
      case TINYINT -> SpecializedGetters::getByte;
      case SMALLINT -> SpecializedGetters::getShort;
      case INT, DATE, TIME -> SpecializedGetters::getInt;
      case BIGINT -> SpecializedGetters::getLong;
      case FLOAT -> SpecializedGetters::getFloat;
      case DOUBLE -> SpecializedGetters::getDouble;
      case CHAR, VARCHAR -> (row, ordinal) -> row.getUTF8String(ordinal).toString();
      case BINARY, VARBINARY -> (row, ordinal) -> Bytes.copyOf(row.getBinary(ordinal));
      case DECIMAL -> decimal((AtomicType) type);
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp((AtomicType) type);
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException("No atomic value: " + type);
    };
  }

  private static StoredValue decimal(AtomicType type) {
    return (row, ordinal) ->
        row.getDecimal(ordinal, type.precision(), type.scale()).toJavaBigDecimal();
  }

  private static StoredValue timestamp(AtomicType type) {
    return type.precision() <= 3
        ? (row, ordinal) -> new Timestamp(Math.floorDiv(row.getLong(ordinal), 1000L), 0)
        : (row, ordinal) -> Timestamp.ofMicros(row.getLong(ordinal));
  }
}
