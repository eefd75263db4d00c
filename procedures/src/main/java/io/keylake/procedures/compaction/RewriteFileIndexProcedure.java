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

import io.keylake.format.fileio.Ids;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.ChosenPartitions;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.spark.maintenance.index.IndexRewrite;
import io.keylake.spark.maintenance.index.IndexSummary;
import io.keylake.table.LakeTable;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.rewrite_file_index(table => 't' [, partitions => 'dt=2024-01-01'] [, where => "dt
 * > '2024-01-01'"] [, dry_run => true])}.
 *
 * @param clock tells how long it took
 */
record RewriteFileIndexProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "rewrite_file_index";
  }

  @Override
  public String description() {
    return "Gives files the file indexes that the table's options 'file-index.<type>.columns' ask"
        + " for, without writing rows anew; files keep none where no option asks for it.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.rewrite_file_index(table => 'db.t')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(), Parameters.partitions(), Parameters.where(), Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("files_checked", DataTypes.LongType, false)
        .add("files_indexed", DataTypes.LongType, true)
        .add("index_files_written", DataTypes.LongType, true)
        .add("index_bytes", DataTypes.LongType, true)
        .add("buckets_dropped", DataTypes.LongType, false)
        .add("duration_ms", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long start = clock.millis();
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    LakeTable table = Compactions.table(version, arguments);
    PartitionChoice partitions = ChosenPartitions.of(arguments, version.name(), table);
    IndexRewrite rewrite =
        new IndexRewrite(Compactions.session().sparkContext(), table, clock, Ids.random());
    boolean ran = Compactions.execution(arguments) == Execution.RUN;
    IndexSummary made = ran ? rewrite.run(partitions) : rewrite.look(partitions);
    return List.of(
        ResultRow.of(
            made.filesChecked(),
            ran ? made.filesIndexed() : null,
            ran ? made.indexFilesWritten() : null,
            ran ? made.indexBytes() : null,
            made.bucketsDropped(),
            clock.millis() - start));
  }
}
