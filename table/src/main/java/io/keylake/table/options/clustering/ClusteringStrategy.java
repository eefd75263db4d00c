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

package io.keylake.table.options.clustering;

/** How rows are ordered by several columns. */
public enum ClusteringStrategy {
  /**
   * Chosen by the number of columns: 1 {@link #ORDER}, 2 to 4 {@link #ZORDER}, else {@link
   * #HILBERT}.
   */
  AUTO,
  /** By the first column, where that is equal by the second, and so on. */
  ORDER,
  /** Along the Z curve: values that are close in all columns are close. */
  ZORDER,
  /** Along the Hilbert curve: the same without the Z curve's jumps. */
  HILBERT;

  private static final int MOST_ZORDER_COLUMNS = 4;

  /** What is meant for so many columns: never {@link #AUTO}. */
  public ClusteringStrategy of(int columns) {
    if (this != AUTO) {
      return this;
    }
    if (columns == 1) {
      return ORDER;
    }
    return columns <= MOST_ZORDER_COLUMNS ? ZORDER : HILBERT;
  }
}
