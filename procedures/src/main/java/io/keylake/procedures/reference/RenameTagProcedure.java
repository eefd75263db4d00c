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

import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.table.maintenance.Tags;
import io.keylake.table.options.TableOptions;
import io.keylake.table.reference.AutomaticTags;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.rename_tag}: gives a tag another name.
 *
 * @param clock tells the time and the zone
 */
record RenameTagProcedure(Clock clock) implements TableProcedure {
  private static final String TARGET = "target_tag";

  @Override
  public String name() {
    return "rename_tag";
  }

  @Override
  public String description() {
    return "Gives a tag another name.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.rename_tag(table => 'db.t', tag => 'release', target_tag => 'v1')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        TagChoice.tag("the tag"),
        Parameters.required(TARGET, DataTypes.StringType, "its new name"));
  }

  @Override
  public StructType result() {
    return TagChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    TableStorage storage = version.storage();
    String target = arguments.text(TARGET);
    new AutomaticTags(storage, TableOptions.of(version.schema()), clock).checkByHand(target);
    new Tags(storage, clock).rename(arguments.text(TagChoice.TAG), target);
    return List.of(TagChoice.row(storage.tags().load(target)));
  }
}
