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

package io.keylake.format.stats;

import io.keylake.format.row.BinaryRow;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Minimum, maximum and null count of some columns over the rows of a file.
 *
 * @param minValues one field per covered column; NULL = unknown or all NULL
 * @param maxValues likewise
 * @param nullCounts one per covered column; a null element = unknown
 */
public record ColumnStats(BinaryRow minValues, BinaryRow maxValues, List<@Nullable Long> nullCounts)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Statistics of no column. */
  public static final ColumnStats EMPTY =
      new ColumnStats(BinaryRow.EMPTY, BinaryRow.EMPTY, List.of());

  /** Copies the list. */
  public ColumnStats {
    nullCounts = Collections.unmodifiableList(new ArrayList<>(nullCounts));
  }
}
