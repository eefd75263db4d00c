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
import io.keylake.table.reference.Rollback;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.rollback}: makes the version of a snapshot or tag the newest one. */
record RollbackProcedure() implements TableProcedure {
  private static final String VERSION = "version";

  @Override
  public String name() {
    return "rollback";
  }

  @Override
  public String description() {
    return "Makes an older version the newest one: later snapshots, changelogs and tags are"
        + " deleted, and their numbers are used again.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.rollback(table => 'db.t', version => '3')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(VERSION, DataTypes.StringType, "a tag, or the id of a snapshot"),
        Parameters.optional(
            TagChoice.SNAPSHOT, DataTypes.LongType, "the id of a snapshot, instead of a version"),
        Parameters.optional(TagChoice.TAG, DataTypes.StringType, "a tag, instead of a version"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return RollbackResult.columns();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage storage = arguments.table(Parameters.TABLE).pinned().storage();
    return RollbackResult.of(arguments, storage, target(arguments, storage));
  }

  private static Snapshot target(Arguments arguments, TableStorage storage) {
    Optional<Snapshot> version =
        arguments.optionalText(VERSION).map(text -> Rollback.version(storage, text.strip()));
    Optional<Snapshot> snapshot =
        arguments.optionalLong(TagChoice.SNAPSHOT).map(storage.snapshots()::load);
    Optional<Snapshot> tag =
        arguments.optionalText(TagChoice.TAG).map(name -> storage.tags().load(name).snapshot());
    List<Snapshot> chosen =
        List.of(version, snapshot, tag).stream().flatMap(Optional::stream).toList();
    if (chosen.size() != 1) {
      throw arguments.invalid("give one of version, snapshot and tag.");
    }
    return chosen.get(0);
  }
}
