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

import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.vector.VectorCompaction;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The output columns of a unit: some of its file's vectors, constants, and the positions of its
 * rows.
 */
final class UnitOutput implements AutoCloseable {
  private final List<Integer> places;
  private final ColumnVector[] columns;
  private final @Nullable WritableColumnVector positions;

  /**
   * @param places for each output column its place among the file's columns, or -1
   * @param constants for each output column its constant, or null
   * @param positions the vector of row positions, which stands where neither of the two is; null
   *     when none is wanted
   */
  UnitOutput(
      List<Integer> places,
      List<? extends @Nullable ColumnVector> constants,
      @Nullable WritableColumnVector positions) {
    this.places = places;
    this.positions = positions;
    this.columns = new ColumnVector[places.size()];
    for (int i = 0; i < columns.length; i++) {
      ColumnVector constant = constants.get(i);
      if (constant != null) {
        columns[i] = constant;
      } else if (places.get(i) < 0 && positions != null) {
        columns[i] = positions;
      }
    }
  }

  /** The batch that stands for all batches of the file, whose first batch has been read. */
  ColumnarBatch start(DataFileReader file) {
    for (int i = 0; i < columns.length; i++) {
      if (places.get(i) >= 0) {
        columns[i] = file.column(places.get(i));
      }
    }
    return new ColumnarBatch(columns);
  }

  /** Moves the surviving rows of the file's current batch to the front. */
  void compact(DataFileReader file, int[] survivors, int count) {
    for (int i = 0; i < columns.length; i++) {
      // A column may be asked for twice; it must be moved once.
      if (places.get(i) >= 0
          && places.indexOf(places.get(i)) == i
          && columns[i] instanceof WritableColumnVector column) {
        VectorCompaction.compact(column, survivors, count);
      }
    }
    if (positions != null) {
      for (int i = 0; i < count; i++) {
        positions.putLong(i, file.position(survivors[i]));
      }
    }
  }

  /** Keeps all rows of the file's current batch. */
  void keepAll(DataFileReader file, int rows) {
    if (positions != null) {
      for (int i = 0; i < rows; i++) {
        positions.putLong(i, file.position(i));
      }
    }
  }

  @Override
  public void close() {
    if (positions != null) {
      positions.close();
    }
  }
}
