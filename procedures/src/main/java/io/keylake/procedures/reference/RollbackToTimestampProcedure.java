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
import io.keylake.table.scan.TimeTravel;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.rollback_to_timestamp}: makes the version of a point in time the newest one. */
record RollbackToTimestampProcedure() implements TableProcedure {
  @Override
  public String name() {
    return "rollback_to_timestamp";
  }

  @Override
  public String description() {
    return "Makes the newest snapshot that was committed at a point in time or before the newest"
        + " one, as rollback does.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.rollback_to_timestamp(table => 'db.t',"
        + " timestamp => '2024-01-31 12:00:00', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        TagChoice.timestamp("the latest time of the commit"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return RollbackResult.columns();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage storage = arguments.table(Parameters.TABLE).pinned().storage();
    return RollbackResult.of(
        arguments, storage, new TimeTravel(storage).atTimestamp(TagChoice.millis(arguments)));
  }
}
