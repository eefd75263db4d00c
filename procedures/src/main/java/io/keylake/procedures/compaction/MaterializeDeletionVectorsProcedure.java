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

package io.keylake.procedures.compaction;

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.ChosenPartitions;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.table.LakeTable;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.materialize_deletion_vectors(table => 't' [, partitions => 'dt=2024-01-01'] [,
 * where => "dt > '2024-01-01'"] [, dry_run => true])}.
 *
 * @param clock tells how long it took
 */
record MaterializeDeletionVectorsProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "materialize_deletion_vectors";
  }

  @Override
  public String description() {
    return "Writes files with deletion vectors anew, without the deleted rows. No row changes;"
        + " other writers may go on.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.materialize_deletion_vectors(table => 'db.t')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(), Parameters.partitions(), Parameters.where(), Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return Compactions.COUNTS;
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long start = clock.millis();
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    LakeTable table = Compactions.table(version, arguments);
    CompactionRequest request =
        new CompactionRequest(
            Strategy.VECTORS,
            ChosenPartitions.of(arguments, version.name(), table),
            Optional.empty(),
            Compactions.execution(arguments));
    return List.of(
        Compactions.row(
            Compactions.run(version.name(), table, clock, request),
            request.execution(),
            clock.millis() - start));
  }
}
