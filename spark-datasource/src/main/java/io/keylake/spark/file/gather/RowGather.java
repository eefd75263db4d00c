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

package io.keylake.spark.file.gather;

import io.keylake.spark.file.encode.RowBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows together from the vectors of several sources: for each column and source one tight loop
 * over the picked rows.
 *
 * <ol>
 *   <li>Lengths: values of variable length are found where they are, and the rows laid out.
 *   <li>Fixed width: values go to their words.
 *   <li>Variable length: bytes are copied once, from the vector into the row.
 * </ol>
 *
 * Rows come in batches of at most {@link RowBatch#MAX_ROWS} rows and about {@link
 * RowBatch#MAX_BYTES} bytes. For one thread.
 */
public final class RowGather {
  /** Takes rows. */
  @FunctionalInterface
  public interface Target {
    /** Takes a batch, which is reused for the next one. */
    void write(RowBatch batch) throws IOException;
  }

  private final int fields;
  private final FixedGather[] fixed;
  private final BytesGather[] variable;
  private final List<Integer> bytesFields = new ArrayList<>();
  private final List<Integer> nestedFields = new ArrayList<>();
  private final BytesGather[] nestedValues;
  private final @Nullable NestedGather nested;
  private final RowBytes rows;
  private final RowBatch batch = new RowBatch();
  private int[] lengths = new int[0];
  private int[] present = new int[0];

  /** A gatherer of rows of {@code type}. */
  public RowGather(StructType type) {
    fields = type.size();
    fixed = new FixedGather[fields];
    variable = new BytesGather[fields];
    rows = new RowBytes(fields);
    List<DataType> nestedTypes = new ArrayList<>();
    for (int field = 0; field < fields; field++) {
      DataType column = type.fields()[field].dataType();
      FixedGather loop = FixedGather.of(column);
      if (loop != null) {
        fixed[field] = loop;
        continue;
      }
      variable[field] =
          new BytesGather(
              column instanceof DecimalType
                  ? BytesGather.Form.DECIMAL
                  : BytesGather.Form.AS_STORED);
      if (isBytes(column)) {
        bytesFields.add(field);
      } else {
        nestedFields.add(field);
        nestedTypes.add(column);
      }
    }
    nestedValues = nestedFields.stream().map(field -> variable[field]).toArray(BytesGather[]::new);
    nested = nestedFields.isEmpty() ? null : new NestedGather(nestedTypes, nestedFields);
  }

  private static boolean isBytes(DataType type) {
    return type instanceof StringType || type instanceof BinaryType || type instanceof DecimalType;
  }

  /** Gives the picked rows, in their order, to {@code target}. */
  public void gather(List<? extends GatherSource> sources, PickedRows picked, Target target)
      throws IOException {
    int count = picked.size();
    if (count == 0) {
      return;
    }
    picked.group(sources.size(), 0, count);
    findVariable(sources, picked);
    int from = 0;
    while (from < count) {
      int to = from;
      int bytes = 0;
      while (to < count
          && to - from < RowBatch.MAX_ROWS
          && (to == from || bytes + lengths[to] <= RowBatch.MAX_BYTES)) {
        bytes += lengths[to++];
      }
      if (from > 0 || to < count) {
        picked.group(sources.size(), from, to);
      }
      batch.layOut(lengths, from, to - from);
      fill(sources, picked, from, to);
      target.write(batch);
      from = to;
    }
  }

  private void findVariable(List<? extends GatherSource> sources, PickedRows picked) {
    int count = picked.size();
    if (lengths.length < count) {
      lengths = new int[count];
      present = new int[count];
    }
    Arrays.fill(lengths, 0, count, rows.fixedBytes());
    for (int field = 0; field < fields; field++) {
      if (variable[field] != null) {
        variable[field].reserve(count);
      }
    }
    for (int field : bytesFields) {
      for (int source = 0; source < sources.size(); source++) {
        if (picked.begin(source) < picked.end(source)) {
          variable[field].find(sources.get(source).column(field), picked, source, lengths);
        }
      }
    }
    if (nested != null) {
      nested.clear();
      for (int source = 0; source < sources.size(); source++) {
        nested.find(sources.get(source), source, picked, nestedValues, lengths);
      }
    }
  }

  private void fill(List<? extends GatherSource> sources, PickedRows picked, int from, int to) {
    rows.start(batch, from);
    for (int source = 0; source < sources.size(); source++) {
      if (picked.begin(source) < picked.end(source)) {
        number(sources.get(source), picked, source, from);
        for (int field = 0; field < fields; field++) {
          if (fixed[field] != null) {
            fill(sources.get(source).column(field), field, picked, source);
          }
        }
      }
    }
    for (int field = 0; field < fields; field++) {
      if (variable[field] != null) {
        variable[field].copy(rows, field, from, to);
      }
    }
  }

  private void number(GatherSource source, PickedRows picked, int ordinal, int from) {
    ColumnVector sequences = source.sequenceNumbers();
    ColumnVector kinds = source.kinds();
    int[] items = picked.items();
    int end = picked.end(ordinal);
    for (int i = picked.begin(ordinal); i < end; i++) {
      int item = items[i];
      int row = picked.row(item);
      batch.number(item - from, sequences.getLong(row), kinds.getByte(row));
    }
  }

  private void fill(ColumnVector column, int field, PickedRows picked, int source) {
    int begin = picked.begin(source);
    int end = picked.end(source);
    FixedGather.Words words = rows.words(field);
    if (!column.hasNull()) {
      fixed[field].put(words, column, picked.items(), picked.rows(), begin, end);
      return;
    }
    int count = 0;
    for (int i = begin; i < end; i++) {
      int item = picked.items()[i];
      if (column.isNullAt(picked.row(item))) {
        rows.setNull(item, field);
      } else {
        present[count++] = item;
      }
    }
    fixed[field].put(words, column, present, picked.rows(), 0, count);
  }
}
