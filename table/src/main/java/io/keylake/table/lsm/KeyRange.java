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

package io.keylake.table.lsm;

import io.keylake.format.row.BinaryRow;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Keys from one (inclusive) to another (exclusive).
 *
 * @param from the smallest key; null = from the first
 * @param to the first key that is not part of the range; null = to the last
 */
public record KeyRange(@Nullable BinaryRow from, @Nullable BinaryRow to) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** All keys. */
  public static final KeyRange ALL = new KeyRange(null, null);
}
