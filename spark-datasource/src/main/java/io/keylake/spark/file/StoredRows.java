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

package io.keylake.spark.file;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.maintenance.TableCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.jspecify.annotations.Nullable;

/** Rows of data files as they are stored, for {@link TableCheck}. Not for use by many threads. */
public final class StoredRows implements TableCheck.Rows {
  private static final int BATCH_ROWS = 1024;

  /** Stands for a value that is not looked into. */
  private static final Object SOMETHING = "something";

  private final DataFiles files;

  /** Rows of files on the file systems that {@code conf} describes. */
  public StoredRows(Configuration conf) {
    this.files =
        new DataFiles(conf, new VectorAllocation(BATCH_ROWS, VectorMemory.ON_HEAP), Map.of());
  }

  @Override
  public TableCheck.Cursor open(Location path, DataFile file, TableSchema schema) {
    List<DataField> wanted = new ArrayList<>();
    if (schema.hasPrimaryKey()) {
      wanted.add(SystemColumns.SEQUENCE_NUMBER);
      wanted.add(SystemColumns.VALUE_KIND);
    }
    int firstColumn = wanted.size();
    wanted.addAll(schema.fields());
    RowType type = RowType.of(wanted);
    try {
      DataFileReader reader = files.open(FileScan.whole(path.path(), file, schema, type));
      return new FileCursor(reader, type, firstColumn, path.path());
    } catch (IOException e) {
      throw DataFiles.damaged(path.path(), e);
    }
  }

  private static final class FileCursor implements TableCheck.Cursor {
    private final DataFileReader reader;
    private final RowType type;
    private final int firstColumn;
    private final String path;
    private @Nullable ColumnarBatchRow row;

    FileCursor(DataFileReader reader, RowType type, int firstColumn, String path) {
      this.reader = reader;
      this.type = type;
      this.firstColumn = firstColumn;
      this.path = path;
    }

    @Override
    public boolean next() {
      if (row != null && row.rowId + 1 < reader.rows()) {
        row.rowId++;
        return true;
      }
      try {
        if (!reader.next()) {
          return false;
        }
      } catch (IOException e) {
        throw DataFiles.damaged(path, e);
      }
      ColumnVector[] columns = new ColumnVector[type.size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = reader.column(i);
      }
      row = new ColumnarBatchRow(columns);
      return true;
    }

    private ColumnarBatchRow row() {
      if (row == null) {
        throw new IllegalStateException("There is no current row");
      }
      return row;
    }

    @Override
    public long sequenceNumber() {
      return firstColumn == 0 ? 0 : row().getLong(0);
    }

    @Override
    public ChangeKind kind() {
      return firstColumn == 0 ? ChangeKind.INSERT : ChangeKind.ofCode(row().getByte(1));
    }

    @Override
    public List<@Nullable Object> values() {
      List<@Nullable Object> values = new ArrayList<>(type.size() - firstColumn);
      for (int i = firstColumn; i < type.size(); i++) {
        values.add(value(i));
      }
      return values;
    }

    private @Nullable Object value(int position) {
      if (row().isNullAt(position)) {
        return null;
      }
      DataField field = type.field(position);
      DataType columnType = field.type();
      if (columnType.root().isNested() || columnType.root() == TypeRoot.VARIANT) {
        return SOMETHING;
      }
      return PartitionRows.toFormat(
          row().get(position, SparkTypes.toSpark(field.name(), columnType)), columnType);
    }

    @Override
    public void close() {
      try {
        reader.close();
      } catch (IOException e) {
        throw DataFiles.damaged(path, e);
      }
    }
  }
}
