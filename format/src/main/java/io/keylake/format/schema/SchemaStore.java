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

package io.keylake.format.schema;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * The schema versions of one branch of a table. A version never changes once it exists, so those
 * read are kept. Safe for use by many threads.
 */
public final class SchemaStore {
  private final FileIO fileIO;
  private final TableLayout layout;
  private final Map<Long, TableSchema> loaded = new ConcurrentHashMap<>();

  /** The schemas of the table and branch that {@code layout} stands for. */
  public SchemaStore(FileIO fileIO, TableLayout layout) {
    this.fileIO = fileIO;
    this.layout = layout;
  }

  /** The ids of all versions, ascending; empty when there is no table. Always looks at storage. */
  public List<Long> ids() {
    return fileIO.list(layout.schemaFolder()).stream()
        .map(FileStatus::location)
        .map(file -> TableLayout.idOf(TableLayout.SCHEMA_PREFIX, file.name()))
        .flatMapToLong(id -> id.isPresent() ? LongStream.of(id.getAsLong()) : LongStream.empty())
        .sorted()
        .boxed()
        .toList();
  }

  /** The id of the newest version, or empty when there is no table. Always looks at storage. */
  public OptionalLong latestId() {
    List<Long> ids = ids();
    return ids.isEmpty() ? OptionalLong.empty() : OptionalLong.of(ids.get(ids.size() - 1));
  }

  /** The newest version, or empty when there is no table. Always looks at storage. */
  public Optional<TableSchema> latest() {
    OptionalLong id = latestId();
    return id.isPresent() ? Optional.of(load(id.getAsLong())) : Optional.empty();
  }

  /**
   * The version {@code id}, which must exist.
   *
   * @throws CorruptTableException when it does not exist or is no schema
   */
  public TableSchema load(long id) {
    return loaded.computeIfAbsent(id, this::read);
  }

  private TableSchema read(long id) {
    Location file = layout.schema(id);
    byte[] content =
        fileIO
            .readIfExists(file)
            .orElseThrow(
                () ->
                    new CorruptTableException(
                        file.path(),
                        "Schema "
                            + id
                            + " of the table "
                            + layout.root()
                            + " is missing, although files of the table refer to it. Restore it.",
                        null));
    TableSchema schema = SchemaCodec.read(content, file.path());
    if (schema.id() != id) {
      throw JsonFile.corrupt(file.path(), "it says that its id is " + schema.id(), null);
    }
    return schema;
  }

  /** Makes {@code schema} the version of its id if there is none yet. */
  public FileIO.Publication publish(TableSchema schema) {
    FileIO.Publication publication =
        fileIO.publish(layout.schema(schema.id()), SchemaCodec.write(schema));
    if (publication == FileIO.Publication.PUBLISHED) {
      loaded.put(schema.id(), schema);
    }
    return publication;
  }
}
