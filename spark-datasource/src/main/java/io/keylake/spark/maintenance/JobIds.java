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

import io.keylake.format.fileio.Ids;
import java.io.Serializable;

/**
 * Identifiers for the files of one job: the first half is the job's, the second is random. So the
 * files that any task of the job made can be told by their names, even if nothing is heard of the
 * task any more. Travels to executors.
 *
 * @param half the first 18 characters of a UUID
 */
public record JobIds(String half) implements Ids, Serializable {
  private static final long serialVersionUID = 1L;

  private static final int HALF = 18;

  /** Of a new job. */
  public static JobIds of(Ids ids) {
    return new JobIds(ids.next().substring(0, HALF));
  }

  @Override
  public String next() {
    return half + Ids.random().next().substring(HALF);
  }

  /** Whether a task of the job made the file. */
  public boolean made(String fileName) {
    return fileName.contains(half);
  }
}
