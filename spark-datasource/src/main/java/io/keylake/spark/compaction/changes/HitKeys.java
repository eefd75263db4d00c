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

package io.keylake.spark.compaction.changes;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.compaction.CompactionInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.jspecify.annotations.Nullable;

/**
 * The keys of new rows as some ranges of their first column, so that of large files above, in which
 * they are looked for, only those row groups and pages are read that may hold one of them.
 *
 * <p>The ranges are found by reading that column of the new files, and only where the files above
 * have many times their rows. For one thread.
 */
public final class HitKeys {
  /** The most ranges of a file. */
  private static final int RANGES = 128;

  /** From so many rows above for each new one on it pays to know their keys. */
  private static final int MIN_RATIO = 8;

  /** Files above with fewer rows have few pages. */
  private static final long MIN_ROWS = 50_000;

  private final RowType keyType;
  private final DataFiles files;
  private final Function<DataFile, TableSchema> schemas;
  private final StopCheck stop;

  /**
   * The keys of rows of a table.
   *
   * @param keyType its key columns; none of a table without a key, which is not asked
   * @param schemas the schema that a file was written with
   */
  public HitKeys(
      RowType keyType, DataFiles files, Function<DataFile, TableSchema> schemas, StopCheck stop) {
    this.keyType = keyType;
    this.files = files;
    this.schemas = schemas;
    this.stop = stop;
  }

  /**
   * What rows of the files above have to satisfy to be looked at; null when all of them are read.
   */
  public @Nullable Predicate of(List<CompactionInput> newFiles, List<CompactionInput> above)
      throws IOException {
    long rows = rows(newFiles);
    long rowsAbove = rows(above);
    TypeRoot root = keyType.field(0).type().root();
    boolean hasNaN = root == TypeRoot.FLOAT || root == TypeRoot.DOUBLE;
    if (hasNaN || rowsAbove < MIN_ROWS || rowsAbove < MIN_RATIO * rows) {
      return null;
    }
    List<Predicate> ranges = new ArrayList<>();
    for (CompactionInput input : newFiles) {
      addRanges(input, ranges);
    }
    return ranges.isEmpty() ? null : balanced(ranges);
  }

  private RowType first() {
    return RowType.of(List.of(keyType.field(0)));
  }

  private static long rows(List<CompactionInput> inputs) {
    return inputs.stream().mapToLong(input -> input.file().rowCount()).sum();
  }

  /** One of the parts, as a tree: a long list would be a deep one. */
  private static Predicate balanced(List<Predicate> parts) {
    int size = parts.size();
    return size == 1
        ? parts.get(0)
        : new Predicate.Or(
            List.of(balanced(parts.subList(0, size / 2)), balanced(parts.subList(size / 2, size))));
  }

  /** Cuts the rows of a file, which are in order, into ranges of as many rows each. */
  private void addRanges(CompactionInput input, List<Predicate> ranges) throws IOException {
    DataFile file = input.file();
    long step = Math.max(1, (file.rowCount() + RANGES - 1) / RANGES);
    PartitionRows values = new PartitionRows(first());
    Object begin = null;
    try (DataFileReader reader =
        files.open(FileScan.whole(input.path(), file, schemas.apply(file), first()))) {
      ColumnVector[] columns = new ColumnVector[1];
      long before = 0;
      while (reader.next()) {
        stop.check();
        columns[0] = reader.column(0);
        ColumnarBatchRow row = new ColumnarBatchRow(columns);
        for (int i = 0; i < reader.rows(); i++) {
          long place = before + i;
          boolean ends = place % step == step - 1 || place == file.rowCount() - 1;
          if (begin == null || ends) {
            row.rowId = i;
            Object value =
                Objects.requireNonNull(BinaryRowCodec.of(first()).value(values.toBinary(row), 0));
            begin = begin == null ? value : begin;
            if (ends) {
              ranges.add(range(begin, value));
              begin = null;
            }
          }
        }
        before += reader.rows();
      }
    }
  }

  private Predicate range(Object from, Object to) {
    DataField field = keyType.field(0);
    return new Predicate.And(
        List.of(
            new Predicate.Leaf(field, Operator.GREATER_OR_EQUAL, List.of(from)),
            new Predicate.Leaf(field, Operator.LESS_OR_EQUAL, List.of(to))));
  }
}
