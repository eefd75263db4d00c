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

package io.keylake.catalog;

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.KeylakeException;
import io.keylake.spark.convert.SparkErrors;
import java.util.Set;

/**
 * Names of databases and tables. A name becomes the name of a folder, so what could leave the
 * warehouse, or mean something else there, is no name: an empty one, {@code .} and {@code ..},
 * names that start with a dot, and names with a slash, a backslash, a colon or a control character.
 * A dollar sign separates a table from its branch and its metadata table.
 */
final class ObjectNames {
  /** The namespaces in which procedures are. */
  static final Set<String> PROCEDURE_NAMESPACES = Set.of("sys", "system");

  private static final int MAX_LENGTH = 200;

  private ObjectNames() {}

  /** Whether a folder of this name could be a database or a table. */
  static boolean isValid(String name) {
    return !name.isBlank()
        && name.length() <= MAX_LENGTH
        && !name.startsWith(".")
        && name.equals(name.strip())
        && name.chars().noneMatch(ObjectNames::isForbidden);
  }

  private static boolean isForbidden(int c) {
    return c < ' ' || c == 0x7f || c == '/' || c == '\\' || c == ':' || c == '$';
  }

  /** The failure for a table that cannot have this name. */
  static KeylakeException invalidTable(String name) {
    return SparkErrors.failure(
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "'" + name + "' cannot be the name of a table. " + advice());
  }

  /** Checks the name of a new database. */
  static void checkNewDatabase(String name) {
    if (PROCEDURE_NAMESPACES.contains(name)) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_INVALID_REQUEST,
          "The namespace " + name + " holds the procedures. Choose another name.");
    }
    if (!isValid(name)) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_INVALID_REQUEST,
          "'" + name + "' cannot be the name of a namespace. " + advice());
    }
  }

  private static String advice() {
    return "Use up to "
        + MAX_LENGTH
        + " characters without / \\ : $ and control characters, not starting with a dot.";
  }
}
