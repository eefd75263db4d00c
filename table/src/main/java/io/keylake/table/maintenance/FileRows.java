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

package io.keylake.table.maintenance;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.table.maintenance.TableProblem.Kind;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one file, which are compared with what the manifest says of the file while somebody
 * goes through them. The caller closes it.
 */
final class FileRows implements AutoCloseable {
  /** In which order rows have to be. */
  enum Order {
    /** By key, each key once: data files. */
    UNIQUE_KEYS,
    /** By key: changelog files. */
    KEYS,
    /** As they were written: append tables and staged files. */
    NONE
  }

  private final RowShape shape;
  private final ManifestEntry entry;
  private final TableCheck.Cursor cursor;
  private final Order order;
  private final Problems problems;
  private final KeyComparator keyOrder;
  private final ColumnFacts facts;
  private final boolean ordered;
  private long rows;
  private @Nullable BinaryRow first;
  private @Nullable BinaryRow last;
  private long minSequence = Long.MAX_VALUE;
  private long maxSequence = Long.MIN_VALUE;
  private long retracts;
  private long unordered;
  private long inOtherPartition;
  private long withoutPartition;
  private long inOtherBucket;

  FileRows(
      RowShape shape,
      ManifestEntry entry,
      TableCheck.Cursor cursor,
      Order order,
      Problems problems) {
    this.shape = shape;
    this.entry = entry;
    this.cursor = cursor;
    this.order = order;
    this.problems = problems;
    this.keyOrder = shape.keyOrder();
    this.facts = new ColumnFacts(shape.type());
    this.ordered = order != Order.NONE && shape.hasExactKeys();
  }

  /** Moves to the next row; false at the end, where the file as a whole is judged. */
  boolean next() {
    if (!cursor.next()) {
      judge();
      return false;
    }
    rows++;
    List<@Nullable Object> values = cursor.values();
    facts.add(values);
    if (shape.isKeyed()) {
      takeKey(shape.key(values));
      minSequence = Math.min(minSequence, cursor.sequenceNumber());
      maxSequence = Math.max(maxSequence, cursor.sequenceNumber());
      retracts += cursor.kind().isRetract() ? 1 : 0;
    }
    if (shape.hasExactPartitions()) {
      BinaryRow partition = shape.partition(values);
      inOtherPartition += partition.equals(entry.partition()) ? 0 : 1;
      withoutPartition += isNull(partition) ? 1 : 0;
    }
    if (entry.bucket() >= 0) {
      OptionalInt bucket = shape.bucket(values, entry.totalBuckets());
      inOtherBucket += bucket.isPresent() && bucket.getAsInt() != entry.bucket() ? 1 : 0;
    }
    return true;
  }

  /** In a file that was taken over from a table without them in its files, all are NULL. */
  private static boolean isNull(BinaryRow partition) {
    return IntStream.range(0, partition.arity()).allMatch(partition::isNullAt);
  }

  private void takeKey(BinaryRow key) {
    if (last == null) {
      first = key;
    } else if (ordered) {
      int compared = keyOrder.compare(last, key);
      boolean right = order == Order.UNIQUE_KEYS ? compared < 0 : compared <= 0;
      unordered += right ? 0 : 1;
    }
    last = key;
  }

  /** The key of the current row. */
  BinaryRow key() {
    if (last == null) {
      throw new IllegalStateException("There is no current row");
    }
    return last;
  }

  /** Where the current row is in its file. */
  long position() {
    return rows - 1;
  }

  long sequenceNumber() {
    return cursor.sequenceNumber();
  }

  boolean isRetract() {
    return cursor.kind().isRetract();
  }

  ManifestEntry entry() {
    return entry;
  }

  private void judge() {
    DataFile file = entry.file();
    differs(Kind.ROW_COUNT, "rows", file.rowCount(), rows);
    if (unordered > 0) {
      add(Kind.KEY_ORDER, unordered + " rows are not above the row before them");
    }
    if (shape.isKeyed() && rows > 0) {
      judgeKeys(file);
    }
    facts
        .differences(file.valueStats(), file.valueStatsColumns())
        .forEach(text -> add(Kind.STATISTICS, "column " + text));
    if (inOtherPartition > 0 && withoutPartition < rows) {
      add(Kind.WRONG_PARTITION, inOtherPartition + " rows are of another partition");
    }
    if (inOtherBucket > 0) {
      add(Kind.WRONG_BUCKET, inOtherBucket + " rows are of another bucket");
    }
  }

  private void judgeKeys(DataFile file) {
    Long stated = file.deleteRowCount();
    if (stated != null) {
      differs(Kind.DELETE_COUNT, "retracting rows", stated, retracts);
    }
    if (order == Order.NONE) {
      return;
    }
    differs(Kind.SEQUENCE_BOUNDS, "as smallest number", file.minSequenceNumber(), minSequence);
    differs(Kind.SEQUENCE_BOUNDS, "as largest number", file.maxSequenceNumber(), maxSequence);
    if (shape.hasExactKeys() && unordered == 0) {
      if (!file.minKey().equals(first)) {
        add(Kind.KEY_BOUNDS, "the first key is " + first + ", not " + file.minKey());
      }
      if (!file.maxKey().equals(last)) {
        add(Kind.KEY_BOUNDS, "the last key is " + last + ", not " + file.maxKey());
      }
    }
    facts
        .differences(file.keyStats(), shape.keyNames())
        .forEach(text -> add(Kind.STATISTICS, "key column " + text));
  }

  private void differs(Kind kind, String what, long stated, long found) {
    if (stated != found) {
      add(kind, "has " + found + " " + what + ", its metadata says " + stated);
    }
  }

  private void add(Kind kind, String detail) {
    problems.add(kind, "file " + entry.file().name(), detail);
  }

  @Override
  public void close() {
    cursor.close();
  }
}
