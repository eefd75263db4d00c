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

package io.keylake.spark.maintenance;

import io.keylake.spark.compaction.StepResult;
import java.util.List;

/** Carries out the steps of some plans. Lives on the driver, for one thread. */
public interface PlanJob {
  /**
   * Does the work and waits for it: the results of each plan's steps, in their order. When it fails
   * or is cancelled, the failure is thrown once no task runs any more; {@link #discard} is then to
   * be called.
   */
  List<List<StepResult>> run();

  /** Deletes every file of the job. One that cannot be deleted is left to orphan removal. */
  void discard();
}
