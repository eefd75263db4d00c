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

package io.keylake.procedures.transfer;

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.migrate_table}: makes a table of the files of a table of the session catalog.
 *
 * @param clock tells the time and the zone
 */
record MigrateTableProcedure(Clock clock) implements TableProcedure {
  private static final String TARGET = "target_table";

  @Override
  public String name() {
    return "migrate_table";
  }

  @Override
  public String description() {
    return "Makes an append table of the Parquet or ORC files of a table of Spark's session"
        + " catalog: the files are copied as they are, not encoded anew.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.migrate_table(source_type => 'parquet', table => 'default.src',"
        + " target_table => 'db.t2')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        MigrationCall.sourceType(),
        Parameters.required(
            Parameters.TABLE, DataTypes.StringType, "the table in the session catalog"),
        MigrationCall.options(),
        Parameters.optional(
            TARGET, DataTypes.StringType, "the new table; of the same name unless given"),
        MigrationCall.deleteOrigin(),
        MigrationCall.parallelism(),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return MigrationCall.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    MigrationCall call = MigrationCall.of(arguments, clock);
    TableIdentifier source = call.source(arguments.text(Parameters.TABLE));
    Identifier target =
        arguments.optionalText(TARGET).isPresent()
            ? arguments.identifierOf(TARGET)
            : Identifier.of(new String[] {source.database().get()}, source.table());
    return List.of(call.migrate(source, target));
  }
}
