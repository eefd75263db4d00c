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

package io.keylake.procedures.reference;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.spark.TableVersion;
import io.keylake.table.maintenance.Tags;
import io.keylake.table.options.TableOptions;
import io.keylake.table.reference.AutomaticTags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The arguments and results that procedures on tags share. */
final class TagChoice {
  static final String TAG = "tag";
  static final String SNAPSHOT = "snapshot";
  static final String TIMESTAMP = "timestamp";
  static final String TIME_RETAINED = "time_retained";

  private TagChoice() {}

  static ProcedureParameter tag(String comment) {
    return Parameters.required(TAG, DataTypes.StringType, comment);
  }

  static ProcedureParameter snapshot() {
    return Parameters.optional(
        SNAPSHOT, DataTypes.LongType, "id of the snapshot; the newest one unless given");
  }

  static ProcedureParameter timestamp(String comment) {
    return Parameters.required(
        TIMESTAMP,
        DataTypes.StringType,
        comment + ": '2024-01-31 12:00:00', or milliseconds since the epoch");
  }

  static ProcedureParameter timeRetained() {
    return Parameters.optional(
        TIME_RETAINED,
        DataTypes.StringType,
        "how long the tag is kept, such as '30 d'; as tag.default-time-retained says unless given");
  }

  /** The columns of a result that names tags. */
  static StructType result() {
    return new StructType()
        .add("tag_name", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, false);
  }

  static InternalRow row(Tag tag) {
    return ResultRow.of(tag.name(), tag.snapshot().id());
  }

  /** The snapshot of the argument, or else the newest one. */
  static Snapshot snapshot(Arguments arguments, TableStorage storage) {
    Optional<Long> id = arguments.optionalLong(SNAPSHOT);
    return id.isPresent()
        ? kept(storage, id.get())
        : storage
            .snapshots()
            .latest()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        Condition.KEYLAKE_VERSION_NOT_FOUND,
                        "Table " + storage.name() + " has no snapshot to tag: write to it first."));
  }

  /** The snapshot of an id, which may have expired while a tag keeps it. */
  private static Snapshot kept(TableStorage storage, long id) {
    Optional<Snapshot> found = storage.snapshots().find(id);
    return found
        .or(
            () ->
                storage.tags().all().stream()
                    .map(Tag::snapshot)
                    .filter(snapshot -> snapshot.id() == id)
                    .findFirst())
        .orElseGet(() -> storage.snapshots().load(id));
  }

  /** How long the new tag is kept; null = until it is deleted. */
  static @Nullable Duration retained(Arguments arguments, TableVersion version) {
    return arguments
        .optionalDuration(TIME_RETAINED)
        .orElseGet(() -> TableOptions.of(version.schema()).retention().tagRetained());
  }

  /** Makes a tag by hand. */
  static Tag create(Arguments arguments, TableVersion version, Snapshot snapshot, Clock clock) {
    String name = arguments.text(TAG);
    new AutomaticTags(version.storage(), TableOptions.of(version.schema()), clock)
        .checkByHand(name);
    return new Tags(version.storage(), clock).create(name, snapshot, retained(arguments, version));
  }

  /** A point in time, in milliseconds since the epoch. */
  static long millis(Arguments arguments) {
    String text = arguments.text(TIMESTAMP).strip();
    if (text.matches("-?\\d{5,18}")) {
      return Long.parseLong(text);
    }
    return arguments.optionalTime(TIMESTAMP).map(Instant::toEpochMilli).orElseThrow();
  }

  /** Names that are separated by commas. */
  static List<String> names(Arguments arguments, String parameter) {
    List<String> names =
        Arrays.stream(arguments.text(parameter).split(",", -1)).map(String::strip).toList();
    if (names.stream().anyMatch(String::isEmpty)) {
      throw arguments.invalid(
          parameter + " has an empty name. Separate names by single commas, such as 'a,b'.");
    }
    return names.stream().distinct().toList();
  }
}
