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

package io.keylake.spark.compaction;

import io.keylake.format.fileio.Location;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Carries out steps of compactions inside one task, one after the other. For one thread; the owner
 * closes it, and calls {@link #discard} first when the results are not wanted.
 */
public interface StepRunner extends Closeable {
  /** A runner for steps of compactions of one table. */
  static StepRunner of(CompactionSpec spec, StepEnvironment environment) {
    return new TaskStepRunner(spec, environment);
  }

  /** Carries out a step of {@code plan}. */
  StepResult run(CompactionPlan plan, CompactionStep step) throws IOException;

  /** Every file that was begun, finished or not. */
  List<Location> written();

  /** Deletes every file that was begun. */
  void discard();
}
