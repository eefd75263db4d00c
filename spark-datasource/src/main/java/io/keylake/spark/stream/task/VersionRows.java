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

package io.keylake.spark.stream.task;

import io.keylake.spark.changelog.ChangeColumn.Meta;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.merge.BatchReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Rows of a whole version as inserts: each is given what says so. */
final class VersionRows implements BatchReader {
  private final BatchReader rows;
  private final List<Meta> metas;
  private final CommitMark mark;
  private @Nullable ColumnarBatch batch;

  /**
   * Rows as inserts.
   *
   * @param rows the rows of the table
   * @param metas the columns that are added
   * @param mark the version
   */
  VersionRows(BatchReader rows, List<Meta> metas, CommitMark mark) {
    this.rows = rows;
    this.metas = metas;
    this.mark = mark;
  }

  @Override
  public boolean next() throws IOException {
    if (!rows.next()) {
      batch = null;
      return false;
    }
    ColumnarBatch read = rows.batch();
    ColumnVector[] columns = new ColumnVector[read.numCols() + metas.size()];
    for (int i = 0; i < read.numCols(); i++) {
      columns[i] = read.column(i);
    }
    for (int i = 0; i < metas.size(); i++) {
      columns[read.numCols() + i] = constant(metas.get(i), read.numRows());
    }
    batch = new ColumnarBatch(columns, read.numRows());
    return true;
  }

  private ColumnVector constant(Meta meta, int count) {
    return switch (meta) {
      case ROW_KIND ->
          DataFileReader.constant(count, DataTypes.StringType, UTF8String.fromString("+I"));
      case CHANGE_TYPE ->
          DataFileReader.constant(count, DataTypes.StringType, UTF8String.fromString("insert"));
      case COMMIT_VERSION -> DataFileReader.constant(count, DataTypes.LongType, mark.version());
      case COMMIT_TIMESTAMP ->
          DataFileReader.constant(
              count, DataTypes.TimestampType, TimeUnit.MILLISECONDS.toMicros(mark.timeMillis()));
      case SEQUENCE_NUMBER -> DataFileReader.constant(count, DataTypes.LongType, null);
    };
  }

  @Override
  public ColumnarBatch batch() {
    ColumnarBatch current = batch;
    if (current == null) {
      throw new IllegalStateException("No batch: next() was not called or found none");
    }
    return current;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
