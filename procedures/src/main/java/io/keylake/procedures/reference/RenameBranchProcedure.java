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
import io.keylake.table.maintenance.Branches;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.rename_branch}: gives a branch another name. */
record RenameBranchProcedure() implements TableProcedure {
  private static final String FROM = "from_branch";
  private static final String TO = "to_branch";

  @Override
  public String name() {
    return "rename_branch";
  }

  @Override
  public String description() {
    return "Gives a branch another name. Writers to the branch must pause.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.rename_branch(table => 'db.t', from_branch => 'b', to_branch => 'c')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.required(FROM, DataTypes.StringType, "the branch"),
        Parameters.required(TO, DataTypes.StringType, "its new name"));
  }

  @Override
  public StructType result() {
    return BranchChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage main = BranchChoice.main(arguments);
    String to = arguments.text(TO);
    new Branches(main).rename(arguments.text(FROM), to);
    return List.of(BranchChoice.row(main, to));
  }
}
