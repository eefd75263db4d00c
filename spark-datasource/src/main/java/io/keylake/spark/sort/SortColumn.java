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

package io.keylake.spark.sort;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import java.io.Serializable;

/**
 * A column that rows are ordered by.
 *
 * @param ordinal its position in the rows
 * @param form how its values lie in a row
 * @param direction which values come first; NULL comes first in both
 */
record SortColumn(int ordinal, Form form, Direction direction) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Which values come first. */
  enum Direction {
    ASCENDING,
    DESCENDING
  }

  /** How values lie in a row. */
  enum Form {
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    /** Text and bytes, by unsigned bytes. */
    BYTES,
    /** Big-endian two's complement of few bytes: decimals of more than 18 digits. */
    BIG_DECIMAL;

    /** Whether a value fits a long so that order is kept. */
    boolean isNumber() {
      return this != BYTES && this != BIG_DECIMAL;
    }

    /** Whether a value is at most 32 bits wide. */
    boolean isNarrow() {
      return this == BYTE || this == SHORT || this == INT || this == FLOAT;
    }
  }

  static SortColumn of(DataField field, int ordinal, Direction direction) {
    if (!(field.type() instanceof AtomicType type)) {
      throw new IllegalArgumentException("Rows cannot be ordered by the column " + field.name());
    }
    return new SortColumn(ordinal, form(field, type), direction);
  }

  private static Form form(DataField field, AtomicType type) {
    return switch (type.root()) {
      case BOOLEAN, TINYINT -> Form.BYTE;
      case SMALLINT -> Form.SHORT;
      case INT, DATE, TIME -> Form.INT;
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> Form.LONG;
      case FLOAT -> Form.FLOAT;
      case DOUBLE -> Form.DOUBLE;
      case DECIMAL -> type.precision() <= 18 ? Form.LONG : Form.BIG_DECIMAL;
      case CHAR, VARCHAR, BINARY, VARBINARY -> Form.BYTES;
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException(
              "Rows cannot be ordered by the column " + field.name());
    };
  }
}
