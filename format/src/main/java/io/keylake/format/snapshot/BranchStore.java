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

package io.keylake.format.snapshot;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.layout.TableLayout;
import java.util.Comparator;
import java.util.List;

/** The branches of a table, the main one not counted. Safe for use by many threads. */
public final class BranchStore {
  private final FileIO io;
  private final TableLayout layout;

  /** A store of the branches of a table. */
  public BranchStore(FileIO io, TableLayout layout) {
    this.io = io;
    this.layout = layout;
  }

  /**
   * A branch.
   *
   * @param name its name
   * @param changedMillis when its folder changed last, milliseconds since the epoch
   */
  public record Branch(String name, long changedMillis) {}

  /** All branches, by name. */
  public List<Branch> all() {
    return io.list(layout.branchesFolder()).stream()
        .filter(
            status ->
                status.isDirectory()
                    && status.location().name().startsWith(TableLayout.BRANCH_PREFIX))
        .map(
            status ->
                new Branch(
                    status.location().name().substring(TableLayout.BRANCH_PREFIX.length()),
                    status.modifiedMillis()))
        .sorted(Comparator.comparing(Branch::name))
        .toList();
  }

  /** Whether there is a branch of this name. */
  public boolean exists(String branch) {
    return all().stream().anyMatch(found -> found.name().equals(branch));
  }
}
