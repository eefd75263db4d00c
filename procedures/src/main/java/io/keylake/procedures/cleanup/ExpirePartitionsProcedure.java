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

import io.keylake.format.row.BinaryRow;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.expiry.PartitionExpiry;
import io.keylake.table.expiry.PartitionExpiry.Strategy;
import io.keylake.table.options.CommitKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.expire_partitions(table => 't', expiration_time => '30 d' [, timestamp_formatter
 * => 'yyyyMMdd'] [, timestamp_pattern => '$dt'] [, expire_strategy => 'values-time'] [, max_expires
 * => 10] [, options => 'k=v'] [, dry_run => true])}.
 *
 * @param clock tells the local time
 */
record ExpirePartitionsProcedure(Clock clock) implements TableProcedure {
  private static final String TIME = "expiration_time";
  private static final String FORMATTER = "timestamp_formatter";
  private static final String PATTERN = "timestamp_pattern";
  private static final String STRATEGY = "expire_strategy";
  private static final String MOST = "max_expires";

  @Override
  public String name() {
    return "expire_partitions";
  }

  @Override
  public String description() {
    return "Drops the partitions that have lived long enough, the oldest first. Their files stay"
        + " until the snapshots before expire.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.expire_partitions(table => 'db.t', expiration_time => '30 d')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            TIME, DataTypes.StringType, "how long partitions live, such as 30 d; else the option"),
        Parameters.optional(
            FORMATTER, DataTypes.StringType, "how the time of a partition is written"),
        Parameters.optional(
            PATTERN, DataTypes.StringType, "the text of the time, with $column for its values"),
        Parameters.optional(STRATEGY, DataTypes.StringType, "values-time or update-time"),
        Parameters.optional(MOST, DataTypes.LongType, "most partitions to drop"),
        Parameters.optional(
            CleanedTable.OPTIONS,
            DataTypes.StringType,
            "options of the table for this call, as k=v,k=v"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType().add("expired_partitions", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    CleanedTable cleaned = CleanedTable.withOptions(arguments);
    List<BinaryRow> expired =
        new PartitionExpiry(cleaned.history(), rules(arguments, cleaned))
            .expired(LocalDateTime.now(clock));
    if (!arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)) {
      cleaned.drop(expired, "EXPIRE PARTITIONS");
    }
    List<InternalRow> rows = new ArrayList<>();
    expired.forEach(partition -> rows.add(ResultRow.of(cleaned.text(partition))));
    return rows;
  }

  private static PartitionExpiry.Rules rules(Arguments arguments, CleanedTable cleaned) {
    if (cleaned.table().schema().partitionKeys().isEmpty()) {
      throw arguments.invalid("the table is not partitioned.");
    }
    Map<String, String> options = cleaned.table().options().asMap();
    Duration kept =
        arguments
            .optionalDuration(TIME)
            .or(() -> CommitKeys.PARTITION_EXPIRATION.find(options))
            .orElseThrow(
                () ->
                    arguments.invalid(
                        "neither expiration_time nor the option partition.expiration-time says how"
                            + " long partitions live."));
    PartitionExpiry.Rules rules = PartitionExpiry.Rules.of(options, kept);
    long most = arguments.optionalLong(MOST).orElse((long) rules.most());
    if (most < 1) {
      throw arguments.invalid(MOST + " is " + most + ". Give it a value of at least 1.");
    }
    return new PartitionExpiry.Rules(
        kept,
        arguments.optionalText(STRATEGY).map(Strategy::named).orElse(rules.strategy()),
        arguments.optionalText(PATTERN).orElse(rules.pattern()),
        arguments.optionalText(FORMATTER).orElse(rules.formatter()),
        (int) Math.min(most, Integer.MAX_VALUE));
  }
}
