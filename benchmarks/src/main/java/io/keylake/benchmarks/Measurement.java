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

package io.keylake.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/**
 * The times of one query in one process.
 *
 * @param cpuMillis median CPU time of all tasks of a run, milliseconds
 * @param wallMillis median wall time of a run, milliseconds
 * @param minWallMillis fastest run
 * @param maxWallMillis slowest run
 */
record Measurement(
    double cpuMillis, double wallMillis, double minWallMillis, double maxWallMillis) {
  /** From the nanoseconds of each run. */
  static Measurement of(long[] cpuNanos, long[] wallNanos) {
    long[] wall = wallNanos.clone();
    Arrays.sort(wall);
    return new Measurement(
        median(cpuNanos), median(wallNanos), wall[0] / 1e6, wall[wall.length - 1] / 1e6);
  }

  private static double median(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    long median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return median / 1e6;
  }

  /** One line, read back by {@link #parse}. */
  String text() {
    return String.format(
        Locale.ROOT, "%.3f %.3f %.3f %.3f", cpuMillis, wallMillis, minWallMillis, maxWallMillis);
  }

  static Measurement parse(String text) {
    String[] parts = text.trim().split(" ", -1);
    return new Measurement(
        Double.parseDouble(parts[0]),
        Double.parseDouble(parts[1]),
        Double.parseDouble(parts[2]),
        Double.parseDouble(parts[3]));
  }

  /** Median wall time with its spread. */
  String wallText() {
    return String.format(
        Locale.ROOT, "%.0f ms (%.0f-%.0f)", wallMillis, minWallMillis, maxWallMillis);
  }
}
