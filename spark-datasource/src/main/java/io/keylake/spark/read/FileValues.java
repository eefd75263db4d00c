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

package io.keylake.spark.read;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What manifests say exactly about the values of a column in a file. Columns are matched by id; a
 * column that has another type in the file has no known bounds. For one statement, in one thread.
 */
final class FileValues {
  private final ReadPlanner planner;
  private final RowType partition;
  private final Map<Long, RowType> rowsBySchema = new HashMap<>();

  FileValues(ReadPlanner planner) {
    this.planner = planner;
    this.partition = planner.target().schema().partitionType();
  }

  /**
   * What is known of a column in a file.
   *
   * @param lowest smallest value; null = unknown or none
   * @param highest largest value; null = unknown or none
   * @param nulls number of NULLs; null = unknown
   * @param constant whether all rows have the same value
   */
  record Column(
      @Nullable Object lowest, @Nullable Object highest, @Nullable Long nulls, boolean constant) {
    private static final Column UNKNOWN = new Column(null, null, null, false);

    /** Whether the column is known to be NULL in all of {@code rows} rows. */
    boolean isAllNull(long rows) {
      return nulls != null && nulls >= rows;
    }
  }

  /** Whether statistics hold the exact bounds of columns of this type. */
  static boolean hasExactBounds(DataType type) {
    return switch (type.root()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, DECIMAL, DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ ->
          true;
      case FLOAT,
          DOUBLE,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          VARIANT,
          BLOB,
          ARRAY,
          MAP,
          MULTISET,
          ROW,
          VECTOR ->
          false;
    };
  }

  Column of(StoredFile stored, DataField column) {
    int inPartition = partition.indexOfId(column.id());
    if (inPartition >= 0) {
      Object value = BinaryRowCodec.of(partition).value(stored.partition(), inPartition);
      return new Column(value, value, value == null ? stored.file().rowCount() : 0L, true);
    }
    DataFile file = stored.file();
    if (file.writeColumns() != null) {
      return Column.UNKNOWN;
    }
    RowType written = written(file);
    DataField writtenColumn = written.fieldById(column.id()).orElse(null);
    if (writtenColumn == null) {
      boolean filled = planner.addedDefaults().containsKey(column.id());
      return filled ? Column.UNKNOWN : new Column(null, null, file.rowCount(), true);
    }
    return covered(file, written, column, writtenColumn);
  }

  private static Column covered(
      DataFile file, RowType written, DataField column, DataField writtenColumn) {
    List<String> names = file.valueStatsColumns();
    RowType covered = names == null ? written : written.project(names);
    int index = covered.indexOfId(column.id());
    List<@Nullable Long> nulls = file.valueStats().nullCounts();
    if (index < 0 || index >= nulls.size()) {
      return Column.UNKNOWN;
    }
    boolean bounded =
        hasExactBounds(column.type())
            && column.type().asNullable().equals(writtenColumn.type().asNullable());
    BinaryRowCodec codec = BinaryRowCodec.of(covered);
    return new Column(
        bounded ? value(codec, file.valueStats().minValues(), index) : null,
        bounded ? value(codec, file.valueStats().maxValues(), index) : null,
        nulls.get(index),
        false);
  }

  private static @Nullable Object value(BinaryRowCodec codec, BinaryRow row, int index) {
    return index < row.arity() ? codec.value(row, index) : null;
  }

  private RowType written(DataFile file) {
    return rowsBySchema.computeIfAbsent(file.schemaId(), id -> planner.schema(id).rowType());
  }
}
