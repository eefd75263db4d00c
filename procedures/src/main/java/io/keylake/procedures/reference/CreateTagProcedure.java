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

import io.keylake.format.snapshot.Tag;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.table.maintenance.Tags;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.create_tag}: names a snapshot.
 *
 * @param clock tells the time of creation
 */
record CreateTagProcedure(Clock clock) implements TableProcedure {
  private static final String OR_REPLACE = "or_replace";

  @Override
  public String name() {
    return "create_tag";
  }

  @Override
  public String description() {
    return "Gives a snapshot a name that keeps it readable; the newest one unless a snapshot is"
        + " given.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.create_tag(table => 'db.t', tag => 'release', snapshot => 3,"
        + " time_retained => '30 d')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        TagChoice.tag("the new name"),
        TagChoice.snapshot(),
        TagChoice.timeRetained(),
        Parameters.ifNotExists(),
        Parameters.optional(
            OR_REPLACE,
            DataTypes.BooleanType,
            "true: an existing tag of the name gets this snapshot and retention"));
  }

  @Override
  public StructType result() {
    return TagChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    boolean passesOver = arguments.optionalBoolean(Parameters.IF_NOT_EXISTS).orElse(false);
    boolean replaces = arguments.optionalBoolean(OR_REPLACE).orElse(false);
    if (passesOver && replaces) {
      throw arguments.invalid("if_not_exists and or_replace contradict each other.");
    }
    Optional<Tag> existing = version.storage().tags().find(arguments.text(TagChoice.TAG));
    if (existing.isPresent() && passesOver) {
      return List.of(TagChoice.row(existing.get()));
    }
    if (existing.isPresent() && replaces) {
      return List.of(TagChoice.row(replaced(arguments, version)));
    }
    Tag tag =
        TagChoice.create(
            arguments, version, TagChoice.snapshot(arguments, version.storage()), clock);
    return List.of(TagChoice.row(tag));
  }

  private Tag replaced(Arguments arguments, TableVersion version) {
    return new Tags(version.storage(), clock)
        .replace(
            arguments.text(TagChoice.TAG),
            TagChoice.snapshot(arguments, version.storage()),
            TagChoice.retained(arguments, version));
  }
}
