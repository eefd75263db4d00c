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
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.create_tag}: names a snapshot.
 *
 * @param clock tells the time of creation
 */
record CreateTagProcedure(Clock clock) implements TableProcedure {
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
        TagChoice.timeRetained());
  }

  @Override
  public StructType result() {
    return TagChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    Tag tag =
        TagChoice.create(
            arguments, version, TagChoice.snapshot(arguments, version.storage()), clock);
    return List.of(TagChoice.row(tag));
  }
}
