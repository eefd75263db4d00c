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

import io.keylake.format.datafile.DataFile;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Since when a partition has got no new file. */
final class IdleTime {
  private IdleTime() {}

  /**
   * The latest creation time of files of a partition that is idle. Creation times are times of the
   * writer's clock on the wall, as if in UTC.
   */
  static long latest(Duration idle, Clock clock) {
    return LocalDateTime.now(clock).minus(idle).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** Whether no file is newer. */
  static boolean isIdle(List<DataFile> files, Duration idle, Clock clock) {
    long latest = latest(idle, clock);
    return files.stream()
        .map(DataFile::creationTimeMillis)
        .allMatch(created -> created == null || created <= latest);
  }
}
