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
import io.keylake.table.expiry.TagExpiry;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.expire_tags(table => 't' [, older_than => '2024-01-31 12:00:00'] [, dry_run =>
 * true])}.
 *
 * @param clock tells the local time
 */
record ExpireTagsProcedure(Clock clock) implements TableProcedure {
  private static final String OLDER_THAN = "older_than";

  @Override
  public String name() {
    return "expire_tags";
  }

  @Override
  public String description() {
    return "Removes the tags whose retention has ended, or that were created before a time. Tags"
        + " without a retention stay.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.expire_tags(table => 'db.t', older_than => '2024-01-31 12:00:00')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            OLDER_THAN, DataTypes.StringType, "also tags that were created before this time"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType().add("expired_tags", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TagExpiry expiry = new TagExpiry(CleanedTable.of(arguments).storage());
    LocalDateTime olderThan =
        arguments
            .optionalTime(OLDER_THAN)
            .map(time -> LocalDateTime.ofInstant(time, clock.getZone()))
            .orElse(null);
    List<String> expired = expiry.expired(LocalDateTime.now(clock), olderThan);
    if (!arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)) {
      expiry.remove(expired);
    }
    List<InternalRow> rows = new ArrayList<>();
    expired.forEach(tag -> rows.add(ResultRow.of(tag)));
    return rows;
  }
}
