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
import io.keylake.procedures.call.ResultRow;
import io.keylake.table.reference.Rollback;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** What all procedures that roll back do, once the version is chosen. */
final class RollbackResult {
  private RollbackResult() {}

  static StructType columns() {
    return new StructType()
        .add("previous_snapshot_id", DataTypes.LongType, false)
        .add("current_snapshot_id", DataTypes.LongType, false)
        .add("snapshots_deleted", DataTypes.LongType, false)
        .add("changelogs_deleted", DataTypes.LongType, false)
        .add("tags_deleted", DataTypes.LongType, false)
        .add("consumers_reset", DataTypes.LongType, false);
  }

  /** Rolls back, or says what that would do. */
  static List<InternalRow> of(Arguments arguments, TableStorage storage, Snapshot target) {
    Rollback rollback = Rollback.to(storage, target);
    Rollback.Outcome done =
        arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)
            ? rollback.planned()
            : rollback.run();
    return List.of(
        ResultRow.of(
            done.from(),
            done.to(),
            (long) done.snapshots(),
            (long) done.changelogs(),
            (long) done.tags().size(),
            (long) done.consumers().size()));
  }
}
