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

package io.keylake.spark.changelog.difference;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.types.DataField;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a file that are wanted next, by ascending position, and the ranges of keys that they
 * are in. Rows near each other are in one range, since a page holds thousands of them. For one
 * thread.
 */
final class WantedRows {
  /** Rows that are no further apart are not worth a range of their own. */
  private static final long NEAR = 4096;

  /** Decoding so many rows for each one wanted is as good as opening the file again. */
  private static final long ROWS_PER_WANTED = 64;

  private static final int MAX_RANGES = 64;

  /** A range of keys and the positions that they have. */
  private static final class Range {
    private final Object firstKey;
    private final long start;
    private Object lastKey;
    private long end;

    Range(Object key, long position) {
      this.firstKey = key;
      this.lastKey = key;
      this.start = position;
      this.end = position;
    }
  }

  private List<Range> ranges = new ArrayList<>();
  private long count;
  private long first;
  private long last;

  void clear() {
    ranges.clear();
    count = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Adds a row without its key, which files need not be asked for. */
  void add(long position) {
    first = count == 0 ? position : first;
    last = position;
    count++;
  }

  /** Adds a row. */
  void add(long position, Object key) {
    Range current = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (current == null || position - current.end > NEAR) {
      ranges.add(new Range(key, position));
    } else {
      current.lastKey = key;
      current.end = position;
    }
    add(position);
  }

  /** The first position. */
  long first() {
    return first;
  }

  /** Whether it is best to read all rows from {@code position} on. */
  boolean areDenseFrom(long position) {
    return last - position <= ROWS_PER_WANTED * count + NEAR;
  }

  /** The ranges of keys, as a file is asked for them. */
  Predicate inRanges(DataField column) {
    for (long gap = 2 * NEAR; ranges.size() > MAX_RANGES; gap *= 2) {
      joinWithin(gap);
    }
    List<Predicate> parts = new ArrayList<>();
    for (Range range : ranges) {
      parts.add(
          range.firstKey.equals(range.lastKey)
              ? leaf(column, Predicate.Operator.EQUAL, range.firstKey)
              : new Predicate.And(
                  List.of(
                      leaf(column, Predicate.Operator.GREATER_OR_EQUAL, range.firstKey),
                      leaf(column, Predicate.Operator.LESS_OR_EQUAL, range.lastKey))));
    }
    return parts.size() == 1 ? parts.get(0) : new Predicate.Or(parts);
  }

  /** All keys from the first on. */
  Predicate fromFirst(DataField column) {
    return leaf(column, Predicate.Operator.GREATER_OR_EQUAL, ranges.get(0).firstKey);
  }

  private static Predicate leaf(DataField column, Predicate.Operator operator, Object key) {
    return new Predicate.Leaf(column, operator, List.of(key));
  }

  private void joinWithin(long gap) {
    List<Range> joined = new ArrayList<>();
    for (Range range : ranges) {
      Range current = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (current == null || range.start - current.end > gap) {
        joined.add(range);
      } else {
        current.lastKey = range.lastKey;
        current.end = range.end;
      }
    }
    ranges = joined;
  }
}
