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

package io.keylake.spark.stream;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeText;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether rows that were written under later schemas can be read with the columns that the query
 * began with. They can while each of these columns has its name and its type: added columns are not
 * seen until the query is started again. A column that was dropped, renamed, or that has another
 * type, or another primary key, cannot be read on. Pinned by {@code StreamSchemaTest}.
 */
final class StreamSchema {
  private final StreamTarget target;
  private final StreamErrors errors;
  private final Set<Long> known = new HashSet<>();

  StreamSchema(StreamTarget target, StreamErrors errors) {
    this.target = target;
    this.errors = errors;
  }

  /**
   * Checks the columns that a snapshot was committed under.
   *
   * @throws io.keylake.format.errors.InvalidRequestException KEYLAKE_STREAM_SCHEMA_CHANGED when
   *     they do not fit
   */
  void check(Snapshot snapshot) {
    if (snapshot.schemaId() > target.schema().id() && known.add(snapshot.schemaId())) {
      TableSchema newer = target.storage().schemas().load(snapshot.schemaId());
      difference(target.schema(), newer)
          .ifPresent(
              what -> {
                known.remove(snapshot.schemaId());
                throw errors.schemaChanged(what);
              });
    }
  }

  /** What keeps rows of {@code newer} from being read with {@code old}; empty when nothing does. */
  static Optional<String> difference(TableSchema old, TableSchema newer) {
    for (DataField before : old.fields()) {
      Optional<DataField> now = newer.rowType().fieldById(before.id());
      if (now.isEmpty()) {
        return Optional.of("column " + before.name() + " was dropped");
      }
      if (!now.get().name().equals(before.name())) {
        return Optional.of("column " + before.name() + " was renamed to " + now.get().name());
      }
      if (!now.get().type().equals(before.type())) {
        return Optional.of(
            "column "
                + before.name()
                + " of type "
                + TypeText.of(before.type())
                + " now has type "
                + TypeText.of(now.get().type()));
      }
    }
    return old.primaryKeys().equals(newer.primaryKeys())
        ? Optional.empty()
        : Optional.of("its primary key " + old.primaryKeys() + " is now " + newer.primaryKeys());
  }
}
