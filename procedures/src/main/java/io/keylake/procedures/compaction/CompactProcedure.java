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

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.ChosenPartitions;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.PartitionSpecs;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.spark.maintenance.CompactionSummary;
import io.keylake.spark.maintenance.sorting.RowOrder;
import io.keylake.table.LakeTable;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.clustering.ClusteringStrategy;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.compact(table => 't' [, partitions => 'dt=2024-01-01'] [, where => "dt >
 * '2024-01-01'"] [, compact_strategy => 'full'] [, order_strategy => 'zorder'] [, order_by =>
 * 'a,b'] [, options => 'target-file-size=64mb'] [, partition_idle_time => '1 d'] [, dry_run =>
 * true])}.
 *
 * @param clock tells the age of partitions, and how long it took
 * @param optionsType how the argument {@code options} was given: as text or as a map
 */
record CompactProcedure(Clock clock, DataType optionsType) implements TableProcedure {
  private static final String STRATEGY = "compact_strategy";
  private static final String OPTIONS = "options";
  private static final String IDLE_TIME = "partition_idle_time";
  private static final String ORDER_STRATEGY = "order_strategy";
  private static final String ORDER_BY = "order_by";
  private static final int OPTIONS_POSITION = 6;

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
        Parameters.optional(
            ORDER_STRATEGY,
            text,
            "sorts the rows of append tables: order, zorder, hilbert, auto or none"),
        Parameters.optional(ORDER_BY, text, "the columns that rows are sorted by, as a,b"),
        Parameters.where(),
        Parameters.optional(
            OPTIONS, optionsType, "options of the table for this call, as k=v,k=v or a map"),
        Parameters.optional(
            IDLE_TIME, text, "only partitions without a new file for so long, such as 1 d"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return Compactions.COUNTS;
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long start = clock.millis();
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    LakeTable table = Compactions.table(version, arguments, OPTIONS);
    CompactionRequest request =
        new CompactionRequest(
            strategy(arguments),
            ChosenPartitions.of(arguments, version.name(), table),
            idleTime(arguments, table),
            order(arguments, table),
            Compactions.execution(arguments));
    CompactionSummary made = Compactions.run(version.name(), table, clock, request);
    return List.of(Compactions.row(made, request.execution(), clock.millis() - start));
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

  private static Optional<RowOrder> order(Arguments arguments, LakeTable table) {
    Optional<String> strategy = arguments.optionalText(ORDER_STRATEGY).map(String::strip);
    Optional<String> columns = arguments.optionalText(ORDER_BY);
    if (strategy.isPresent() && strategy.get().equalsIgnoreCase("none")) {
      if (columns.isPresent()) {
        throw arguments.invalid("order_strategy 'none' sorts nothing. Leave order_by out.");
      }
      return Optional.empty();
    }
    if (strategy.isEmpty() && columns.isEmpty()) {
      return Optional.empty();
    }
    if (strategy(arguments) == Strategy.MINOR) {
      throw arguments.invalid(
          "sorting writes all files of a partition anew, but compact_strategy is 'minor'. Leave it"
              + " out.");
    }
    ClusteringStrategy chosen =
        strategy
            .map(text -> orderStrategy(arguments, text))
            .orElseGet(() -> CompactionKeys.CLUSTERING_STRATEGY.read(table.options().asMap()));
    return Optional.of(
        RowOrder.of(table, chosen, columns.map(text -> names(arguments, text)).orElse(List.of())));
  }

  private static ClusteringStrategy orderStrategy(Arguments arguments, String text) {
    return Arrays.stream(ClusteringStrategy.values())
        .filter(strategy -> strategy.name().equalsIgnoreCase(text.replace("-", "")))
        .findFirst()
        .orElseThrow(
            () ->
                arguments.invalid(
                    "order_strategy '"
                        + text
                        + "' is unknown. Use 'order', 'zorder', 'hilbert', 'auto' or 'none'."));
  }

  private static List<String> names(Arguments arguments, String text) {
    List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    if (names.stream().anyMatch(String::isEmpty)) {
      throw arguments.invalid(
          "order_by '" + text + "' has an empty name. Write the columns as 'a,b'.");
    }
    return names;
  }

  private static Optional<Duration> idleTime(Arguments arguments, LakeTable table) {
    Optional<Duration> time = arguments.optionalDuration(IDLE_TIME);
    if (time.isPresent() && table.schema().partitionKeys().isEmpty()) {
      throw PartitionSpecs.unpartitioned(table.name());
    }
    return time;
  }
}
