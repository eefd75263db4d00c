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

package io.keylake.table.evolution;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/**
 * The values that rows have in columns which were added after the rows were written, as SQL says of
 * ADD COLUMN with a DEFAULT. They are kept as options {@code keylake.exists-default.<field id>},
 * which other engines ignore: they read NULL there. Changing the default later changes nothing
 * here.
 */
public final class ExistsDefaults {
  private static final String PREFIX = "keylake.exists-default.";

  private ExistsDefaults() {}

  /** The option that keeps the value for the column of this id. */
  static String optionFor(int fieldId) {
    return PREFIX + fieldId;
  }

  /** Whether an option keeps such a value: it is no option that users see. */
  public static boolean isKept(String option) {
    return option.startsWith(PREFIX);
  }

  /**
   * The values by field id, as Java values of the columns' types; columns without one are NULL in
   * older rows. A TIMESTAMP_LTZ whose text has no offset is in UTC, so that all readers agree.
   */
  public static Map<Integer, Object> of(TableSchema schema) {
    Map<Integer, Object> values = new HashMap<>();
    for (DataField field : schema.fields()) {
      String text = schema.options().get(optionFor(field.id()));
      if (text != null) {
        values.put(
            field.id(), DefaultValue.parse(field.name(), field.type(), text, ZoneOffset.UTC));
      }
    }
    return values;
  }
}
