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

package io.keylake.procedures.reference;

import io.keylake.format.snapshot.ConsumerStore;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.clear_consumers}: forgets consumers. */
record ClearConsumersProcedure() implements TableProcedure {
  private static final String INCLUDING = "including_consumers";
  private static final String EXCLUDING = "excluding_consumers";

  @Override
  public String name() {
    return "clear_consumers";
  }

  @Override
  public String description() {
    return "Forgets the consumers whose whole names match one regular expression and not another;"
        + " all of them unless given.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.clear_consumers(table => 'db.t', including_consumers => 'job.*',"
        + " dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            INCLUDING, DataTypes.StringType, "regular expression of names; all unless given"),
        Parameters.optional(
            EXCLUDING, DataTypes.StringType, "regular expression of names that stay"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("consumer_id", DataTypes.StringType, false)
        .add("next_snapshot_id", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    ConsumerStore consumers = arguments.table(Parameters.TABLE).pinned().storage().consumers();
    Optional<Pattern> including = pattern(arguments, INCLUDING);
    Optional<Pattern> excluding = pattern(arguments, EXCLUDING);
    boolean only = arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
    List<InternalRow> rows = new ArrayList<>();
    consumers
        .all()
        .forEach(
            (consumer, next) -> {
              boolean chosen =
                  including.map(pattern -> pattern.matcher(consumer).matches()).orElse(true)
                      && !excluding
                          .map(pattern -> pattern.matcher(consumer).matches())
                          .orElse(false);
              if (chosen) {
                rows.add(ResultRow.of(consumer, next));
                if (!only) {
                  consumers.delete(consumer);
                }
              }
            });
    return rows;
  }

  private static Optional<Pattern> pattern(Arguments arguments, String parameter) {
    try {
      return arguments.optionalText(parameter).map(Pattern::compile);
    } catch (PatternSyntaxException e) {
      throw arguments.invalid(parameter + " is no regular expression: " + e.getDescription() + ".");
    }
  }
}
