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

package io.keylake.procedures.history;

import io.keylake.format.fileio.Ids;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.transfer.TableRestore;
import io.keylake.table.LakeTable;
import io.keylake.table.reference.Rollback;
import io.keylake.table.scan.TimeTravel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.restore(table => 't', version => '3' [, dry_run => true])}, or {@code timestamp
 * => '2024-01-31 12:00:00'} instead of a version.
 */
record RestoreProcedure() implements TableProcedure {
  private static final String VERSION = "version";
  private static final String TIMESTAMP = "timestamp";

  @Override
  public String name() {
    return "restore";
  }

  @Override
  public String description() {
    return "Makes a new version that holds what an older one held. History stays.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.restore(table => 'db.t', version => '3')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(VERSION, DataTypes.StringType, "a tag, or the id of a snapshot"),
        Parameters.optional(
            TIMESTAMP,
            DataTypes.StringType,
            "a time instead of a version: '2024-01-31 12:00:00'; the newest version of then"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("table_size_after_restore", DataTypes.LongType, false)
        .add("num_of_files_after_restore", DataTypes.LongType, false)
        .add("num_removed_files", DataTypes.LongType, false)
        .add("num_restored_files", DataTypes.LongType, false)
        .add("removed_files_size", DataTypes.LongType, false)
        .add("restored_files_size", DataTypes.LongType, false)
        .add("snapshot_id", DataTypes.LongType, true);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage storage = arguments.table(Parameters.TABLE).pinned().storage();
    LakeTable table = LakeTable.find(storage).orElseThrow();
    TableRestore restore = new TableRestore(table, version(arguments, storage));
    SparkContext spark = SparkSession.active().sparkContext();
    TableRestore.Outcome done =
        arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)
            ? restore.planned()
            : restore.run(spark, spark.defaultParallelism(), Ids.random());
    return List.of(
        ResultRow.of(
            done.bytesAfter(),
            done.filesAfter(),
            done.removedFiles(),
            done.restoredFiles(),
            done.removedBytes(),
            done.restoredBytes(),
            done.snapshotId()));
  }

  private static Snapshot version(Arguments arguments, TableStorage storage) {
    Optional<String> version = arguments.optionalText(VERSION);
    Optional<Instant> time = arguments.optionalTime(TIMESTAMP);
    if (version.isPresent() == time.isPresent()) {
      throw arguments.invalid("give one of version and timestamp.");
    }
    return version.isPresent()
        ? Rollback.version(storage, version.get().strip())
        : new TimeTravel(storage).atTimestamp(time.orElseThrow().toEpochMilli());
  }
}
