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

package io.keylake.spark.read.layout;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.TypeText;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.BucketOptions.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The columns whose values give a row its bucket, and how.
 *
 * <ol>
 *   <li>Rows that Spark joins or groups must be in one bucket. So columns do not count whose values
 *       Spark can find equal though their bytes differ: FLOAT and DOUBLE (0.0 and -0.0), CHAR
 *       (padding), TIMESTAMP with more than six fraction digits.
 *   <li>Types are compared by their text: VARCHAR of any length has the bytes of STRING; INT and
 *       BIGINT, decimals and timestamps of different precision do not have the same.
 * </ol>
 *
 * @param columns names, in the order of the key
 * @param types the text of their types, without nullability
 * @param function how the bucket is computed
 */
public record BucketKey(List<String> columns, List<String> types, Function function) {
  private static final int SPARK_TIME_DIGITS = 6;

  /** Copies the lists. */
  public BucketKey {
    columns = List.copyOf(columns);
    types = List.copyOf(types);
  }

  /** The bucket key of a table; empty when a column does not count. */
  static Optional<BucketKey> of(RowType rows, BucketOptions options) {
    List<String> types = new ArrayList<>();
    for (String column : options.keys()) {
      int position = rows.indexOf(column);
      Optional<String> type = position < 0 ? Optional.empty() : type(rows.field(position));
      if (type.isEmpty()) {
        return Optional.empty();
      }
      types.add(type.get());
    }
    return types.isEmpty()
        ? Optional.empty()
        : Optional.of(new BucketKey(options.keys(), types, options.function()));
  }

  /** The text of a column's type; empty when equal values may have different bytes. */
  static Optional<String> type(DataField column) {
    DataType type = column.type();
    return switch (type.root()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, DECIMAL, DATE -> Optional.of(text(type));
      case VARCHAR -> Optional.of(TypeText.of(DataTypes.STRING));
      case VARBINARY -> Optional.of(TypeText.of(DataTypes.BYTES));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          ((AtomicType) type).precision() <= SPARK_TIME_DIGITS
              ? Optional.of(text(type))
              : Optional.empty();
      case FLOAT, DOUBLE, CHAR, BINARY, TIME, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          Optional.empty();
    };
  }

  /** Whether values of the column can be keys of Spark's partitions. */
  static boolean isPartitionValue(DataField column) {
    return column.type().root() != TypeRoot.VARBINARY && type(column).isPresent();
  }

  private static String text(DataType type) {
    return TypeText.of(((AtomicType) type).asNullable());
  }

  /** Whether equal values of the columns have equal hashes. */
  public boolean isLike(BucketKey other) {
    return types.equals(other.types) && function == other.function;
  }
}
