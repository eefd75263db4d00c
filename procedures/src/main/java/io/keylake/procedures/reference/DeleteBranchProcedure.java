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
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.delete_branch}: removes branches. */
record DeleteBranchProcedure() implements TableProcedure {
  @Override
  public String name() {
    return "delete_branch";
  }

  @Override
  public String description() {
    return "Deletes branches with their tags. Their files go with the removal of orphan files.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.delete_branch(table => 'db.t', branch => 'b,c', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        BranchChoice.branch("the branch, or several separated by commas"),
        Parameters.dryRun(),
        Parameters.ifExists());
  }

  @Override
  public StructType result() {
    return BranchChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage main = BranchChoice.main(arguments);
    Branches branches = new Branches(main);
    boolean passesOver = arguments.optionalBoolean(Parameters.IF_EXISTS).orElse(false);
    List<String> names =
        TagChoice.names(arguments, BranchChoice.BRANCH).stream()
            .filter(name -> !passesOver || BranchChoice.exists(main, name))
            .toList();
    names.forEach(branches::check);
    List<InternalRow> rows = names.stream().map(name -> BranchChoice.row(main, name)).toList();
    if (!arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)) {
      names.forEach(branches::delete);
    }
    return rows;
  }
}
