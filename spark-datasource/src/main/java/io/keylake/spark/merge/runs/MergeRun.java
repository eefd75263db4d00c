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

package io.keylake.spark.merge.runs;

import io.keylake.format.predicate.Predicate;
import io.keylake.table.compaction.CompactionInput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sorted run that takes part in a merge.
 *
 * @param rank its place in the order newest first: decides when sequence numbers do not
 * @param role what becomes of its files
 * @param comparesSequence whether its rows may be newer than rows of runs before it; otherwise the
 *     rank decides and its sequence numbers are not read
 * @param level 0 for a file of level 0, or several of them merged; else the level of its files
 * @param files by ascending keys
 * @param onKeys a condition on key columns that all rows satisfy which matter; null = none
 */
public record MergeRun(
    int rank,
    RunCursor.Role role,
    boolean comparesSequence,
    int level,
    List<CompactionInput> files,
    @Nullable Predicate onKeys) {
  /** Copies the list. */
  public MergeRun {
    files = List.copyOf(files);
  }

  /** A run all of whose rows may matter. */
  public MergeRun(
      int rank,
      RunCursor.Role role,
      boolean comparesSequence,
      int level,
      List<CompactionInput> files) {
    this(rank, role, comparesSequence, level, files, null);
  }

  /** The same run, of whose rows only those matter that satisfy a condition on their keys. */
  public MergeRun where(@Nullable Predicate condition) {
    return new MergeRun(rank, role, comparesSequence, level, files, condition);
  }
}
