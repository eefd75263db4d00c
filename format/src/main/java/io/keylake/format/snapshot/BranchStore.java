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
import io.keylake.format.fileio.Location;
import java.util.Comparator;
import java.util.List;

/** The branches of a table, the main one not counted. Safe for use by many threads. */
public final class BranchStore {
  private static final String PREFIX = "branch-";

  private final FileIO io;
  private final Location folder;

  /** A store of the branches in {@code folder}. */
  public BranchStore(FileIO io, Location folder) {
    this.io = io;
    this.folder = folder;
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
    return io.list(folder).stream()
        .filter(status -> status.isDirectory() && status.location().name().startsWith(PREFIX))
        .map(
            status ->
                new Branch(
                    status.location().name().substring(PREFIX.length()), status.modifiedMillis()))
        .sorted(Comparator.comparing(Branch::name))
        .toList();
  }

  /** Whether there is a branch of this name. */
  public boolean exists(String branch) {
    return all().stream().anyMatch(found -> found.name().equals(branch));
  }
}
