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

import io.keylake.procedures.call.TableProcedure;
import java.time.Clock;
import java.util.List;

/** Procedures that delete. */
public final class CleanupProcedures {
  private CleanupProcedures() {}

  /** All of them; {@code clock} tells the time and the zone. */
  public static List<TableProcedure> all(Clock clock) {
    return List.of(
        new ExpireSnapshotsProcedure(clock),
        new ExpireChangelogsProcedure(clock),
        new ExpireTagsProcedure(clock),
        new ExpirePartitionsProcedure(clock),
        new DropPartitionProcedure(),
        new MarkPartitionDoneProcedure(clock),
        new RemoveOrphanFilesProcedure(clock),
        new VacuumProcedure(clock),
        new RemoveUnexistingFilesProcedure(),
        new PurgeFilesProcedure());
  }
}
