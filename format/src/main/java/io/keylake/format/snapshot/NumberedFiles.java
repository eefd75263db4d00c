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
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Files {@code <prefix><number>} of one folder with the hint files {@code LATEST} and {@code
 * EARLIEST}: snapshots and long-lived changelogs.
 *
 * <ol>
 *   <li>Latest: the hint, if that file exists and the next number does not; else the largest number
 *       of a listing. A hint that cannot be read counts as none.
 *   <li>Earliest: the hint, if that file exists; else the smallest number of a listing.
 *   <li>Files of other names are left alone: a crash of a writer may leave {@code snapshot-3.tmp}.
 * </ol>
 *
 * <p>Rule source: table format, hint files; pinned by {@code SnapshotStoreTest}.
 */
final class NumberedFiles {
  private final FileIO io;
  private final Location folder;
  private final String prefix;

  NumberedFiles(FileIO io, Location folder, String prefix) {
    this.io = io;
    this.folder = folder;
    this.prefix = prefix;
  }

  /** A file with its number. */
  record Numbered(long number, FileStatus status) {}

  Location file(long number) {
    return folder.child(prefix + number);
  }

  /** All files, by number; names that do not end in a number are no files of the table's. */
  List<Numbered> list() {
    List<Numbered> files = new ArrayList<>();
    for (FileStatus status : io.list(folder)) {
      TableLayout.idOf(prefix, status.location().name())
          .ifPresent(number -> files.add(new Numbered(number, status)));
    }
    files.sort(Comparator.comparingLong(Numbered::number));
    return files;
  }

  OptionalLong latest() {
    Optional<Long> hint = hint(TableLayout.LATEST);
    if (hint.isPresent() && !io.exists(file(hint.get() + 1)) && io.exists(file(hint.get()))) {
      return OptionalLong.of(hint.get());
    }
    return latestListed();
  }

  OptionalLong latestListed() {
    return list().stream().mapToLong(Numbered::number).max();
  }

  OptionalLong earliest() {
    Optional<Long> hint = hint(TableLayout.EARLIEST);
    if (hint.isPresent() && io.exists(file(hint.get()))) {
      return OptionalLong.of(hint.get());
    }
    return list().stream().mapToLong(Numbered::number).min();
  }

  private Optional<Long> hint(String name) {
    Optional<byte[]> content = io.readIfExists(folder.child(name));
    if (content.isEmpty()) {
      return Optional.empty();
    }
    try {
      long number = Long.parseLong(new String(content.get(), StandardCharsets.UTF_8).trim());
      return number > 0 ? Optional.of(number) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  void writeLatestHint(long number) {
    writeHint(TableLayout.LATEST, number);
  }

  void writeEarliestHint(long number) {
    writeHint(TableLayout.EARLIEST, number);
  }

  void deleteLatestHint() {
    io.delete(folder.child(TableLayout.LATEST));
  }

  void deleteEarliestHint() {
    io.delete(folder.child(TableLayout.EARLIEST));
  }

  private void writeHint(String name, long number) {
    io.overwrite(folder.child(name), Long.toString(number).getBytes(StandardCharsets.UTF_8));
  }
}
