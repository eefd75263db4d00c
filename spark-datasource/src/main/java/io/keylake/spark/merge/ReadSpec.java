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

package io.keylake.spark.merge;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.VectorMemory;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What a scan wants of every split: made once on the driver, sent to every task.
 *
 * @param schema the pinned schema of the read
 * @param columns the wanted columns in output order
 * @param output the same columns as Spark knows them: names, types
 * @param fileSchemas every schema that a data file of the scan was written with, by id
 * @param predicate conjuncts that may skip row groups and pages of scanned files; those on key
 *     columns alone also skip them in probes. Rows that fail it may still come back. Null when
 *     there is none
 * @param addedDefaults values that rows written before a column was added have in it: Spark's
 *     internal value by field id; columns that are not named here read as NULL in such rows
 * @param batchRows most rows of a batch, at least 1
 * @param memory where vectors live
 */
public record ReadSpec(
    TableSchema schema,
    List<ReadColumn> columns,
    StructType output,
    Map<Long, TableSchema> fileSchemas,
    @Nullable Predicate predicate,
    Map<Integer, Object> addedDefaults,
    int batchRows,
    VectorMemory memory)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The number of rows in a batch unless told otherwise. */
  public static final int DEFAULT_BATCH_ROWS = 4096;

  /** Copies the collections. */
  public ReadSpec {
    columns = List.copyOf(columns);
    fileSchemas = Map.copyOf(fileSchemas);
    addedDefaults = Map.copyOf(addedDefaults);
    if (columns.size() != output.size()) {
      throw new IllegalArgumentException(
          "The output has " + output.size() + " columns, not " + columns.size());
    }
    if (batchRows < 1) {
      throw new IllegalArgumentException("A batch holds at least one row, not " + batchRows);
    }
  }
}
