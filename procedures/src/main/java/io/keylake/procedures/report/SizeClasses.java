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

package io.keylake.procedures.report;

import java.util.ArrayList;
import java.util.List;

/**
 * How many values of each size there are; a class ends at a power of two. For one thread.
 *
 * <p>Example: the values 3, 4 and 5 are one of the class below 4 and two of the class below 8.
 */
final class SizeClasses {
  private final long[] counts = new long[Long.SIZE];

  /**
   * A class.
   *
   * @param below the first value that is too large
   * @param count how many there are
   */
  record SizeClass(long below, long count) {}

  void add(long value) {
    counts[Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, value))]++;
  }

  /** The classes from the first one with a value to the last one. */
  List<SizeClass> classes() {
    int first = 0;
    int last = counts.length - 1;
    while (first < counts.length && counts[first] == 0) {
      first++;
    }
    while (last > first && counts[last] == 0) {
      last--;
    }
    List<SizeClass> classes = new ArrayList<>();
    for (int i = first; i <= last && i < counts.length; i++) {
      classes.add(new SizeClass(i >= Long.SIZE - 1 ? Long.MAX_VALUE : 1L << i, counts[i]));
    }
    return List.copyOf(classes);
  }

  /** The middle value, as the end of its class; 0 without values. */
  long medianBelow() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    long seen = 0;
    for (SizeClass sizes : classes()) {
      seen += sizes.count();
      if (2 * seen >= total) {
        return sizes.below();
      }
    }
    return 0;
  }
}
