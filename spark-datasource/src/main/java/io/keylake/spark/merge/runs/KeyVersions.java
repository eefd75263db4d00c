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

import java.util.List;

/** The rows of one key in several runs, as a fold sees them. For one thread. */
public final class KeyVersions {
  private final List<RunCursor> runs;
  private final int[] members;
  private final int[] rows;
  private int count;

  KeyVersions(List<RunCursor> runs) {
    this.runs = runs;
    this.members = new int[runs.size()];
    this.rows = new int[runs.size()];
  }

  void clear() {
    count = 0;
  }

  /** Adds a row of the current batch of a run. */
  void add(int run, int row) {
    members[count] = run;
    rows[count++] = row;
  }

  /** The number of rows. */
  public int count() {
    return count;
  }

  /** The number of the run of a version. */
  public int run(int version) {
    return members[version];
  }

  /** The row of a version in the current batch of its run. */
  public int row(int version) {
    return rows[version];
  }

  /** The run of a version. */
  public RunCursor cursor(int version) {
    return runs.get(members[version]);
  }
}
