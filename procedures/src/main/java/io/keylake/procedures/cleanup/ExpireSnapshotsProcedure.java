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
import io.keylake.table.expiry.ExpiryRequest;
import io.keylake.table.expiry.SnapshotExpiry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.expire_snapshots(table => 't' [, retain_max => 10] [, retain_min => 5] [,
 * older_than => '2024-01-31 12:00:00'] [, max_deletes => 100] [, options => 'k=v'] [, dry_run =>
 * true])}.
 *
 * @param clock tells the age of snapshots
 */
record ExpireSnapshotsProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "expire_snapshots";
  }

  @Override
  public String description() {
    return "Removes the oldest snapshots of a table, with the files that they alone need.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.expire_snapshots(table => 'db.t', retain_max => 10)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    List<ProcedureParameter> parameters = new ArrayList<>(List.of(Parameters.table()));
    parameters.addAll(Retention.parameters("snapshots"));
    parameters.add(
        Parameters.optional(
            CleanedTable.OPTIONS,
            DataTypes.StringType,
            "options of the table for this call, as k=v,k=v"));
    parameters.add(Parameters.dryRun());
    return parameters;
  }

  @Override
  public StructType result() {
    return new StructType().add("deleted_snapshots_count", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    CleanedTable cleaned = CleanedTable.withOptions(arguments);
    ExpiryRequest request =
        Retention.of(arguments, cleaned.table().options().retention().snapshots(), clock);
    SnapshotExpiry expiry = new SnapshotExpiry(cleaned.history());
    boolean dryRun = arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
    return List.of(ResultRow.of(dryRun ? expiry.count(request) : expiry.run(request).versions()));
  }
}
