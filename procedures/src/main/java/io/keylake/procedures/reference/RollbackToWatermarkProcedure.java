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

import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.scan.TimeTravel;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.rollback_to_watermark}: makes the version of a watermark the newest one. */
record RollbackToWatermarkProcedure() implements TableProcedure {
  private static final String WATERMARK = "watermark";

  @Override
  public String name() {
    return "rollback_to_watermark";
  }

  @Override
  public String description() {
    return "Makes the oldest snapshot whose watermark has reached a value the newest one, as"
        + " rollback does.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.rollback_to_watermark(table => 'db.t', watermark => 1706702400000)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.required(
            WATERMARK, DataTypes.LongType, "the watermark, milliseconds since the epoch"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return RollbackResult.columns();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage storage = arguments.table(Parameters.TABLE).pinned().storage();
    long mark =
        arguments
            .optionalLong(WATERMARK)
            .orElseThrow(
                () -> arguments.invalid("the argument watermark is NULL. Give it a value."));
    return RollbackResult.of(arguments, storage, new TimeTravel(storage).byWatermark(mark));
  }
}
