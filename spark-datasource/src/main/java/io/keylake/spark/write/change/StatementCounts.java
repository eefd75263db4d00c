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

package io.keylake.spark.write.change;

import io.keylake.format.snapshot.Snapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.connector.write.DeleteSummary;
import org.apache.spark.sql.connector.write.InsertSummary;
import org.apache.spark.sql.connector.write.MergeSummary;
import org.apache.spark.sql.connector.write.UpdateSummary;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.jspecify.annotations.Nullable;

/**
 * What a statement did to rows, as properties of its snapshot: {@code keylake.operation}, {@code
 * keylake.rows-inserted}, {@code -updated}, {@code -deleted}, {@code -copied}. What is not known is
 * left out. The commit adds the numbers of files.
 */
public final class StatementCounts {
  /** Rows that the statement did not change but had to write again. */
  public static final String ROWS_COPIED = "keylake.rows-copied";

  private static final String ROWS = "keylake.rows-";

  private final Map<String, String> properties = new LinkedHashMap<>();

  /**
   * The counts of a statement.
   *
   * @param operation INSERT, OVERWRITE, DELETE, UPDATE or MERGE
   * @param summary what Spark has counted; null = nothing
   */
  public StatementCounts(String operation, @Nullable WriteSummary summary) {
    properties.put(Snapshot.OPERATION, operation);
    if (summary instanceof InsertSummary insert) {
      rows("inserted", insert.numInsertedRows());
    } else if (summary instanceof DeleteSummary delete) {
      rows("deleted", delete.numDeletedRows());
    } else if (summary instanceof UpdateSummary update) {
      rows("updated", update.numUpdatedRows());
    } else if (summary instanceof MergeSummary merge) {
      rows("inserted", merge.numTargetRowsInserted());
      rows("updated", merge.numTargetRowsUpdated());
      rows("deleted", merge.numTargetRowsDeleted());
    } else if (summary instanceof OverwriteSummary overwrite) {
      rows("inserted", overwrite.inserted());
      rows("deleted", overwrite.deleted());
    }
  }

  /**
   * Adds a number of rows.
   *
   * @param what inserted, updated, deleted or copied
   * @param count negative = not known
   */
  public StatementCounts rows(String what, long count) {
    if (count >= 0) {
      properties.put(ROWS + what, Long.toString(count));
    }
    return this;
  }

  /** The properties. */
  public Map<String, String> properties() {
    return Map.copyOf(properties);
  }
}
