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
import io.keylake.procedures.call.PartitionSpecs;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.spark.maintenance.CompactionSummary;
import io.keylake.spark.maintenance.TableCompaction;
import io.keylake.table.LakeTable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code CALL sys.compact(table => 't' [, partitions => 'dt=2024-01-01'] [, where => "dt >
 * '2024-01-01'"] [, compact_strategy => 'full'] [, options => 'target-file-size=64mb'] [,
 * partition_idle_time => '1 d'] [, dry_run => true])}.
 *
 * @param clock tells the age of partitions, and how long it took
 * @param optionsType how the argument {@code options} was given: as text or as a map
 */
record CompactProcedure(Clock clock, DataType optionsType) implements TableProcedure {
  private static final String STRATEGY = "compact_strategy";
  private static final String OPTIONS = "options";
  private static final String IDLE_TIME = "partition_idle_time";
  private static final int OPTIONS_POSITION = 4;

  CompactProcedure(Clock clock) {
    this(clock, DataTypes.StringType);
  }

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public String description() {
    return "Rewrites the files of a table into fewer. No row changes; other writers may go on.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.compact(table => 'db.t', partitions => 'dt=2024-01-01')";
  }

  @Override
  public TableProcedure boundTo(StructType given) {
    for (int i = 0; i < given.length(); i++) {
      StructField argument = given.fields()[i];
      boolean isOptions =
          argument.name().equalsIgnoreCase(OPTIONS)
              || (i == OPTIONS_POSITION && argument.name().startsWith("param"));
      if (isOptions && argument.dataType() instanceof MapType) {
        return new CompactProcedure(
            clock, DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType));
      }
    }
    return this;
  }

  @Override
  public List<ProcedureParameter> parameters() {
    DataType text = DataTypes.StringType;
    return List.of(
        Parameters.table(),
        Parameters.partitions(),
        Parameters.optional(
            STRATEGY,
            text,
            "full: everything into one run a bucket, the default; minor: what a write would do"),
        Parameters.where(),
        Parameters.optional(
            OPTIONS, optionsType, "options of the table for this call, as k=v,k=v or a map"),
        Parameters.optional(
            IDLE_TIME, text, "only partitions without a new file for so long, such as 1 d"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("buckets_checked", DataTypes.LongType, false)
        .add("buckets_compacted", DataTypes.LongType, false)
        .add("files_in", DataTypes.LongType, false)
        .add("files_out", DataTypes.LongType, true)
        .add("bytes_in", DataTypes.LongType, false)
        .add("bytes_out", DataTypes.LongType, true)
        .add("rows_in", DataTypes.LongType, false)
        .add("rows_out", DataTypes.LongType, true)
        .add("files_upgraded", DataTypes.LongType, false)
        .add("buckets_dropped", DataTypes.LongType, false)
        .add("duration_ms", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long start = clock.millis();
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    LakeTable table = table(version, arguments);
    SparkSession session = (SparkSession) org.apache.spark.sql.SparkSession.active();
    Execution execution =
        arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)
            ? Execution.DRY_RUN
            : Execution.RUN;
    CompactionRequest request =
        new CompactionRequest(
            strategy(arguments),
            ChosenPartitions.of(arguments, version.name(), table),
            idleTime(arguments, table),
            execution);
    CompactionSummary made =
        new TableCompaction(session.sparkContext(), version.name(), table, clock, Ids.random())
            .run(request);
    boolean ran = execution == Execution.RUN;
    return List.of(
        new GenericInternalRow(
            new Object[] {
              made.bucketsChecked(),
              made.bucketsCompacted(),
              made.filesIn(),
              ran ? made.filesOut() : null,
              made.bytesIn(),
              ran ? made.bytesOut() : null,
              made.rowsIn(),
              ran ? made.rowsOut() : null,
              made.filesUpgraded(),
              made.bucketsDropped(),
              clock.millis() - start
            }));
  }

  private static LakeTable table(TableVersion version, Arguments arguments) {
    Map<String, String> options =
        SessionOptions.overrides(
            version.name(), new CaseInsensitiveStringMap(arguments.options(OPTIONS)));
    LakeTable table = LakeTable.find(version.storage()).orElseThrow().withOptions(options);
    if (!table.options().timeTravel().isLatest()) {
      throw arguments.invalid(
          "an option chooses an older version of the table; only the newest version can be"
              + " compacted. Leave the option out.");
    }
    return table;
  }

  private static Strategy strategy(Arguments arguments) {
    String text = arguments.optionalText(STRATEGY).orElse("full");
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "full" -> Strategy.FULL;
      case "minor" -> Strategy.MINOR;
      default ->
          throw arguments.invalid(
              "compact_strategy '" + text + "' is unknown. Use 'full' or 'minor'.");
    };
  }

  private static Optional<Duration> idleTime(Arguments arguments, LakeTable table) {
    Optional<Duration> time = arguments.optionalDuration(IDLE_TIME);
    if (time.isPresent() && table.schema().partitionKeys().isEmpty()) {
      throw PartitionSpecs.unpartitioned(table.name());
    }
    return time;
  }
}
