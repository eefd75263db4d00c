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

import io.keylake.spark.write.BucketWriteMessage;
import io.keylake.table.commit.BucketChange;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final @Nullable TrackedRowWriter trackedRows;
  private final MarkedRows marked = new MarkedRows();
  private long updated;
  private long inserted;

  /**
   * A writer.
   *
   * @param rows takes new rows; null when the statement makes none
   * @param trackedRows takes updated rows where rows have ids; null elsewhere
   */
  AppendDeltaWriter(
      RowIdColumns ids,
      @Nullable DataWriter<InternalRow> rows,
      @Nullable TrackedRowWriter trackedRows) {
    this.ids = ids;
    this.rows = rows;
    this.trackedRows = trackedRows;
  }

  @Override
  public void delete(InternalRow metadata, InternalRow id) {
    marked.add(id.getUTF8String(ids.file()), id.getLong(ids.position()));
  }

  @Override
  public void update(InternalRow metadata, InternalRow id, InternalRow row) throws IOException {
    delete(metadata, id);
    reinsert(metadata, row);
  }

  @Override
  public void reinsert(InternalRow metadata, InternalRow row) throws IOException {
    if (trackedRows == null) {
      write(row);
    } else {
      trackedRows.write(metadata, row);
    }
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
    List<BucketChange> changes = new ArrayList<>();
    for (DataWriter<InternalRow> writer : writers()) {
      changes.addAll(((BucketWriteMessage) writer.commit()).changes());
    }
    return new AppendMessage(
        changes, marked.toMap(), new RowCounts(marked.count() - updated, updated, inserted));
  }

  private List<DataWriter<InternalRow>> writers() {
    List<DataWriter<InternalRow>> writers = new ArrayList<>();
    if (rows != null) {
      writers.add(rows);
    }
    if (trackedRows != null) {
      writers.add(trackedRows.rows());
    }
    return writers;
  }

  @Override
  public void abort() throws IOException {
    try (Closer all = new Closer()) {
      writers().forEach(writer -> all.add(writer::abort));
    }
  }

  @Override
  public void close() throws IOException {
    try (Closer all = new Closer()) {
      writers().forEach(all::add);
    }
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    Map<String, Long> values = new LinkedHashMap<>();
    for (DataWriter<InternalRow> writer : writers()) {
      for (CustomTaskMetric metric : writer.currentMetricsValues()) {
        values.merge(metric.name(), metric.value(), Long::sum);
      }
    }
    values.put(AppendMetrics.MarkedRows.NAME, marked.count());
    values.put(AppendMetrics.TouchedFiles.NAME, (long) marked.fileCount());
    return values.entrySet().stream()
        .map(metric -> new AppendMetrics.Value(metric.getKey(), metric.getValue()))
        .toArray(CustomTaskMetric[]::new);
  }

  /** Ends writers one after the other, the others too when one fails. */
  private static final class Closer implements Closeable {
    private final Deque<Closeable> all = new ArrayDeque<>();

    void add(Closeable one) {
      all.add(one);
    }

    @Override
    public void close() throws IOException {
      Closeable next = all.poll();
      if (next != null) {
        try {
          next.close();
        } finally {
          close();
        }
      }
    }
  }
}
