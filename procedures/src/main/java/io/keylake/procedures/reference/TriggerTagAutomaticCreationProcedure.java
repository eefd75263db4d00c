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

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.table.options.TableOptions;
import io.keylake.table.reference.AutomaticTags;
import io.keylake.table.reference.TagOptions.Creation;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.trigger_tag_automatic_creation}: makes the tags that are due.
 *
 * @param clock tells the time and the zone
 */
record TriggerTagAutomaticCreationProcedure(Clock clock) implements TableProcedure {
  private static final String FORCE = "force";

  @Override
  public String name() {
    return "trigger_tag_automatic_creation";
  }

  @Override
  public String description() {
    return "Makes the tags that the table makes by itself, as its options tag.* say, without"
        + " waiting for the next commit.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.trigger_tag_automatic_creation(table => 'db.t', force => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            FORCE,
            DataTypes.BooleanType,
            "true: also tag the newest snapshot for the period that ended last, where nothing was"
                + " committed since (process-time only)"));
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("tag_name", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, true)
        .add("action", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    AutomaticTags tags =
        new AutomaticTags(version.storage(), TableOptions.of(version.schema()), clock);
    if (tags.creation() == Creation.NONE) {
      return List.of();
    }
    boolean force = arguments.optionalBoolean(FORCE).orElse(false);
    AutomaticTags.Outcome outcome = force ? tags.createNow() : tags.createDue();
    List<InternalRow> rows = new ArrayList<>();
    outcome
        .created()
        .forEach(tag -> rows.add(ResultRow.of(tag.name(), tag.snapshot().id(), "created")));
    outcome.deleted().forEach(name -> rows.add(ResultRow.of(name, null, "deleted")));
    return rows;
  }
}
