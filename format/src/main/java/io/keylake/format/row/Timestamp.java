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

package io.keylake.format.row;

import java.io.Serializable;

/**
 * A value of TIMESTAMP (local date-time as if in UTC) or TIMESTAMP_LTZ (an instant).
 *
 * @param millis milliseconds since the epoch, floored
 * @param nanoOfMilli nanoseconds within the millisecond, 0 to 999999
 */
public record Timestamp(long millis, int nanoOfMilli)
    implements Comparable<Timestamp>, Serializable {
  private static final long serialVersionUID = 1L;

  /** Checks the range of the fraction. */
  public Timestamp {
    if (nanoOfMilli < 0 || nanoOfMilli > 999_999) {
      throw new IllegalArgumentException("nanoOfMilli out of range: " + nanoOfMilli);
    }
  }

  /** From microseconds since the epoch. */
  public static Timestamp ofMicros(long micros) {
    return new Timestamp(Math.floorDiv(micros, 1000L), (int) Math.floorMod(micros, 1000L) * 1000);
  }

  /** Microseconds since the epoch, floored. */
  public long toMicros() {
    return Math.addExact(Math.multiplyExact(millis, 1000L), nanoOfMilli / 1000);
  }

  @Override
  public int compareTo(Timestamp other) {
    int byMillis = Long.compare(millis, other.millis);
    return byMillis != 0 ? byMillis : Integer.compare(nanoOfMilli, other.nanoOfMilli);
  }
}
