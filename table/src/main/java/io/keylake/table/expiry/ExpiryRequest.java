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

package io.keylake.table.expiry;

import io.keylake.table.options.RetentionOptions;
import java.time.Instant;

/**
 * Which of the oldest snapshots or changelogs expire.
 *
 * @param retainMin never leaves fewer
 * @param retainMax what is beyond this number expires whatever its age
 * @param olderThan in between, those from before this time
 * @param limit most that one run removes
 */
public record ExpiryRequest(int retainMin, int retainMax, Instant olderThan, long limit) {
  /** Checks the bounds. */
  public ExpiryRequest {
    if (retainMin < 1 || retainMax < retainMin || limit < 0) {
      throw new IllegalArgumentException("min " + retainMin + ", max " + retainMax + ", " + limit);
    }
  }

  /** What the options of a table ask for at a point in time. */
  public static ExpiryRequest of(RetentionOptions.Window window, Instant now, long limit) {
    long millis = now.toEpochMilli();
    long kept = Math.min(millis, window.time().toMillis());
    return new ExpiryRequest(
        window.min(),
        Math.max(window.min(), window.max()),
        Instant.ofEpochMilli(millis - kept),
        limit);
  }

  /** The id up to which, exclusively, the first ones may expire; {@code latest} is the newest. */
  long end(long earliest, long latest) {
    long byLimit = limit > latest - earliest ? latest : earliest + limit;
    return Math.min(latest - retainMin + 1, byLimit);
  }

  /** The first id whose age decides: those before it expire whatever their age. */
  long firstByAge(long earliest, long latest) {
    return Math.max(latest - retainMax + 1, earliest);
  }
}
