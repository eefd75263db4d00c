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

package io.keylake.table.expiry;

import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files with the proof that nothing needs them: {@link FileRemoval} takes nothing else. There are
 * three proofs.
 *
 * <ol>
 *   <li>Expired history: files that the snapshots, changelogs or the tag that go name, less those
 *       that neighbouring versions, other branches and tags need.
 *   <li>Orphans: files that no version of the table names and that are older than any commit under
 *       way.
 *   <li>A purged table: everything but what its one snapshot, which is empty, names.
 * </ol>
 *
 * <p>Immutable.
 */
public final class UnneededFiles {
  private final List<Location> files;

  private UnneededFiles(List<Location> files) {
    this.files = List.copyOf(files);
  }

  /** What is left of candidates after everything that may need them was asked. */
  static UnneededFiles of(Candidates candidates) {
    return new UnneededFiles(candidates.files());
  }

  /**
   * Those of the listed files that are older than {@code olderThan} and whose name no version of
   * the table knows.
   *
   * @param isReferenced whether a version knows a file name
   */
  public static UnneededFiles orphans(
      Collection<FileStatus> listed, Instant olderThan, Predicate<String> isReferenced) {
    return new UnneededFiles(
        listed.stream()
            .filter(file -> !file.isDirectory())
            .filter(file -> file.modifiedMillis() < olderThan.toEpochMilli())
            .map(FileStatus::location)
            .filter(file -> !isReferenced.test(file.name()))
            .toList());
  }

  /** The files. */
  public List<Location> files() {
    return files;
  }
}
