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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.maintenance.Tags;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code CALL sys.create_tag(table => 't', tag => 'name' [, snapshot => 3])}. */
record CreateTagProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "create_tag";
  }

  @Override
  public String description() {
    return "Gives a snapshot a name that keeps it readable; the newest one unless a snapshot is"
        + " given.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.create_tag(table => 'db.t', tag => 'release', snapshot => 3)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        ProcedureParameter.in("table", DataTypes.StringType).comment("the table").build(),
        ProcedureParameter.in("tag", DataTypes.StringType).comment("the new name").build(),
        ProcedureParameter.in("snapshot", DataTypes.LongType)
            .comment("id of the snapshot; the newest one unless given")
            .defaultValue("NULL")
            .build());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("tag_name", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage storage = arguments.table("table").pinned().storage();
    String tag = arguments.text("tag");
    Snapshot snapshot = snapshot(storage, arguments.optionalLong("snapshot"));
    new Tags(storage, clock).create(tag, snapshot, null);
    return List.of(
        new GenericInternalRow(new Object[] {UTF8String.fromString(tag), snapshot.id()}));
  }

  private static Snapshot snapshot(TableStorage storage, Optional<Long> id) {
    return id.isPresent()
        ? storage.snapshots().load(id.get())
        : storage
            .snapshots()
            .latest()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        Condition.KEYLAKE_VERSION_NOT_FOUND,
                        "Table " + storage.name() + " has no snapshot to tag: write to it first."));
  }
}
