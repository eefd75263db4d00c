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

package io.keylake.table.options.support;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;

/**
 * Whether rows that a table has can be written again as they are. Spark's timestamps have
 * microseconds: what other engines stored in a TIMESTAMP of more than six digits would be cut.
 * Adding rows of Spark's to such a table, and deleting rows by deletion vectors, changes none that
 * is there.
 *
 * <p>Pinned by {@code FineTimestampsSparkTest}.
 */
public final class RewriteSupport {
  private static final int SPARK_DIGITS = 6;

  private RewriteSupport() {}

  /** Whether rows keep all their digits when they are written again. */
  public static boolean keepsRows(TableSchema schema) {
    return schema.fields().stream().noneMatch(field -> isFine(field.type()));
  }

  /**
   * Checks that rows of the table may be written again.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_TYPE when a column may hold more digits
   *     than Spark has
   */
  public static void check(TableSchema schema, String table) {
    for (DataField field : schema.fields()) {
      if (isFine(field.type())) {
        throw new UnsupportedTableException(
            Condition.KEYLAKE_UNSUPPORTED_TYPE,
            "Rows of table "
                + table
                + " cannot be written again: column '"
                + field.name()
                + "' of type "
                + field.type()
                + " may hold nanoseconds, which Spark would cut to microseconds. INSERT adds rows"
                + " all the same; compact the table, and change its rows, with another engine.");
      }
    }
  }

  private static boolean isFine(DataType type) {
    if (type instanceof AtomicType atomic) {
      boolean isTimestamp =
          atomic.root() == TypeRoot.TIMESTAMP || atomic.root() == TypeRoot.TIMESTAMP_LTZ;
      return isTimestamp && atomic.precision() > SPARK_DIGITS;
    }
    if (type instanceof RowType row) {
      return row.fields().stream().anyMatch(field -> isFine(field.type()));
    }
    if (type instanceof MapType map) {
      return isFine(map.key()) || isFine(map.value());
    }
    if (type instanceof ArrayType array) {
      return isFine(array.element());
    }
    return type instanceof MultisetType multiset && isFine(multiset.element());
  }
}
