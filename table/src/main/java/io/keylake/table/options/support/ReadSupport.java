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
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.options.KnownOptions;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.engine.EngineRules;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether this version reads the rows of a table right. Only what would be misread is refused; a
 * table that cannot be written may well be readable.
 */
public final class ReadSupport {
  private ReadSupport() {}

  /**
   * Checks that a scan gives the right rows.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_OPTION or KEYLAKE_UNSUPPORTED_FEATURE
   *     with the option and what to do
   * @throws io.keylake.format.errors.InvalidRequestException as {@link EngineRules#of} says
   */
  public static void check(TableSchema schema, String table) {
    checkFeatures(schema, table);
    if (schema.hasPrimaryKey()) {
      EngineRules.of(schema, table);
    }
  }

  /** Checks options and column types that make every reading wrong. */
  static void checkFeatures(TableSchema schema, String table) {
    for (Map.Entry<String, String> option : new TreeMap<>(schema.options()).entrySet()) {
      Optional<OptionKey<?>> key = KnownOptions.find(option.getKey());
      if (key.isPresent()
          && key.get().refusal() == OptionKey.Refusal.READ
          && !key.get().supports(option.getValue())) {
        throw refuse(option.getKey(), option.getValue(), table, "Use an engine that supports it.");
      }
    }
    for (DataField field : schema.fields()) {
      TypeRoot root = field.type().root();
      if (root == TypeRoot.BLOB || root == TypeRoot.VECTOR) {
        throw new UnsupportedTableException(
            Condition.KEYLAKE_UNSUPPORTED_FEATURE,
            "Column '"
                + field.name()
                + "' of table "
                + table
                + " has the type "
                + root
                + ", which this version cannot read or write. Use an engine that supports it.");
      }
    }
  }

  private static UnsupportedTableException refuse(
      String option, String value, String table, String advice) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_OPTION,
        "Table "
            + table
            + " cannot be read by this version because of its option '"
            + option
            + "' = '"
            + value
            + "'. "
            + advice);
  }
}
