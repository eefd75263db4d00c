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

package io.keylake.procedures.cleanup;

import io.keylake.format.row.BinaryRow;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.drop_partition(table => 't', partitions => 'dt=2024-01-01' [, dry_run => true])},
 * or with {@code where => "dt < '2024-01-01'"}.
 */
record DropPartitionProcedure() implements TableProcedure {
  @Override
  public String name() {
    return "drop_partition";
  }

  @Override
  public String description() {
    return "Takes partitions out of a table. Their files stay until the snapshots before expire.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.drop_partition(table => 'db.t', partitions => 'dt=2024-01-01')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(), Parameters.partitions(), Parameters.where(), Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType().add("dropped_partitions", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    if (arguments.optionalText(Parameters.PARTITIONS).isEmpty()
        && arguments.optionalText(Parameters.WHERE).isEmpty()) {
      throw arguments.invalid(
          "neither partitions nor where says which partitions go. Use TRUNCATE TABLE to empty the"
              + " table.");
    }
    CleanedTable cleaned = CleanedTable.of(arguments);
    List<BinaryRow> chosen = cleaned.chosen(arguments);
    if (!arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)) {
      cleaned.drop(chosen, "DROP PARTITION");
    }
    List<InternalRow> rows = new ArrayList<>();
    chosen.forEach(partition -> rows.add(ResultRow.of(cleaned.text(partition))));
    return rows;
  }
}
