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
import io.keylake.procedures.call.ResultRow;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The arguments and results that procedures on branches share. */
final class BranchChoice {
  static final String BRANCH = "branch";

  private BranchChoice() {}

  static ProcedureParameter branch(String comment) {
    return Parameters.required(BRANCH, DataTypes.StringType, comment);
  }

  /** The table itself, not one of its branches. */
  static TableStorage main(Arguments arguments) {
    TableStorage storage = arguments.table(Parameters.TABLE).pinned().storage();
    if (!storage.layout().isMainBranch()) {
      throw arguments.invalid(
          arguments.text(Parameters.TABLE)
              + " is a branch. Branches belong to the table: name the table alone.");
    }
    return storage;
  }

  static boolean exists(TableStorage main, String branch) {
    return main.branches().all().stream().anyMatch(known -> known.name().equals(branch));
  }

  /** The columns of a result that names branches. */
  static StructType result() {
    return new StructType()
        .add("branch_name", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, true)
        .add("snapshots", DataTypes.LongType, false);
  }

  /** A branch with its newest snapshot and their number. */
  static InternalRow row(TableStorage main, String branch) {
    TableStorage storage = main.onBranch(branch);
    var latest = storage.snapshots().latestId();
    return ResultRow.of(
        branch,
        latest.isPresent() ? (Long) latest.getAsLong() : null,
        (long) storage.snapshots().ids().size());
  }
}
