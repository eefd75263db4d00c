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

import io.keylake.format.fileio.Ids;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.maintenance.MissingFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.remove_unexisting_files(table => 't' [, dry_run => true])}. */
record RemoveUnexistingFilesProcedure() implements TableProcedure {
  @Override
  public String name() {
    return "remove_unexisting_files";
  }

  @Override
  public String description() {
    return "Takes data files that do not exist any more out of a table, so that it can be read; the"
        + " result names them, with the rows that are lost.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.remove_unexisting_files(table => 'db.t', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(Parameters.table(), Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("file_path", DataTypes.StringType, false)
        .add("partition", DataTypes.StringType, false)
        .add("bucket", DataTypes.IntegerType, false)
        .add("record_count", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    CleanedTable cleaned = CleanedTable.of(arguments);
    MissingFiles missing =
        new MissingFiles(
            new CommitTable(
                cleaned.storage(), cleaned.table().schema(), cleaned.table().options()));
    Optional<MissingFiles.Found> found = missing.find();
    List<InternalRow> rows = new ArrayList<>();
    if (found.isEmpty()) {
      return rows;
    }
    for (MissingFiles.Missing file : found.get().files()) {
      rows.add(
          ResultRow.of(
              file.path().path(),
              cleaned.text(file.partition()),
              file.bucket(),
              file.file().rowCount()));
    }
    boolean dryRun = arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
    if (!dryRun && !rows.isEmpty()) {
      Ids ids = Ids.random();
      missing.remove(found.get(), cleaned.committer(), ids.next(), new MetadataFileNames(ids));
    }
    return rows;
  }
}
