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
import io.keylake.table.expiry.PartitionMarks;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.mark_partition_done(table => 't', partitions => 'dt=2024-01-01;dt=2024-01-02')}.
 *
 * @param clock tells when
 */
record MarkPartitionDoneProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "mark_partition_done";
  }

  @Override
  public String description() {
    return "Marks partitions as done by a file _SUCCESS in their folder.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.mark_partition_done(table => 'db.t', partitions => 'dt=2024-01-01')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(Parameters.table(), Parameters.partitions(), Parameters.where());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("partition", DataTypes.StringType, false)
        .add("newly_marked", DataTypes.BooleanType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    if (arguments.optionalText(Parameters.PARTITIONS).isEmpty()
        && arguments.optionalText(Parameters.WHERE).isEmpty()) {
      throw arguments.invalid("neither partitions nor where says which partitions are done.");
    }
    CleanedTable cleaned = CleanedTable.of(arguments);
    PartitionMarks marks = new PartitionMarks(cleaned.history(), clock);
    List<InternalRow> rows = new ArrayList<>();
    for (BinaryRow partition : cleaned.chosen(arguments)) {
      boolean isNew = marks.created(partition).isEmpty();
      marks.mark(partition);
      rows.add(ResultRow.of(cleaned.text(partition), isNew));
    }
    return rows;
  }
}
