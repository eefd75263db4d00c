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

package io.keylake.spark.changelog.difference;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.predicate.Predicate;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.merge.ReadMetrics;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of one file by their positions, which ascend from call to call. For one thread.
 *
 * <ol>
 *   <li>Where many rows of the file are wanted it is read on from where it stands.
 *   <li>Where few are, it is opened for the ranges of keys that they are in: row groups and pages
 *       without any of them are skipped. Not so a file that only one state has, of which all rows
 *       will be wanted.
 * </ol>
 */
final class LateFile implements Closeable {
  /** Takes rows of the current batch: {@code count} of them, to places of the caller's. */
  interface Target {
    void take(DataFileReader reader, int[] rows, int[] targets, int count);
  }

  private final FileScan scan;
  private final DataFiles files;
  private final FirstKeyColumn key;
  private final boolean isAskable;
  private final boolean isReadOn;
  private final ReadMetrics metrics;
  private final WantedRows wanted = new WantedRows();
  private int[] from = new int[0];
  private int[] to = new int[0];
  private @Nullable DataFileReader open;
  private int row;
  private long reached;

  /** How many of the rows of a file will be wanted. */
  enum Share {
    SOME,
    ALL
  }

  /**
   * @param scan the wanted columns of the file, able to tell positions
   */
  LateFile(FileScan scan, Share share, DataFiles files, FirstKeyColumn key, ReadMetrics metrics) {
    this.scan = scan;
    this.files = files;
    this.key = key;
    this.isAskable = key.isAskable() && !scan.file().formatIdentifier().equals("avro");
    this.isReadOn = share == Share.ALL || !isAskable;
    this.metrics = metrics;
  }

  /** Says that a row will be wanted by the next {@link #read}. */
  void want(long position, ColumnVector firstKeys, int ofRow) {
    if (isAskable && (!isReadOn || wanted.isEmpty())) {
      wanted.add(position, key.literal(firstKeys, ofRow));
    } else {
      wanted.add(position);
    }
  }

  /** Says that none of the rows that were wanted is. */
  void wantNone() {
    wanted.clear();
  }

  /**
   * Gives the rows at {@code positions}, all of which have been said to be wanted, to their places.
   *
   * @param positions the place in the file by the place of the row
   * @param places the places of the rows, from {@code begin} to {@code end}
   */
  void read(long[] positions, int[] places, int begin, int end, Target target) throws IOException {
    if (open != null && !isReadOn && !wanted.areDenseFrom(reached)) {
      close();
    }
    boolean isSelective = open == null && !isReadOn && !wanted.areDenseFrom(wanted.first());
    DataFileReader reader = open == null ? open(isSelective) : open;
    int next = begin;
    while (next < end) {
      if (row >= reader.rows() || reader.position(reader.rows() - 1) < positions[places[next]]) {
        advance(reader);
        continue;
      }
      int count = 0;
      long last = reader.position(reader.rows() - 1);
      ensureRoom(end - next);
      while (next < end && positions[places[next]] <= last) {
        row = find(reader, positions[places[next]]);
        from[count] = row;
        to[count] = places[next];
        count++;
        next++;
      }
      target.take(reader, from, to, count);
    }
    reached = positions[places[end - 1]];
    wanted.clear();
    if (isSelective) {
      close();
    }
  }

  private DataFileReader open(boolean isSelective) throws IOException {
    Predicate predicate =
        !isAskable
            ? null
            : isSelective ? wanted.inRanges(key.field()) : wanted.fromFirst(key.field());
    DataFileReader reader = files.open(scan.withPredicate(predicate));
    open = reader;
    metrics.opened(scan.file().size(), reader.skippedRowGroups());
    advance(reader);
    return reader;
  }

  private void advance(DataFileReader reader) throws IOException {
    if (!reader.next()) {
      throw new CorruptTableException(
          scan.path(),
          "A data file of the table has fewer rows than were found in it when only its keys were"
              + " read. Restore the file or roll back.",
          null);
    }
    row = 0;
    metrics.fetchedRows(reader.rows());
  }

  /** The row of the current batch that has a position which is not behind its last. */
  private int find(DataFileReader reader, long position) {
    int low = row;
    int high = (int) Math.min(reader.rows() - 1L, row + (position - reader.position(row)));
    while (low < high) {
      if (reader.position(high) == position) {
        return high;
      }
      int middle = (low + high) >>> 1;
      if (reader.position(middle) < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (reader.position(low) != position) {
      throw new IllegalStateException("Row " + position + " of " + scan.path() + " was skipped");
    }
    return low;
  }

  private void ensureRoom(int count) {
    if (from.length < count) {
      from = new int[count];
      to = new int[count];
    }
  }

  @Override
  public void close() throws IOException {
    DataFileReader reader = open;
    open = null;
    if (reader != null) {
      reader.close();
    }
  }
}
