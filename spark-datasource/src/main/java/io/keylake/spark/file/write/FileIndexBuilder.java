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

import io.keylake.format.index.BitmapIndex;
import io.keylake.format.index.BloomFilterIndex;
import io.keylake.format.index.FileIndexes;
import io.keylake.format.row.Bytes;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.table.options.FileIndexOptions;
import io.keylake.table.options.FileIndexOptions.Bitmap;
import io.keylake.table.options.FileIndexOptions.BloomFilter;
import io.keylake.table.options.FileIndexOptions.Index;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Builds the file indexes of one data file after the other. For one thread. */
public final class FileIndexBuilder {
  private final List<Column> columns = new ArrayList<>();
  private final UnsafeRow row;

  /** Indexes of rows of {@code schema}. */
  public FileIndexBuilder(TableSchema schema, FileIndexOptions options) {
    for (Index index : options.indexes()) {
      columns.add(
          new Column(
              index,
              schema.rowType().indexOfId(index.column().id()),
              StoredValue.of(index.column().type())));
    }
    this.row = new UnsafeRow(schema.fields().size());
    clear();
  }

  /** Whether files get any index. */
  boolean isEmpty() {
    return columns.isEmpty();
  }

  /** Forgets the rows. */
  void clear() {
    columns.forEach(Column::clear);
  }

  /** Adds the rows of a batch. */
  public void add(RowBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      batch.view(i, row);
      for (Column column : columns) {
        column.add(row);
      }
    }
  }

  /** The container with the indexes of the rows since {@link #clear}. */
  public byte[] encode() {
    Map<String, Map<String, Bytes>> bodies = new LinkedHashMap<>();
    for (Column column : columns) {
      bodies
          .computeIfAbsent(column.index.column().name(), name -> new LinkedHashMap<>())
          .put(column.type(), column.encode());
    }
    return new FileIndexes(bodies).encode();
  }

  private static final class Column {
    private final Index index;
    private final int ordinal;
    private final StoredValue reader;
    private @Nullable BloomFilterIndex filter;
    private BitmapIndex.@Nullable Builder bitmap;

    Column(Index index, int ordinal, StoredValue reader) {
      this.index = index;
      this.ordinal = ordinal;
      this.reader = reader;
    }

    void clear() {
      if (index instanceof BloomFilter wanted) {
        filter =
            BloomFilterIndex.create(
                wanted.column().type(), wanted.items(), wanted.falsePositives());
      } else if (index instanceof Bitmap wanted) {
        bitmap = new BitmapIndex.Builder(wanted.column().type(), wanted.blockBytes());
      }
    }

    void add(UnsafeRow row) {
      Object value = row.isNullAt(ordinal) ? null : reader.read(row, ordinal);
      if (bitmap != null) {
        bitmap.add(value);
      } else if (filter != null && value != null) {
        filter.add(value);
      }
    }

    String type() {
      return bitmap != null ? FileIndexes.BITMAP : FileIndexes.BLOOM_FILTER;
    }

    Bytes encode() {
      if (bitmap != null) {
        return bitmap.encode();
      }
      return filter == null ? Bytes.EMPTY : filter.encode();
    }
  }
}
