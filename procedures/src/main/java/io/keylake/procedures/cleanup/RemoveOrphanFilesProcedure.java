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

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.maintenance.orphan.OrphanRemoval;
import io.keylake.spark.maintenance.orphan.OrphanRequest;
import io.keylake.spark.maintenance.orphan.OrphanRequest.Execution;
import io.keylake.spark.maintenance.orphan.OrphanSummary;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.remove_orphan_files(table => 't' [, older_than => '2024-01-31 12:00:00'] [,
 * dry_run => true] [, parallelism => 8] [, mode => 'local'])}; {@code table => 'db.*'} for all
 * tables of a namespace.
 *
 * @param clock tells the age of files
 */
record RemoveOrphanFilesProcedure(Clock clock) implements TableProcedure {
  private static final Duration AGE_FLOOR = Duration.ofDays(1);
  private static final String OLDER_THAN = "older_than";
  private static final String PARALLELISM = "parallelism";
  private static final String MODE = "mode";

  @Override
  public String name() {
    return "remove_orphan_files";
  }

  @Override
  public String description() {
    return "Removes files that no version of a table names: what failed and killed jobs left, and"
        + " tags that were removed.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.remove_orphan_files(table => 'db.t', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.required(
            Parameters.TABLE,
            DataTypes.StringType,
            "the table, or db.* for all tables of a namespace"),
        Parameters.optional(
            OLDER_THAN,
            DataTypes.StringType,
            "only files changed before; 24 hours ago unless given. Files of commits under way must"
                + " be younger"),
        Parameters.dryRun(),
        Parameters.optional(
            PARALLELISM, DataTypes.LongType, "number of tasks; as many as Spark has cores"),
        Parameters.optional(
            MODE, DataTypes.StringType, "distributed, the default; local: one task"));
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("deleted_file_count", DataTypes.LongType, false)
        .add("deleted_file_total_len_in_bytes", DataTypes.LongType, false)
        .add("failed_file_count", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    SparkContext spark = SparkSession.active().sparkContext();
    OrphanRequest request = request(arguments, spark);
    OrphanSummary summary = OrphanSummary.NOTHING;
    for (KeylakeTable table : arguments.tables(Parameters.TABLE)) {
      CleanedTable cleaned = CleanedTable.of(table, Map.of());
      summary = summary.and(new OrphanRemoval(spark, cleaned.history()).run(request));
    }
    return List.of(ResultRow.of(summary.files(), summary.bytes(), summary.failed()));
  }

  private OrphanRequest request(Arguments arguments, SparkContext spark) {
    Instant now = clock.instant();
    Instant olderThan = arguments.optionalTime(OLDER_THAN).orElse(now.minus(AGE_FLOOR));
    if (olderThan.isAfter(now)) {
      throw arguments.invalid(
          "older_than " + olderThan + " is in the future. Give it a time that has passed.");
    }
    Execution execution =
        arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)
            ? Execution.DRY_RUN
            : Execution.RUN;
    return new OrphanRequest(olderThan, tasks(arguments, spark), execution);
  }

  private static int tasks(Arguments arguments, SparkContext spark) {
    String mode = arguments.optionalText(MODE).orElse("distributed");
    long asked = arguments.optionalLong(PARALLELISM).orElse((long) spark.defaultParallelism());
    if (asked < 1 || asked > Integer.MAX_VALUE) {
      throw arguments.invalid("parallelism is " + asked + ". Give it a value of at least 1.");
    }
    return switch (mode.strip().toLowerCase(Locale.ROOT)) {
      case "distributed" -> (int) asked;
      case "local" -> 1;
      default ->
          throw arguments.invalid("mode '" + mode + "' is unknown. Use 'distributed' or 'local'.");
    };
  }
}
