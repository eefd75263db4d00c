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

package io.keylake.table.maintenance;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Makes and removes tags of a table's branch.
 *
 * <p>Removing a tag removes its file only: data files that nothing else refers to are left to the
 * removal of orphan files.
 *
 * <p>Rule source: table format, tags. Pinned by {@code TagsTest}.
 */
public final class Tags {
  private final TableStorage storage;
  private final Clock clock;

  /**
   * The tags of a table.
   *
   * @param clock tells the time and the zone of creation
   */
  public Tags(TableStorage storage, Clock clock) {
    this.storage = storage;
    this.clock = clock;
  }

  /**
   * Makes a tag of a snapshot.
   *
   * @param retained how long the tag is kept; null = until it is removed
   * @throws InvalidRequestException KEYLAKE_REFERENCE_ALREADY_EXISTS when there is a tag of the
   *     name, KEYLAKE_VERSION_NOT_FOUND when the snapshot expires meanwhile
   */
  public Tag create(String name, Snapshot snapshot, @Nullable Duration retained) {
    if (storage.tags().find(name).isPresent()) {
      throw existing(name, "Remove it first, or replace it.");
    }
    Tag tag = write(name, snapshot, retained);
    if (!isKept(tag)) {
      storage.tags().delete(name);
      throw storage.snapshots().notFound("Snapshot " + snapshot.id());
    }
    return tag;
  }

  /**
   * Whether the snapshot was there when its tag was: expiry that has not seen the tag takes the
   * snapshot away first.
   */
  private boolean isKept(Tag tag) {
    Snapshot wanted = tag.snapshot();
    return storage.snapshots().find(wanted.id()).filter(wanted::equals).isPresent()
        || storage.tags().all().stream()
            .filter(other -> !other.name().equals(tag.name()))
            .anyMatch(other -> other.snapshot().equals(wanted));
  }

  /**
   * Gives an existing tag another snapshot and retention.
   *
   * @throws InvalidRequestException KEYLAKE_REFERENCE_NOT_FOUND when there is no such tag
   */
  public Tag replace(String name, Snapshot snapshot, @Nullable Duration retained) {
    Tag before = storage.tags().load(name);
    Tag tag = write(name, snapshot, retained);
    if (!before.snapshot().equals(snapshot) && !isKept(tag)) {
      storage.tags().write(before);
      throw storage.snapshots().notFound("Snapshot " + snapshot.id());
    }
    return tag;
  }

  private Tag write(String name, Snapshot snapshot, @Nullable Duration retained) {
    LocalDateTime created = retained == null ? null : LocalDateTime.now(clock);
    Tag tag = new Tag(name, snapshot, created, retained);
    storage.tags().write(tag);
    return tag;
  }

  /**
   * Gives a tag another name.
   *
   * @throws InvalidRequestException KEYLAKE_REFERENCE_NOT_FOUND when there is no such tag,
   *     KEYLAKE_REFERENCE_ALREADY_EXISTS when the new name is taken
   */
  public void rename(String from, String to) {
    Tag tag = storage.tags().load(from);
    if (storage.tags().find(to).isPresent()) {
      throw existing(to, "Choose another name.");
    }
    storage.tags().write(new Tag(to, tag.snapshot(), tag.createTime(), tag.timeRetained()));
    storage.tags().delete(from);
  }

  /**
   * Removes a tag.
   *
   * @throws InvalidRequestException KEYLAKE_REFERENCE_NOT_FOUND when there is no such tag
   */
  public void delete(String name) {
    storage.tags().load(name);
    storage.tags().delete(name);
  }

  private InvalidRequestException existing(String name, String advice) {
    return new InvalidRequestException(
        Condition.KEYLAKE_REFERENCE_ALREADY_EXISTS,
        "Table " + storage.name() + " has a tag '" + name + "' already. " + advice);
  }
}
