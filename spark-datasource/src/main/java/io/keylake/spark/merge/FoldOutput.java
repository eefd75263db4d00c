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
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.merge.ReadColumn.MetadataColumn;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.spark.vector.VectorCompaction;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The output columns of a fold: vectors of the runs or of the folded rows, constants, and where
 * rows come from, which is the file and position of the newest row of a folded key. For one thread.
 */
final class FoldOutput implements AutoCloseable {
  private final List<ReadColumn> columns;
  private final int[] places;
  private final int[] distinctPlaces;
  private final List<? extends @Nullable ColumnVector> constants;
  private final @Nullable WritableColumnVector files;
  private final @Nullable WritableColumnVector positions;
  private UTF8String[] keyFiles = new UTF8String[0];
  private long[] keyPositions = new long[0];
  private int keys;

  /**
   * @param columns the columns of the output
   * @param places for each of them its place among the columns that are folded, or -1
   * @param constants for each of them its constant, or null
   * @param vectors how vectors are made
   */
  FoldOutput(
      List<ReadColumn> columns,
      int[] places,
      List<? extends @Nullable ColumnVector> constants,
      VectorAllocation vectors) {
    this.columns = columns;
    this.places = places;
    this.distinctPlaces = Arrays.stream(places).filter(place -> place >= 0).distinct().toArray();
    this.constants = constants;
    this.files =
        columns.contains(MetadataColumn.FILE) ? vectors.allocate(DataTypes.StringType) : null;
    this.positions =
        columns.contains(MetadataColumn.POSITION) ? vectors.allocate(DataTypes.LongType) : null;
  }

  /** Notes the newest row of the next key that is folded. */
  void addKey(RunCursor run, int row) {
    if (files == null && positions == null) {
      return;
    }
    if (keys == keyFiles.length) {
      int room = Math.max(1024, 2 * keys);
      keyFiles = Arrays.copyOf(keyFiles, room);
      keyPositions = Arrays.copyOf(keyPositions, room);
    }
    keyFiles[keys] = UTF8String.fromString(run.input().path());
    keyPositions[keys] = positions == null ? 0 : run.position(row);
    keys++;
  }

  /** Forgets the keys that were noted. */
  void forgetKeys() {
    keys = 0;
  }

  /**
   * The batch of some rows of the current batch of a run, which are moved to its front.
   *
   * @param moves whether any row is left out
   */
  ColumnarBatch ofRun(RunCursor run, int[] survivors, int count, boolean moves) {
    if (positions != null) {
      positions.reset();
      for (int i = 0; i < count; i++) {
        positions.putLong(i, run.position(survivors[i]));
      }
    }
    ColumnVector[] vectors = new ColumnVector[places.length];
    for (int place : distinctPlaces) {
      if (moves && run.column(place) instanceof WritableColumnVector column) {
        VectorCompaction.compact(column, survivors, count);
      }
    }
    for (int i = 0; i < vectors.length; i++) {
      ColumnVector other = constants.get(i);
      if (columns.get(i) == MetadataColumn.FILE) {
        other =
            DataFileReader.constant(
                count, DataTypes.StringType, UTF8String.fromString(run.input().path()));
      }
      vectors[i] = places[i] >= 0 ? run.column(places[i]) : otherwise(other);
    }
    return new ColumnarBatch(vectors, count);
  }

  /** The batch of some folded rows, which are moved to the front. */
  ColumnarBatch ofFolded(FoldedRows rows, int[] survivors, int count) {
    if (count < rows.rows()) {
      for (int place : distinctPlaces) {
        VectorCompaction.compact(rows.column(place), survivors, count);
      }
    }
    if (positions != null) {
      positions.reset();
      positions.reserve(count);
      for (int i = 0; i < count; i++) {
        positions.putLong(i, keyPositions[survivors[i]]);
      }
    }
    if (files != null) {
      files.reset();
      files.reserve(count);
      for (int i = 0; i < count; i++) {
        files.putByteArray(i, keyFiles[survivors[i]].getBytes());
      }
    }
    ColumnVector[] vectors = new ColumnVector[places.length];
    for (int i = 0; i < vectors.length; i++) {
      ColumnVector other = columns.get(i) == MetadataColumn.FILE ? files : constants.get(i);
      vectors[i] = places[i] >= 0 ? rows.column(places[i]) : otherwise(other);
    }
    return new ColumnarBatch(vectors, count);
  }

  /** A column that is neither stored nor folded: the positions are the only one left. */
  private ColumnVector otherwise(@Nullable ColumnVector other) {
    ColumnVector vector = other == null ? positions : other;
    if (vector == null) {
      throw new IllegalStateException("A column of the output comes from nowhere: " + columns);
    }
    return vector;
  }

  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
    if (positions != null) {
      positions.close();
    }
  }
}
