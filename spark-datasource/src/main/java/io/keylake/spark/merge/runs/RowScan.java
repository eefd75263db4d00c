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

package io.keylake.spark.merge.runs;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.FileScan.Positions;
import io.keylake.spark.file.VectorMemory;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a merge are read.
 *
 * @param columns positions, in the table, of the columns of the rows
 * @param use what the rows are read for
 * @param positions whether the places of rows in their files are needed
 * @param onKeys a condition on key columns that may skip row groups and pages; null = none
 * @param batchRows most rows of a batch
 * @param memory where vectors live
 */
public record RowScan(
    List<Integer> columns,
    Use use,
    Positions positions,
    @Nullable Predicate onKeys,
    int batchRows,
    VectorMemory memory) {
  private static final int MAX_BATCH_ROWS = 4096;

  /** What rows are read for. */
  public enum Use {
    /** They are written again: sequence numbers and kinds are read of all of them. */
    STORED,
    /** They are the answer: sequence numbers and kinds are read where they decide something. */
    ANSWERED
  }

  /** Copies the list. */
  public RowScan {
    columns = List.copyOf(columns);
  }

  /** All columns of a table, to be written again. */
  static RowScan toStore(TableSchema schema) {
    return new RowScan(
        IntStream.range(0, schema.fields().size()).boxed().toList(),
        Use.STORED,
        Positions.NOT_NEEDED,
        null,
        MAX_BATCH_ROWS,
        VectorMemory.ON_HEAP);
  }
}
