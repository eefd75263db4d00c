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

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Where a column goes among the columns, or a field among the fields of its row.
 *
 * @param place where
 * @param reference the column that AFTER and BEFORE refer to, null otherwise
 */
public record ColumnPosition(Place place, @Nullable String reference) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Where. */
  public enum Place {
    /** At the end, or before the first partition column if the table says so. */
    DEFAULT,
    FIRST,
    LAST,
    AFTER,
    BEFORE
  }

  /** Where the table puts new columns. */
  public static final ColumnPosition DEFAULT = new ColumnPosition(Place.DEFAULT, null);

  /** Before all others. */
  public static final ColumnPosition FIRST = new ColumnPosition(Place.FIRST, null);

  /** After all others. */
  public static final ColumnPosition LAST = new ColumnPosition(Place.LAST, null);

  /** Right after {@code column}. */
  public static ColumnPosition after(String column) {
    return new ColumnPosition(Place.AFTER, column);
  }

  /** Right before {@code column}. */
  public static ColumnPosition before(String column) {
    return new ColumnPosition(Place.BEFORE, column);
  }
}
