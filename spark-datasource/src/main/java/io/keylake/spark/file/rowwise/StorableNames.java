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

package io.keylake.spark.file.rowwise;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import java.util.regex.Pattern;

/** Which names of columns a file format can store. */
final class StorableNames {
  private static final Pattern AVRO = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private StorableNames() {}

  /**
   * Checks a name that goes into an Avro file.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_FEATURE
   */
  static void checkAvro(String name) {
    if (!AVRO.matcher(name).matches()) {
      throw refuse(name, "Avro files", "letters, digits and underscores only");
    }
  }

  /**
   * Checks a name that goes into an ORC file, whose library cuts names at a backtick.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_FEATURE
   */
  static void checkOrc(String name) {
    if (name.indexOf('`') >= 0) {
      throw refuse(name, "ORC files", "no backtick");
    }
  }

  private static UnsupportedTableException refuse(String name, String files, String allowed) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_FEATURE,
        "Column '"
            + name
            + "' cannot be stored in "
            + files
            + ": their names have "
            + allowed
            + ". Rename the column, or use 'file.format' = 'parquet'.");
  }
}
