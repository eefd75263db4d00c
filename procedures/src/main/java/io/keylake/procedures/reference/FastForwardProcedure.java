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
import io.keylake.table.maintenance.Branches;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.fast_forward}: makes a branch the main history. */
record FastForwardProcedure() implements TableProcedure {
  @Override
  public String name() {
    return "fast_forward";
  }

  @Override
  public String description() {
    return "Makes a branch the main history: from the branch's oldest snapshot on, the table's own"
        + " snapshots, tags and schemas give way to the branch's.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.fast_forward(table => 'db.t', branch => 'b')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(Parameters.table(), BranchChoice.branch("the branch"), Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("previous_snapshot_id", DataTypes.LongType, false)
        .add("current_snapshot_id", DataTypes.LongType, false)
        .add("snapshots_deleted", DataTypes.LongType, false)
        .add("snapshots_published", DataTypes.LongType, false)
        .add("tags_deleted", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    Branches branches = new Branches(BranchChoice.main(arguments));
    String branch = arguments.text(BranchChoice.BRANCH);
    Branches.FastForward done =
        arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)
            ? branches.planFastForward(branch)
            : branches.fastForward(branch);
    return List.of(
        ResultRow.of(
            done.from(),
            done.to(),
            (long) done.dropped(),
            (long) done.published(),
            (long) done.tags().size()));
  }
}
