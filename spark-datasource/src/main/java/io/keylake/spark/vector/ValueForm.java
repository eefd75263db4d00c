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

import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;

/** How the values of a type lie in a vector. */
enum ValueForm {
  BOOLEAN,
  BYTE,
  SHORT,
  INT,
  LONG,
  FLOAT,
  DOUBLE,
  TEXT,
  BINARY,
  /** The bytes of the unscaled value, the highest first. */
  WIDE_DECIMAL,
  NESTED;

  static ValueForm of(DataType type) {
    if (VectorCompaction.isLong(type)) {
      return LONG;
    } else if (VectorCompaction.isInt(type)) {
      return INT;
    } else if (type instanceof DoubleType) {
      return DOUBLE;
    } else if (type instanceof FloatType) {
      return FLOAT;
    } else if (type instanceof StringType) {
      return TEXT;
    } else if (type instanceof BinaryType) {
      return BINARY;
    } else if (type instanceof DecimalType) {
      return WIDE_DECIMAL;
    }
    return small(type);
  }

  private static ValueForm small(DataType type) {
    if (type instanceof BooleanType) {
      return BOOLEAN;
    } else if (type instanceof ByteType) {
      return BYTE;
    } else if (type instanceof ShortType) {
      return SHORT;
    }
    return NESTED;
  }
}
