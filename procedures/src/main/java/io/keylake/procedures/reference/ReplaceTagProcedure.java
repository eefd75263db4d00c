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

import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.table.maintenance.Tags;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.replace_tag}: gives a tag another snapshot.
 *
 * @param clock tells the time of creation
 */
record ReplaceTagProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "replace_tag";
  }

  @Override
  public String description() {
    return "Gives an existing tag another snapshot, the newest one unless given, and another"
        + " retention.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.replace_tag(table => 'db.t', tag => 'release', snapshot => 4)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        TagChoice.tag("the tag"),
        TagChoice.snapshot(),
        TagChoice.timeRetained());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("tag_name", DataTypes.StringType, false)
        .add("previous_snapshot_id", DataTypes.LongType, false)
        .add("snapshot_id", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    String name = arguments.text(TagChoice.TAG);
    Tag before = version.storage().tags().load(name);
    Snapshot snapshot = TagChoice.snapshot(arguments, version.storage());
    new Tags(version.storage(), clock)
        .replace(name, snapshot, TagChoice.retained(arguments, version));
    return List.of(ResultRow.of(name, before.snapshot().id(), snapshot.id()));
  }
}
