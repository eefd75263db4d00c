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

import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.FileEncoder;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.rowwise.AvroFileWriter;
import io.keylake.spark.file.rowwise.OrcFileWriter;
import io.keylake.spark.file.rowwise.RowFileWriter;
import io.keylake.table.options.DataFileOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/** Writes Avro and ORC files, row by row, and collects the bounds of their columns. */
final class RowFileEncoder implements FileEncoder {
  private final DataFileOptions options;
  private final int level;
  private final RowType columns;
  private final Configuration configuration;
  private final StoredRow row;
  private final List<@Nullable Range> ranges = new ArrayList<>();
  private @Nullable RowFileWriter file;

  RowFileEncoder(DataFileSpec spec, Configuration configuration) {
    this.options = spec.files();
    this.level = spec.level();
    this.columns = RowType.of(spec.columns().fields());
    this.configuration = configuration;
    this.row = new StoredRow(spec.columns(), spec.schema().fields().size());
  }

  @Override
  public void open(OutputFile target) throws IOException {
    if (file != null) {
      throw new IllegalStateException("A file is open already");
    }
    ranges.clear();
    columns.fields().forEach(field -> ranges.add(Range.of(field.type())));
    String compression = options.compression(level);
    int zstdLevel = options.zstdLevel();
    file =
        switch (options.format(level)) {
          case AVRO -> new AvroFileWriter(columns, compression, zstdLevel, target.create(0));
          case ORC ->
              new OrcFileWriter(
                  columns, compression, zstdLevel, configuration, new Path(target.getPath()));
          case PARQUET -> throw new IllegalStateException("Parquet is not written row by row");
        };
  }

  @Override
  public void write(RowBatch batch) throws IOException {
    RowFileWriter writer = open();
    for (int i = 0; i < batch.size(); i++) {
      row.show(batch, i);
      writer.write(row);
      for (int column = 0; column < ranges.size(); column++) {
        Range range = ranges.get(column);
        if (range != null) {
          range.add(row, column);
        }
      }
    }
  }

  @Override
  public long estimatedBytes() {
    return open().bytesSoFar();
  }

  @Override
  public Ended finish() throws IOException {
    long bytes = open().finish();
    file = null;
    List<@Nullable ColumnRange> ended = new ArrayList<>();
    ranges.forEach(range -> ended.add(range == null ? null : range.end()));
    return new Ended(bytes, ended);
  }

  @Override
  public void close() throws IOException {
    RowFileWriter writer = file;
    file = null;
    if (writer != null) {
      writer.close();
    }
  }

  private RowFileWriter open() {
    if (file == null) {
      throw new IllegalStateException("No file is open");
    }
    return file;
  }

  /**
   * The bounds of one column so far. As in Parquet files, a NaN voids them, zeros are widened;
   * bytes have none.
   */
  private static final class Range {
    private final @Nullable StoredValue reader;
    private final @Nullable Comparator<Object> order;
    private boolean isVoid;
    private @Nullable Object min;
    private @Nullable Object max;
    private long nullCount;

    private Range(@Nullable StoredValue reader, @Nullable Comparator<Object> order) {
      this.reader = reader;
      this.order = order;
    }

    static @Nullable Range of(DataType type) {
      return switch (type.root()) {
        case ARRAY, MAP, MULTISET, ROW, VECTOR, VARIANT -> null;
        case BINARY, VARBINARY, BLOB -> new Range(null, null);
        default -> new Range(StoredValue.of(type), ValueComparator.of(type));
      };
    }

    void add(StoredRow row, int column) {
      if (row.getters(column).isNullAt(row.ordinal(column))) {
        nullCount++;
      } else if (reader != null && order != null) {
        add(reader.read(row.getters(column), row.ordinal(column)), order);
      }
    }

    private void add(Object value, Comparator<Object> by) {
      isVoid |= value instanceof Double number && number.isNaN();
      isVoid |= value instanceof Float number && number.isNaN();
      if (min == null || by.compare(value, min) < 0) {
        min = value;
      }
      if (max == null || by.compare(value, max) > 0) {
        max = value;
      }
    }

    ColumnRange end() {
      return isVoid
          ? new ColumnRange(null, null, nullCount)
          : new ColumnRange(zero(min, -0.0), zero(max, 0.0), nullCount);
    }

    private static @Nullable Object zero(@Nullable Object bound, double zero) {
      if (bound instanceof Double number && number == 0.0) {
        return zero;
      }
      return bound instanceof Float number && number == 0.0f ? (Object) (float) zero : bound;
    }
  }
}
