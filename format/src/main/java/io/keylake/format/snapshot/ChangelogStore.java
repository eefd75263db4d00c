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
import io.keylake.format.layout.TableLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Long-lived changelogs of one branch: snapshots whose data has expired while their changes are
 * still kept. Only the manifest list of the changelog is sure to exist; base and delta lists may be
 * gone. Safe for use by many threads.
 */
public final class ChangelogStore {
  private final FileIO io;
  private final NumberedFiles files;

  /** A store of the changelogs of a branch. */
  public ChangelogStore(FileIO io, TableLayout layout) {
    this.io = io;
    this.files = new NumberedFiles(io, layout.changelogFolder(), TableLayout.CHANGELOG_PREFIX);
  }

  /** The file of a changelog. */
  public Location file(long id) {
    return files.file(id);
  }

  /** The newest id; empty when there is none. */
  public OptionalLong latestId() {
    return files.latest();
  }

  /** The oldest id; empty when there is none. */
  public OptionalLong earliestId() {
    return files.earliest();
  }

  /** All ids, ascending. */
  public List<Long> ids() {
    return files.list().stream().map(NumberedFiles.Numbered::number).toList();
  }

  /** The changelog of this id. */
  public Optional<Snapshot> find(long id) {
    Location file = files.file(id);
    return io.readIfExists(file).map(content -> SnapshotCodec.read(content, file.path()));
  }

  /**
   * Deletes the changelogs of later ids, the newest first; readers list the folder then, instead of
   * being told which one is the newest.
   */
  public void deleteAfter(long id) {
    List<Long> later = new ArrayList<>(ids());
    later.removeIf(changelog -> changelog <= id);
    if (later.isEmpty()) {
      return;
    }
    files.deleteLatestHint();
    Collections.reverse(later);
    later.forEach(changelog -> io.delete(files.file(changelog)));
  }

  /** Stores a snapshot as a changelog of its id, unless there is one. */
  public FileIO.Publication publish(Snapshot snapshot) {
    return io.publish(files.file(snapshot.id()), SnapshotCodec.write(snapshot));
  }

  /** Notes the newest id, as a shortcut for readers. */
  public void writeLatestHint(long id) {
    files.writeLatestHint(id);
  }

  /** Notes the oldest id, as a shortcut for readers. */
  public void writeEarliestHint(long id) {
    files.writeEarliestHint(id);
  }

  /** Removes both notes: there are no changelogs any more. */
  public void deleteHints() {
    files.deleteLatestHint();
    files.deleteEarliestHint();
  }
}
