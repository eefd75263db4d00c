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

package io.keylake.format.predicate;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one column's values in some rows, as Java values of the column's type.
 *
 * @param min no value is less, NaN aside; null = unknown, or all values are NULL
 * @param max no value is greater, NaN aside; null = unknown, or all values are NULL
 * @param nullCount number of NULLs; null = unknown
 */
public record ValueBounds(@Nullable Object min, @Nullable Object max, @Nullable Long nullCount) {
  /** Nothing is known. */
  public static final ValueBounds UNKNOWN = new ValueBounds(null, null, null);

  /** Of a column that does not exist in the rows: every value is NULL. */
  public static ValueBounds allNull(long rowCount) {
    return new ValueBounds(null, null, rowCount);
  }
}
