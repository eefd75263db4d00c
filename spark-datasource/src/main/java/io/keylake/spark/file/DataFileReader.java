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

import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.vector.ValueAppender;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Batches of the wanted columns of one data file. Vectors are those that the file's reader fills,
 * own writable ones where values are cast, and constants for columns that the file lacks; they are
 * valid until the next call of {@link #next}, and may be compacted in place until then. For one
 * thread; the caller closes it, after the last batch has been used.
 */
public final class DataFileReader implements Closeable {
  private final FormatReader reader;
  private final RowType wanted;
  private final FileProjection projection;
  private final ColumnVector[] columns;
  private final @Nullable WritableColumnVector[] castTargets;
  private boolean started;

  DataFileReader(
      FormatReader reader,
      RowType wanted,
      FileProjection projection,
      VectorAllocation vectors,
      Map<Integer, Object> addedDefaults) {
    this.reader = reader;
    this.wanted = wanted;
    this.projection = projection;
    this.columns = new ColumnVector[wanted.size()];
    this.castTargets = new WritableColumnVector[wanted.size()];
    for (int i = 0; i < columns.length; i++) {
      DataField field = wanted.field(i);
      DataType type = SparkTypes.toSpark(field.name(), field.type());
      if (projection.sources().get(i) < 0) {
        columns[i] = constant(vectors.batchRows(), type, addedDefaults.get(field.id()));
      } else if (projection.casts().get(i) != null) {
        WritableColumnVector target = vectors.allocate(type);
        castTargets[i] = target;
        columns[i] = target;
      }
    }
  }

  /** A vector that holds {@code value} in each row; NULL when it is null. */
  public static ConstantColumnVector constant(int rows, DataType type, @Nullable Object value) {
    ConstantColumnVector vector = new ConstantColumnVector(rows, type);
    if (value == null) {
      vector.setNull();
    } else {
      ColumnVectorUtils.populate(vector, new GenericInternalRow(new Object[] {value}), 0);
    }
    return vector;
  }

  /** Moves to the next batch that has rows; false at the end. */
  public boolean next() throws IOException {
    if (!reader.next()) {
      return false;
    }
    if (!started) {
      takeVectors();
      started = true;
    }
    for (int i = 0; i < columns.length; i++) {
      ValueAppender cast = projection.casts().get(i);
      WritableColumnVector target = castTargets[i];
      if (cast != null && target != null) {
        target.reset();
        WritableColumnVector source = reader.columns()[projection.sources().get(i)];
        for (int row = 0; row < reader.rows(); row++) {
          cast.append(source, row, target);
        }
      }
    }
    return true;
  }

  private void takeVectors() {
    for (int i = 0; i < columns.length; i++) {
      int source = projection.sources().get(i);
      if (source >= 0 && castTargets[i] == null) {
        columns[i] = reader.columns()[source];
      }
    }
  }

  /** The number of rows of the current batch. */
  public int rows() {
    return reader.rows();
  }

  /** A wanted column of the current batch; from the first batch on the same object for all. */
  public ColumnVector column(int index) {
    return columns[index];
  }

  /** The place of a row of the current batch in the file; only when the scan needs positions. */
  public long position(int row) {
    return reader.position(row);
  }

  /** Bounds of a wanted column over all rows to be read; null when they are not known. */
  public @Nullable ValueRange range(int column) {
    int source = projection.sources().get(column);
    boolean sameType =
        source >= 0
            && projection.request().get(source).stored().root()
                == wanted.field(column).type().root()
            && projection.casts().get(column) == null;
    return sameType ? reader.range(source) : null;
  }

  /** Row groups of the range that statistics excluded. */
  public long skippedRowGroups() {
    return reader.skippedRowGroups();
  }

  @Override
  public void close() throws IOException {
    for (WritableColumnVector target : castTargets) {
      if (target != null) {
        target.close();
      }
    }
    reader.close();
  }
}
