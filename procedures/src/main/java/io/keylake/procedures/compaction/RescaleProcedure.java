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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.Ids;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.ChosenPartitions;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.rescale.RescaleRequest;
import io.keylake.spark.maintenance.rescale.RescaleSummary;
import io.keylake.spark.maintenance.rescale.TableRescale;
import io.keylake.table.LakeTable;
import io.keylake.table.bucket.BucketMode;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.rescale(table => 't' [, bucket_num => 8] [, partitions => 'dt=2024-01-01'] [,
 * where => "dt > '2024-01-01'"] [, dry_run => true])}.
 *
 * @param clock tells how long it took
 */
record RescaleProcedure(Clock clock) implements TableProcedure {
  private static final String BUCKETS = "bucket_num";

  /** As many as a partition with dynamic buckets may have. */
  private static final int MAX_BUCKETS = Short.MAX_VALUE;

  @Override
  public String name() {
    return "rescale";
  }

  @Override
  public String description() {
    return "Changes the number of buckets of partitions. No row changes; other writers of Keylake"
        + " may go on, those of other engines must pause.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.rescale(table => 'db.t', bucket_num => 8)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            BUCKETS,
            DataTypes.IntegerType,
            "the new number of buckets; the table's option bucket when left out"),
        Parameters.partitions(),
        Parameters.where(),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("bucket_num", DataTypes.IntegerType, false)
        .add("partitions_checked", DataTypes.LongType, false)
        .add("partitions_rescaled", DataTypes.LongType, false)
        .add("files_in", DataTypes.LongType, false)
        .add("files_out", DataTypes.LongType, true)
        .add("bytes_in", DataTypes.LongType, false)
        .add("bytes_out", DataTypes.LongType, true)
        .add("rows_in", DataTypes.LongType, false)
        .add("rows_out", DataTypes.LongType, true)
        .add("partitions_redone", DataTypes.LongType, false)
        .add("snapshot_id", DataTypes.LongType, true)
        .add("duration_ms", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long start = clock.millis();
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    LakeTable table = LakeTable.find(version.storage()).orElseThrow();
    int buckets = buckets(arguments, table);
    SparkSession session = (SparkSession) org.apache.spark.sql.SparkSession.active();
    boolean isDry = arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
    RescaleRequest request =
        new RescaleRequest(
            buckets,
            ChosenPartitions.of(arguments, version.name(), table),
            isDry ? Execution.DRY_RUN : Execution.RUN);
    RescaleSummary made =
        new TableRescale(session.sparkContext(), version.name(), table, clock, Ids.random())
            .run(request);
    return List.of(
        ResultRow.of(
            buckets,
            made.partitionsChecked(),
            made.partitionsRescaled(),
            made.filesIn(),
            isDry ? null : made.filesOut(),
            made.bytesIn(),
            isDry ? null : made.bytesOut(),
            made.rowsIn(),
            isDry ? null : made.rowsOut(),
            made.redone(),
            made.snapshotId(),
            clock.millis() - start));
  }

  private static int buckets(Arguments arguments, LakeTable table) {
    BucketMode mode = BucketMode.of(table.schema(), table.options().bucket());
    boolean isPostpone = mode instanceof BucketMode.Postpone;
    if (!(mode instanceof BucketMode.Fixed) && !isPostpone) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Cannot call rescale: table "
              + table.name()
              + " has no fixed number of buckets ('bucket' = '"
              + table.options().bucket().count()
              + "'). Only tables with 'bucket' = '<n>', or '-2', can be rescaled.");
    }
    Optional<Integer> wanted = arguments.optionalInt(BUCKETS);
    if (wanted.isEmpty() && isPostpone) {
      throw arguments.invalid(
          "bucket_num is needed for table "
              + table.name()
              + ", which has 'bucket' = '-2' and so no number of its own.");
    }
    int buckets = wanted.orElse(table.options().bucket().count());
    if (buckets < 1 || buckets > MAX_BUCKETS) {
      throw arguments.invalid(
          "bucket_num must be at least 1 and at most " + MAX_BUCKETS + ", not " + buckets + ".");
    }
    return buckets;
  }
}
