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
import io.keylake.format.fileio.Location;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a table is sound: that its metadata, index and data files exist and agree with each
 * other, and that the rows are what the metadata says of them. Changes nothing. For one thread.
 *
 * <p>What is checked is listed at {@link TableProblem.Kind}. Rows are read once per state of a
 * bucket, bucket by bucket, in the order of their keys; memory is needed for one bucket's deletion
 * vectors and for the hashes of one partition; where a key is found once whatever its partition, 8
 * bytes for each row of the table in each state of a bucket.
 *
 * <p>Not judged, since the format leaves them open: bounds of columns with NaN, of CHAR columns
 * (padding) and of nested columns; what lies below a microsecond of a timestamp.
 *
 * <p>Rule source: table format, all sections on files and levels. Pinned by {@code TableCheckTest}
 * and, over tables that the reference implementation wrote, {@code GoldenCheckTest}.
 */
public final class TableCheck {
  /** Reads data and changelog files; the data plane knows how. */
  @FunctionalInterface
  public interface Rows {
    /**
     * Opens a file; the caller closes the cursor.
     *
     * @param schema the schema that the file was written with
     * @throws io.keylake.format.errors.CorruptTableException when it cannot be read
     */
    Cursor open(Location path, DataFile file, TableSchema schema);
  }

  /** The rows of a file in their order. */
  public interface Cursor extends AutoCloseable {
    /** Moves to the next row, from before the first one; false at the end. */
    boolean next();

    /** The row's sequence number; anything in append tables. */
    long sequenceNumber();

    /** The row's kind; +I in append tables. */
    ChangeKind kind();

    /**
     * The stored values of the table's columns, in order, as {@link
     * io.keylake.format.row.BinaryRowCodec} has them; any object stands for a nested value, and
     * timestamps may be cut to microseconds. Valid until the next call of {@link #next}.
     */
    List<@Nullable Object> values();

    @Override
    void close();
  }

  private final TableStorage storage;
  private final Problems problems;
  private final SnapshotCheck snapshots;

  /**
   * A check of the table and branch that {@code storage} stands for.
   *
   * @param schema its newest schema
   */
  public TableCheck(TableStorage storage, TableSchema schema, Rows rows) {
    this.storage = storage;
    this.problems = new Problems();
    this.snapshots = new SnapshotCheck(storage, schema, rows, problems);
  }

  /** The problems of the newest snapshot; none when the table is sound or empty. */
  public List<TableProblem> newest() {
    storage.snapshots().latest().ifPresent(snapshot -> check(snapshot, ""));
    return problems.all();
  }

  /** The problems of all snapshots that are retained and of all tags. */
  public List<TableProblem> everything() {
    Set<String> seen = new HashSet<>();
    for (Snapshot snapshot : storage.snapshots().all()) {
      seen.add(snapshot.deltaManifestList());
      check(snapshot, "");
    }
    for (Tag tag : storage.tags().all()) {
      if (seen.add(tag.snapshot().deltaManifestList())) {
        check(tag.snapshot(), "tag " + tag.name() + ", ");
      }
    }
    return problems.all();
  }

  private void check(Snapshot snapshot, String prefix) {
    snapshots.check(snapshot, prefix + "snapshot " + snapshot.id());
  }
}
