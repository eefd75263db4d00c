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

package io.keylake.format.schema;

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.FieldIds;

/**
 * Names and ids of the columns that the format adds to data files. Rule source: table format, field
 * ids and PK table row layout.
 */
public final class SystemColumns {
  public static final String KEY_PREFIX = "_KEY_";

  /**
   * Added to a column's id to get the id of its {@code _KEY_} column; ids from here on are no user
   * columns.
   */
  public static final int KEY_ID_OFFSET = FieldIds.FIRST_SYSTEM_ID;

  public static final DataField SEQUENCE_NUMBER =
      DataField.of(2147483646, "_SEQUENCE_NUMBER", DataTypes.BIGINT.asNotNull());
  public static final DataField VALUE_KIND =
      DataField.of(2147483645, "_VALUE_KIND", DataTypes.TINYINT.asNotNull());
  public static final DataField LEVEL =
      DataField.of(2147483644, "_LEVEL", DataTypes.INT.asNotNull());
  public static final DataField ROW_KIND = DataField.of(2147483643, "rowkind", DataTypes.STRING);
  public static final DataField ROW_ID =
      DataField.of(2147483642, "_ROW_ID", DataTypes.BIGINT.asNotNull());

  private SystemColumns() {}

  /** The {@code _KEY_} column of a key column. */
  public static DataField keyColumn(DataField column) {
    return DataField.of(
        KEY_ID_OFFSET + column.id(), KEY_PREFIX + column.name(), column.type().asNotNull());
  }

  /** Whether a user may not give a column this name. */
  public static boolean isReserved(String name) {
    return name.startsWith(KEY_PREFIX)
        || name.equals(SEQUENCE_NUMBER.name())
        || name.equals(VALUE_KIND.name())
        || name.equals(LEVEL.name())
        || name.equals(ROW_KIND.name())
        || name.equals(ROW_ID.name());
  }
}
