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
import io.keylake.spark.maintenance.orphan.OrphanRemoval;
import io.keylake.spark.maintenance.orphan.OrphanRequest;
import io.keylake.spark.maintenance.orphan.OrphanRequest.Execution;
import io.keylake.spark.maintenance.orphan.OrphanSummary;
import io.keylake.table.expiry.ExpiryRequest;
import io.keylake.table.expiry.SnapshotExpiry;
import io.keylake.table.options.RetentionOptions;
import java.time.Clock;
import java.time.Duration;
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
 * {@code CALL sys.vacuum(table => 't' [, retain_hours => 168] [, dry_run => true])}: snapshots
 * expire, then orphan files go.
 *
 * <p>A short retention shortens history only: files that no version names stay for 24 hours at
 * least, since commits under way are about to name some of them.
 *
 * @param clock tells the age of snapshots and files
 */
record VacuumProcedure(Clock clock) implements TableProcedure {
  private static final Duration AGE_FLOOR = Duration.ofDays(1);
  private static final String RETAIN_HOURS = "retain_hours";

  /** Far more than any history, and a time span that every clock can go back. */
  private static final long MAX_HOURS = 24L * 366 * 1000;

  @Override
  public String name() {
    return "vacuum";
  }

  @Override
  public String description() {
    return "Removes what is no longer needed: snapshots that have had their time with the files"
        + " that they alone need, and orphan files that are older than 24 hours.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.vacuum(table => 'db.t', retain_hours => 168)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            RETAIN_HOURS,
            DataTypes.LongType,
            "snapshots that are older expire, but for the newest; as the table's options say unless"
                + " given"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("path", DataTypes.StringType, false)
        .add("expired_snapshots", DataTypes.LongType, false)
        .add("orphan_files", DataTypes.LongType, false)
        .add("orphan_bytes", DataTypes.LongType, false)
        .add("failed_files", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    CleanedTable cleaned = CleanedTable.of(arguments);
    Optional<Duration> retained = retained(arguments);
    boolean dryRun = arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
    ExpiryRequest request = expiry(cleaned, retained);
    SnapshotExpiry expiry = new SnapshotExpiry(cleaned.history());
    long expired = dryRun ? expiry.count(request) : expiry.run(request).versions();
    SparkContext spark = SparkSession.active().sparkContext();
    Duration age = retained.filter(span -> span.compareTo(AGE_FLOOR) > 0).orElse(AGE_FLOOR);
    OrphanSummary orphans =
        new OrphanRemoval(spark, cleaned.history())
            .run(
                new OrphanRequest(
                    clock.instant().minus(age),
                    spark.defaultParallelism(),
                    dryRun ? Execution.DRY_RUN : Execution.RUN));
    return List.of(
        ResultRow.of(
            cleaned.storage().layout().root().path(),
            expired,
            orphans.files(),
            orphans.bytes(),
            orphans.failed()));
  }

  private static Optional<Duration> retained(Arguments arguments) {
    Optional<Long> hours = arguments.optionalLong(RETAIN_HOURS);
    if (hours.isPresent() && (hours.get() < 0 || hours.get() > MAX_HOURS)) {
      throw arguments.invalid(
          "retain_hours is " + hours.get() + ". Give it a value from 0 to " + MAX_HOURS + ".");
    }
    return hours.map(Duration::ofHours);
  }

  private ExpiryRequest expiry(CleanedTable cleaned, Optional<Duration> retained) {
    Instant now = clock.instant();
    RetentionOptions.Window window = cleaned.table().options().retention().snapshots();
    return retained.isPresent()
        ? new ExpiryRequest(1, Integer.MAX_VALUE, now.minus(retained.get()), Long.MAX_VALUE)
        : new ExpiryRequest(window.min(), window.max(), now.minus(window.time()), Long.MAX_VALUE);
  }
}
