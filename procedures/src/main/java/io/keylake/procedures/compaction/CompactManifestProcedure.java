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
import io.keylake.format.snapshot.Snapshot;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.maintenance.ManifestMerging;
import io.keylake.table.maintenance.ManifestMerging.Outcome;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.compact_manifest(table => 't' [, dry_run => true])}.
 *
 * @param clock tells how long it took
 */
record CompactManifestProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "compact_manifest";
  }

  @Override
  public String description() {
    return "Merges small manifests of a table, and those with removed files, into fewer, so that"
        + " queries are planned faster.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.compact_manifest(table => 'db.t')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(Parameters.table(), Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("manifests_before", DataTypes.LongType, false)
        .add("manifests_after", DataTypes.LongType, true)
        .add("bytes_before", DataTypes.LongType, false)
        .add("bytes_after", DataTypes.LongType, true)
        .add("is_due", DataTypes.BooleanType, false)
        .add("snapshot_id", DataTypes.LongType, true)
        .add("duration_ms", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long start = clock.millis();
    LakeTable table = Compactions.table(arguments.table(Parameters.TABLE).pinned(), arguments);
    ManifestMerging merging =
        new ManifestMerging(
            new CommitTable(table.storage(), table.schema(), table.options()),
            CommitEnvironment.system(),
            table.newCommitUser(Ids.random()));
    boolean ran = Compactions.execution(arguments) == Execution.RUN;
    boolean isDue = merging.isDue();
    Outcome outcome = ran ? merging.run() : merging.look();
    Snapshot snapshot = outcome.snapshot();
    return List.of(
        ResultRow.of(
            (long) outcome.before().files(),
            ran ? (long) outcome.after().files() : null,
            outcome.before().bytes(),
            ran ? outcome.after().bytes() : null,
            isDue,
            snapshot == null ? null : snapshot.id(),
            clock.millis() - start));
  }
}
