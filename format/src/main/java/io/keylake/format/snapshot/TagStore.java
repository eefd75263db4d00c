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

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.schema.JsonFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The tags of one branch of a table. Safe for use by many threads. */
public final class TagStore {
  private static final String CREATION_TIME = "creationTime";
  private static final String MODIFICATION_TIME = "modificationTime";

  private final FileIO io;
  private final TableLayout layout;
  private final String table;

  /**
   * A store of the tags of a branch.
   *
   * @param table the table's name, for messages
   */
  public TagStore(FileIO io, TableLayout layout, String table) {
    this.io = io;
    this.layout = layout;
    this.table = table;
  }

  /** The file of a tag. */
  public Location file(String name) {
    return layout.tag(name);
  }

  /** All names, sorted. */
  public List<String> names() {
    return io.list(layout.tagFolder()).stream()
        .filter(status -> !status.isDirectory())
        .map(FileStatus::location)
        .map(Location::name)
        .filter(name -> name.startsWith(TableLayout.TAG_PREFIX))
        .map(name -> name.substring(TableLayout.TAG_PREFIX.length()))
        .sorted()
        .toList();
  }

  /** All tags, by snapshot id and then by name. One that is deleted meanwhile is left out. */
  public List<Tag> all() {
    List<Tag> tags = new ArrayList<>();
    ParallelReads.<String, Optional<Tag>>forEach(
        names(), this::find, tag -> tag.ifPresent(tags::add));
    tags.sort(Comparator.comparingLong((Tag tag) -> tag.snapshot().id()).thenComparing(Tag::name));
    return tags;
  }

  /** The tag of this name. */
  public Optional<Tag> find(String name) {
    if (!isValidName(name)) {
      return Optional.empty();
    }
    Location file = file(name);
    return io.readIfExists(file).map(content -> TagCodec.read(name, content, file.path()));
  }

  /**
   * The tag of this name.
   *
   * @throws InvalidRequestException with KEYLAKE_REFERENCE_NOT_FOUND when there is none
   */
  public Tag load(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    Condition.KEYLAKE_REFERENCE_NOT_FOUND,
                    "Table %s has no tag %s. Its tags: %s".formatted(table, name, names())));
  }

  /** Stores a tag, replacing one of its name. */
  public void write(Tag tag) {
    if (!isValidName(tag.name())) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "\"%s\" cannot name a tag of table %s: use a name that is not blank and has no slash"
              .formatted(tag.name(), table));
    }
    io.overwrite(file(tag.name()), TagCodec.write(tag));
  }

  /** Writes the file that says that an automatic tag is complete. */
  public void markSuccess(String name, long nowMillis) {
    ObjectNode json = JsonFile.newObject();
    json.put(CREATION_TIME, nowMillis);
    json.put(MODIFICATION_TIME, nowMillis);
    io.overwrite(layout.tagSuccess(name), JsonFile.write(json));
  }

  /** Deletes the tag's file and its marker; nothing happens when there is none. */
  public void delete(String name) {
    io.delete(file(name));
    io.delete(layout.tagSuccess(name));
  }

  private static boolean isValidName(String name) {
    return !name.isBlank() && name.indexOf('/') < 0;
  }
}
