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

package io.keylake.spark.write;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import org.apache.spark.unsafe.Platform;

/** Finds NULLs in columns that are NOT NULL, some columns at a time. */
final class RequiredColumns {
  private final String table;
  private final TableSchema schema;
  private final long[] masks;

  RequiredColumns(String table, TableSchema schema) {
    this.table = table;
    this.schema = schema;
    int fields = schema.fields().size();
    this.masks = new long[(fields + 63) / 64];
    for (int i = 0; i < fields; i++) {
      boolean isKey = schema.primaryKeys().contains(schema.fields().get(i).name());
      if (isKey || !schema.fields().get(i).type().nullable()) {
        masks[i >> 6] |= 1L << (i & 63);
      }
    }
  }

  /**
   * Checks the row at {@code offset} of {@code base}.
   *
   * @throws InvalidRequestException with KEYLAKE_INVALID_VALUE and the column
   */
  void check(Object base, long offset) {
    for (int i = 0; i < masks.length; i++) {
      long nulls = Platform.getLong(base, offset + 8L * i) & masks[i];
      if (nulls != 0) {
        throw refuse(schema.fields().get(64 * i + Long.numberOfTrailingZeros(nulls)).name());
      }
    }
  }

  private InvalidRequestException refuse(String column) {
    boolean isKey = schema.primaryKeys().contains(column);
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_VALUE,
        "NULL in column "
            + column
            + " of "
            + table
            + (isKey ? ", which is part of the primary key" : ", which is declared NOT NULL")
            + ". Filter such rows, or replace the NULL with coalesce("
            + column
            + ", ...).");
  }
}
