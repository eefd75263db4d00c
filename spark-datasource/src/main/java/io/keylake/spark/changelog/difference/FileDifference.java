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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.row.ChangeKind;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.FileScan;
import io.keylake.table.difference.DifferenceFile;
import io.keylake.table.difference.DifferenceFile.Place;
import io.keylake.table.split.StoredVector;
import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one file of an append table that are there in one of two states only. For one thread.
 *
 * <p>Example: rows 3 and 7 of a file are deleted before, 3, 5 and 7 after: row 5 went. Of a file
 * that is new all rows but 3, 5 and 7 came.
 */
final class FileDifference implements Closeable {
  private final DataFileReader reader;
  private final boolean isBefore;
  private final boolean isAfter;
  private final @Nullable DeletionVector before;
  private final @Nullable DeletionVector after;
  private int[] rows = new int[0];
  private ChangeKind[] kinds = new ChangeKind[0];

  private FileDifference(
      DataFileReader reader,
      DifferenceFile file,
      @Nullable DeletionVector before,
      @Nullable DeletionVector after) {
    this.reader = reader;
    this.isBefore = file.before() != null;
    this.isAfter = file.after() != null;
    this.before = before;
    this.after = after;
  }

  /** Opens a file; null when its rows are the same in both states. */
  static @Nullable FileDifference open(
      ChangeTask task, DifferenceFile file, ValueColumns columns, StoredVectors vectors)
      throws IOException {
    DeletionVector then = vectors.load(vector(file.before()));
    DeletionVector now = vectors.load(vector(file.after()));
    if (file.isInBoth() && Objects.equals(then, now)) {
      return null;
    }
    FileScan scan =
        FileScan.whole(
                file.path(),
                file.file(),
                LateRows.schemaOf(task.spec().data(), file.file(), file.path()),
                columns.stored())
            .withPredicate(task.spec().data().predicate());
    if (file.isInBoth()) {
      scan = scan.ofRows(changed(then, now));
    } else if (then != null || now != null) {
      scan = scan.withPositions();
    }
    DataFileReader reader = task.files().open(scan);
    task.metrics().opened(file.file().size(), reader.skippedRowGroups());
    return new FileDifference(reader, file, then, now);
  }

  private static @Nullable StoredVector vector(@Nullable Place place) {
    return place == null ? null : place.vector();
  }

  /** The places of rows that one of two vectors marks. */
  private static DeletionVector changed(
      @Nullable DeletionVector before, @Nullable DeletionVector after) {
    DeletionVector changed = new DeletionVector();
    addMissing(before, after, changed);
    addMissing(after, before, changed);
    return changed;
  }

  private static void addMissing(
      @Nullable DeletionVector from, @Nullable DeletionVector in, DeletionVector target) {
    if (from != null) {
      from.forEach(
          position -> {
            if (in == null || !in.isDeleted(position)) {
              target.add(position);
            }
          });
    }
  }

  /** Moves to the next batch; false at the end. */
  boolean next() throws IOException {
    return reader.next();
  }

  /** The current batch. */
  DataFileReader reader() {
    return reader;
  }

  /** Finds the rows of the batch that differ and returns how many they are. */
  int find() {
    int total = reader.rows();
    if (rows.length < total) {
      rows = new int[total];
      kinds = new ChangeKind[total];
    }
    boolean asksPositions = before != null || after != null;
    int count = 0;
    for (int row = 0; row < total; row++) {
      long position = asksPositions ? reader.position(row) : 0;
      boolean was = isBefore && (before == null || !before.isDeleted(position));
      boolean is = isAfter && (after == null || !after.isDeleted(position));
      if (was != is) {
        rows[count] = row;
        kinds[count++] = was ? ChangeKind.DELETE : ChangeKind.INSERT;
      }
    }
    return count;
  }

  /** The found rows, ascending. */
  int[] rows() {
    return rows;
  }

  /** Whether the i-th of the found rows came or went. */
  ChangeKind kind(int index) {
    return kinds[index];
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
