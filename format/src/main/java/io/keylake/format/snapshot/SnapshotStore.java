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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ParallelReads;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The snapshots of one branch of a table. A missing folder means no snapshots. Safe for use by many
 * threads.
 *
 * <p>Snapshot ids are used again after a rollback, so what was read is kept only by id together
 * with the file's length and time of change, and only if the file was no longer fresh when it was
 * read.
 */
public final class SnapshotStore {
  /** A file younger than this when read may be replaced within its clock's resolution. */
  private static final long FRESH_MILLIS = 5_000;

  private final FileIO io;
  private final NumberedFiles files;
  private final Clock clock;
  private final String table;
  private final Map<FileStatus, Snapshot> kept = new ConcurrentHashMap<>();

  /**
   * A store of the snapshots of a branch.
   *
   * @param clock tells how old a file is
   * @param table the table's name, for messages
   */
  public SnapshotStore(FileIO io, TableLayout layout, Clock clock, String table) {
    this.io = io;
    this.clock = clock;
    this.files = new NumberedFiles(io, layout.snapshotFolder(), TableLayout.SNAPSHOT_PREFIX);
    this.table = table;
  }

  /** The file of a snapshot. */
  public Location file(long id) {
    return files.file(id);
  }

  /** The newest id; empty when there is no snapshot. */
  public OptionalLong latestId() {
    return files.latest();
  }

  /** The oldest id that has not expired; empty when there is no snapshot. */
  public OptionalLong earliestId() {
    return files.earliest();
  }

  /** All ids, ascending. */
  public List<Long> ids() {
    return files.list().stream().map(NumberedFiles.Numbered::number).toList();
  }

  /** The newest snapshot; empty when there is none. */
  public Optional<Snapshot> latest() {
    OptionalLong id = files.latest();
    if (id.isEmpty()) {
      return Optional.empty();
    }
    Optional<Snapshot> found = find(id.getAsLong());
    if (found.isPresent()) {
      return found;
    }
    OptionalLong listed = files.latestListed();
    return listed.isEmpty() ? Optional.empty() : find(listed.getAsLong());
  }

  /** The snapshot of this id; empty when it does not exist or has expired. */
  public Optional<Snapshot> find(long id) {
    Location file = files.file(id);
    return io.readIfExists(file).map(content -> SnapshotCodec.read(content, file.path()));
  }

  /**
   * The snapshot of this id.
   *
   * @throws InvalidRequestException with KEYLAKE_VERSION_NOT_FOUND when there is none
   */
  public Snapshot load(long id) {
    return find(id).orElseThrow(() -> notFound("Snapshot " + id));
  }

  /** All snapshots that exist, by id. One that expires meanwhile is left out. */
  public List<Snapshot> all() {
    List<FileStatus> listed = files.list().stream().map(NumberedFiles.Numbered::status).toList();
    kept.keySet().retainAll(listed);
    List<Snapshot> snapshots = new ArrayList<>(listed.size());
    ParallelReads.<FileStatus, Optional<Snapshot>>forEach(
        listed, this::read, snapshot -> snapshot.ifPresent(snapshots::add));
    return snapshots;
  }

  private Optional<Snapshot> read(FileStatus status) {
    Snapshot known = kept.get(status);
    if (known != null) {
      return Optional.of(known);
    }
    Location file = status.location();
    Optional<Snapshot> read =
        io.readIfExists(file).map(content -> SnapshotCodec.read(content, file.path()));
    if (status.modifiedMillis() + FRESH_MILLIS < clock.millis()) {
      read.ifPresent(snapshot -> kept.put(status, snapshot));
    }
    return read;
  }

  /**
   * The newest snapshot committed at or before a point in time. Clocks of writers differ, so a
   * snapshot counts as committed no earlier than those before it.
   */
  public Optional<Snapshot> findAtOrBefore(long timeMillis) {
    Snapshot found = null;
    for (Snapshot snapshot : all()) {
      if (snapshot.timeMillis() > timeMillis) {
        break;
      }
      found = snapshot;
    }
    return Optional.ofNullable(found);
  }

  /** The oldest snapshot whose watermark is at least {@code watermark}. */
  public Optional<Snapshot> findByWatermark(long watermark) {
    return all().stream()
        .filter(
            snapshot -> {
              Long mark = snapshot.watermark();
              return mark != null && mark >= watermark;
            })
        .findFirst();
  }

  /**
   * Makes a snapshot the table's newest, unless another one of its id exists. Hints are not
   * touched: write them after the snapshot exists.
   */
  public FileIO.Publication publish(Snapshot snapshot) {
    return io.publish(files.file(snapshot.id()), SnapshotCodec.write(snapshot));
  }

  /** Deletes the file of a snapshot; nothing happens when there is none. */
  public void delete(long id) {
    io.delete(files.file(id));
  }

  /** Notes the newest id, as a shortcut for readers. */
  public void writeLatestHint(long id) {
    files.writeLatestHint(id);
  }

  /** Notes the oldest id, as a shortcut for readers. */
  public void writeEarliestHint(long id) {
    files.writeEarliestHint(id);
  }

  /** Removes the note of the newest id: readers list the folder instead. */
  public void deleteLatestHint() {
    files.deleteLatestHint();
  }

  /** The failure to find a version, naming those that exist. */
  public InvalidRequestException notFound(String what) {
    List<Long> ids = ids();
    String available =
        ids.isEmpty()
            ? "The table has no snapshots."
            : "Snapshots %d to %d exist.".formatted(ids.get(0), ids.get(ids.size() - 1));
    return new InvalidRequestException(
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "%s of table %s does not exist or has expired. %s".formatted(what, table, available));
  }
}
