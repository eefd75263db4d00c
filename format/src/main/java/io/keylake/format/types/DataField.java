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

package io.keylake.format.types;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table or a field of a ROW.
 *
 * @param id stable over renames, never reused; system columns have ids of 1073741823 and above
 * @param name spelled as declared
 * @param type the type with its nullability
 * @param description the comment, null when there is none
 * @param defaultValue the text of the default, null when there is none
 */
public record DataField(
    int id, String name, DataType type, @Nullable String description, @Nullable String defaultValue)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A field without comment and default. */
  public static DataField of(int id, String name, DataType type) {
    return new DataField(id, name, type, null, null);
  }

  /** The same field with another type. */
  public DataField withType(DataType newType) {
    return new DataField(id, name, newType, description, defaultValue);
  }

  /** The same field with another name. */
  public DataField withName(String newName) {
    return new DataField(id, newName, type, description, defaultValue);
  }
}
