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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a statement takes from data files: positions by the address of the file. A row may
 * be marked again: Spark's MERGE whose only clause for matched rows deletes them does so for each
 * row of the source that matches. For one thread.
 */
final class MarkedRows {
  private final Map<UTF8String, DeletionVector> files = new HashMap<>();
  private @Nullable UTF8String lastFile;
  private @Nullable DeletionVector last;
  private long count;

  /** Marks a row; the memory of {@code file} may change afterwards. */
  void add(UTF8String file, long position) {
    DeletionVector rows = last;
    if (rows == null || !file.equals(lastFile)) {
      rows = files.get(file);
      if (rows == null) {
        rows = new DeletionVector();
        files.put(file.clone(), rows);
      }
      last = rows;
      lastFile = file.clone();
    }
    rows.add(position);
    count++;
  }

  /** How many marks were made. */
  long count() {
    return count;
  }

  /** How many files hold marked rows. */
  int fileCount() {
    return files.size();
  }

  /** What is marked, by address of the file. */
  Map<String, DeletionVector> toMap() {
    Map<String, DeletionVector> map = new HashMap<>();
    files.forEach((file, rows) -> map.put(file.toString(), rows));
    return map;
  }

  /** What all tasks have marked, files in order of their addresses met. */
  static Map<String, DeletionVector> union(Iterable<Map<String, DeletionVector>> marked) {
    Map<String, DeletionVector> all = new LinkedHashMap<>();
    for (Map<String, DeletionVector> some : marked) {
      some.forEach(
          (file, rows) -> all.computeIfAbsent(file, key -> new DeletionVector()).addAll(rows));
    }
    return all;
  }

  /**
   * The counts of a statement by the rows that it marked.
   *
   * @param all what {@link #union} gives
   * @param marks the sums of what the tasks counted, mark by mark
   * @throws InvalidRequestException KEYLAKE_INVALID_REQUEST when a statement that updates rows has
   *     marked one twice: two rows would come of it, or the result would depend on chance
   */
  static RowCounts counted(Map<String, DeletionVector> all, RowCounts marks) {
    long rows = all.values().stream().mapToLong(DeletionVector::cardinality).sum();
    if (rows == marks.deleted() + marks.updated()) {
      return marks;
    } else if (marks.updated() == 0) {
      return new RowCounts(rows, 0, marks.inserted());
    }
    throw new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "The statement updates a row of the table more than once: it matches "
            + (marks.deleted() + marks.updated())
            + " times, but "
            + rows
            + " rows. Nothing was changed. Make its condition match each row of the table once.");
  }
}
