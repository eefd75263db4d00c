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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Ids;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.expiry.FileRemoval.Removed;
import io.keylake.table.maintenance.TablePurge;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.purge_files(table => 't' [, dry_run => true])}. */
record PurgeFilesProcedure() implements TableProcedure {
  @Override
  public String name() {
    return "purge_files";
  }

  @Override
  public String description() {
    return "Removes all rows of a table with its whole history: snapshots, tags, branches,"
        + " changelogs, consumers and files. Nobody may write to it meanwhile.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.purge_files(table => 'db.t', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(Parameters.table(), Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("purged_file_count", DataTypes.LongType, false)
        .add("failed_file_count", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    CleanedTable cleaned = CleanedTable.of(arguments);
    if (!cleaned.storage().layout().isMainBranch()) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot purge branch "
              + cleaned.table().branch()
              + " of table "
              + cleaned.table().name()
              + ": its files are those of the table. Delete the branch.",
          null);
    }
    TablePurge purge = new TablePurge(cleaned.history());
    if (arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)) {
      return List.of(ResultRow.of(purge.count(), 0L));
    }
    Removed removed = purge.run(cleaned.committer(), Ids.random());
    return List.of(ResultRow.of(removed.deleted(), removed.failed()));
  }
}
