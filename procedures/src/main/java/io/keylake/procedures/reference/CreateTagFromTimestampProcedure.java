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

import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.create_tag_from_timestamp}: names the first snapshot from a point in time on.
 *
 * @param clock tells the time of creation
 */
record CreateTagFromTimestampProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "create_tag_from_timestamp";
  }

  @Override
  public String description() {
    return "Gives a name to the oldest snapshot that was committed at a point in time or later.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.create_tag_from_timestamp(table => 'db.t', tag => 'morning',"
        + " timestamp => '2024-01-31 08:00:00')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        TagChoice.tag("the new name"),
        TagChoice.timestamp("the earliest time of the commit"),
        TagChoice.timeRetained());
  }

  @Override
  public StructType result() {
    return TagChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    Snapshot snapshot = from(version.storage(), arguments);
    return List.of(TagChoice.row(TagChoice.create(arguments, version, snapshot, clock)));
  }

  private static Snapshot from(TableStorage storage, Arguments arguments) {
    long millis = TagChoice.millis(arguments);
    return storage.snapshots().all().stream()
        .filter(snapshot -> snapshot.timeMillis() >= millis)
        .findFirst()
        .orElseThrow(
            () ->
                storage
                    .snapshots()
                    .notFound(
                        "A snapshot of " + arguments.text(TagChoice.TIMESTAMP) + " or later"));
  }
}
