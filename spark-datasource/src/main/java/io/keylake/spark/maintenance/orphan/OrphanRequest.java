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

package io.keylake.spark.maintenance.orphan;

import java.io.Serializable;
import java.time.Instant;

/**
 * What a call asks of the removal of orphans.
 *
 * @param olderThan only files that were changed before
 * @param parallelism how many tasks list folders and read manifests at a time
 * @param execution whether anything is deleted
 */
public record OrphanRequest(Instant olderThan, int parallelism, Execution execution)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Whether anything is deleted. */
  public enum Execution {
    RUN,
    /** Only counts what would be deleted. */
    DRY_RUN
  }

  /** Checks the number of tasks. */
  public OrphanRequest {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism " + parallelism);
    }
  }
}
