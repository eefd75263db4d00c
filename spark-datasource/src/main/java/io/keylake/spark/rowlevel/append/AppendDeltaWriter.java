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

package io.keylake.spark.rowlevel.append;

import io.keylake.format.errors.TableException;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.write.BucketWriteMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/** One task of a statement: notes the rows that go, and writes the new ones. */
final class AppendDeltaWriter implements DeltaWriter<InternalRow> {
  private final RowIdColumns ids;
  private final @Nullable DataWriter<InternalRow> rows;
  private final MarkedRows marked = new MarkedRows();
  private long updated;
  private long inserted;

  /** A writer; {@code rows} takes new rows, null when the statement makes none. */
  AppendDeltaWriter(RowIdColumns ids, @Nullable DataWriter<InternalRow> rows) {
    this.ids = ids;
    this.rows = rows;
  }

  @Override
  public void delete(InternalRow metadata, InternalRow id) {
    try {
      marked.add(id.getUTF8String(ids.file()), id.getLong(ids.position()));
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
  }

  @Override
  public void update(InternalRow metadata, InternalRow id, InternalRow row) throws IOException {
    delete(metadata, id);
    reinsert(metadata, row);
  }

  @Override
  public void reinsert(InternalRow metadata, InternalRow row) throws IOException {
    write(row);
    updated++;
  }

  @Override
  public void insert(InternalRow row) throws IOException {
    write(row);
    inserted++;
  }

  @Override
  public void write(InternalRow row) throws IOException {
    DataWriter<InternalRow> writer = rows;
    if (writer == null) {
      throw new IllegalStateException("A statement that only deletes was given a new row");
    }
    writer.write(row);
  }

  /** A row that was reinserted is among those that some task marked, too. */
  @Override
  public WriterCommitMessage commit() throws IOException {
    DataWriter<InternalRow> writer = rows;
    return new AppendMessage(
        writer == null ? List.of() : ((BucketWriteMessage) writer.commit()).changes(),
        marked.toMap(),
        new RowCounts(marked.count() - updated, updated, inserted));
  }

  @Override
  public void abort() throws IOException {
    if (rows != null) {
      rows.abort();
    }
  }

  @Override
  public void close() throws IOException {
    if (rows != null) {
      rows.close();
    }
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    Stream<CustomTaskMetric> own =
        Stream.of(
            new AppendMetrics.Value(AppendMetrics.MarkedRows.NAME, marked.count()),
            new AppendMetrics.Value(AppendMetrics.TouchedFiles.NAME, marked.fileCount()));
    return rows == null
        ? own.toArray(CustomTaskMetric[]::new)
        : Stream.concat(Arrays.stream(rows.currentMetricsValues()), own)
            .toArray(CustomTaskMetric[]::new);
  }
}
