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

package io.keylake.spark.file.write;

import io.keylake.spark.file.encode.FileColumns;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.StoredColumn;
import io.keylake.spark.file.encode.StoredColumn.Source;
import io.keylake.spark.file.rowwise.RowFileWriter;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Gives the columns of a file, in their order, as getters over the rows of a batch: system columns
 * from the batch, all others from the row. For one thread.
 */
final class StoredRow implements RowFileWriter.Columns {
  private static final int SEQUENCE = -1;
  private static final int KIND = -2;
  private static final int SYSTEM_BYTES = 24;

  private final int[] ordinals;
  private final UnsafeRow row;
  private final UnsafeRow system;

  StoredRow(FileColumns file, int rowArity) {
    List<StoredColumn> columns = file.columns();
    ordinals = new int[columns.size()];
    for (int i = 0; i < ordinals.length; i++) {
      StoredColumn column = columns.get(i);
      ordinals[i] =
          column.source() == Source.ROW
              ? column.ordinal()
              : column.source() == Source.SEQUENCE_NUMBER ? SEQUENCE : KIND;
    }
    row = new UnsafeRow(rowArity);
    system = UnsafeRow.createFromByteArray(SYSTEM_BYTES, 2);
  }

  /** Shows the row {@code position} of {@code batch}. */
  void show(RowBatch batch, int position) {
    batch.view(position, row);
    system.setLong(0, batch.sequenceNumber(position));
    system.setByte(1, batch.kind(position));
  }

  @Override
  public SpecializedGetters getters(int index) {
    return ordinals[index] < 0 ? system : row;
  }

  @Override
  public int ordinal(int index) {
    return switch (ordinals[index]) {
      case SEQUENCE -> 0;
      case KIND -> 1;
      default -> ordinals[index];
    };
  }
}
