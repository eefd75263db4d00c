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

package io.keylake.format.snapshot;

import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a table's rows, as ANALYZE stores them.
 *
 * @param snapshotId the snapshot that was analyzed
 * @param schemaId its schema
 * @param mergedRecordCount rows of a query; null = unknown
 * @param mergedRecordSize bytes of these rows; null = unknown
 * @param columns statistics by column name
 */
public record Statistics(
    long snapshotId,
    long schemaId,
    @Nullable Long mergedRecordCount,
    @Nullable Long mergedRecordSize,
    Map<String, ColumnValues> columns)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the map. */
  public Statistics {
    columns = Map.copyOf(columns);
  }

  /**
   * Statistics of one column; null = unknown.
   *
   * @param columnId the column's field id
   * @param distinctCount number of different values
   * @param min smallest value, cast to text
   * @param max largest value, cast to text
   * @param nullCount number of NULLs
   * @param averageLength bytes
   * @param maxLength bytes
   */
  public record ColumnValues(
      int columnId,
      @Nullable Long distinctCount,
      @Nullable String min,
      @Nullable String max,
      @Nullable Long nullCount,
      @Nullable Long averageLength,
      @Nullable Long maxLength)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }
}
