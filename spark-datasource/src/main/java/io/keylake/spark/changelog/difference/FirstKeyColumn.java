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

package io.keylake.spark.changelog.difference;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * The first column of the key, by which files can be asked for ranges of keys.
 *
 * @param field the column
 * @param position its position in the table
 */
record FirstKeyColumn(DataField field, int position) {
  static FirstKeyColumn of(TableSchema schema) {
    DataField field = schema.keyType().field(0);
    return new FirstKeyColumn(field, schema.rowType().indexOfId(field.id()));
  }

  /** Whether files can be asked for values of it. */
  boolean isAskable() {
    TypeRoot root = field.type().root();
    return switch (root) {
      case TINYINT, SMALLINT, INT, DATE, TIME, BIGINT, VARCHAR -> true;
      case BOOLEAN,
          DECIMAL,
          FLOAT,
          DOUBLE,
          TIMESTAMP,
          TIMESTAMP_LTZ,
          CHAR,
          BINARY,
          VARBINARY,
          VARIANT,
          BLOB,
          ARRAY,
          MAP,
          MULTISET,
          ROW,
          VECTOR ->
          false;
    };
  }

  /** A value as files are asked for it. */
  Object literal(ColumnVector values, int row) {
    TypeRoot root = field.type().root();
    return switch (root) {
      case TINYINT -> (Object) values.getByte(row);
      case SMALLINT -> (Object) values.getShort(row);
      case INT, DATE, TIME -> (Object) values.getInt(row);
      case BIGINT -> (Object) values.getLong(row);
      case VARCHAR -> values.getUTF8String(row).toString();
      case BOOLEAN,
          DECIMAL,
          FLOAT,
          DOUBLE,
          TIMESTAMP,
          TIMESTAMP_LTZ,
          CHAR,
          BINARY,
          VARBINARY,
          VARIANT,
          BLOB,
          ARRAY,
          MAP,
          MULTISET,
          ROW,
          VECTOR ->
          throw new IllegalStateException("Files cannot be asked for " + root);
    };
  }
}
