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

package io.keylake.spark.file.parquet;

import org.apache.parquet.column.statistics.DoubleStatistics;
import org.apache.parquet.column.statistics.FloatStatistics;
import org.apache.parquet.column.statistics.Statistics;

/**
 * Smallest and largest of some numbers. Floating-point numbers are given by their bits. A NaN voids
 * the bounds: engines order it above all numbers, so bounds that skip it would hide rows.
 */
final class NumberRange {
  private final NumberStorage storage;
  private boolean any;
  private boolean nan;
  private long min;
  private long max;
  private double lowest;
  private double highest;

  NumberRange(NumberStorage storage) {
    this.storage = storage;
    clear();
  }

  void clear() {
    any = false;
    nan = false;
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
    lowest = Double.POSITIVE_INFINITY;
    highest = Double.NEGATIVE_INFINITY;
  }

  void add(long[] values, int count) {
    if (storage == NumberStorage.FLOAT) {
      for (int i = 0; i < count; i++) {
        addDouble(Float.intBitsToFloat((int) values[i]));
      }
    } else if (storage == NumberStorage.DOUBLE) {
      for (int i = 0; i < count; i++) {
        addDouble(Double.longBitsToDouble(values[i]));
      }
    } else {
      long low = min;
      long high = max;
      for (int i = 0; i < count; i++) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
      min = low;
      max = high;
    }
    any |= count > 0;
  }

  void add(long value) {
    any = true;
    if (storage == NumberStorage.FLOAT) {
      addDouble(Float.intBitsToFloat((int) value));
    } else if (storage == NumberStorage.DOUBLE) {
      addDouble(Double.longBitsToDouble(value));
    } else {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }

  void add(NumberRange other) {
    any |= other.any;
    nan |= other.nan;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
    lowest = Math.min(lowest, other.lowest);
    highest = Math.max(highest, other.highest);
  }

  /** Whether both bounds are known. */
  boolean isBounded() {
    return any && !nan;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  /** The smallest floating-point number; a zero is -0.0. */
  double lowest() {
    return lowest == 0.0 ? -0.0 : lowest;
  }

  /** The largest floating-point number; a zero is 0.0. */
  double highest() {
    return highest == 0.0 ? 0.0 : highest;
  }

  /** Adds the bounds to those of a page. A NaN among them makes Parquet void them. */
  void addTo(Statistics<?> statistics) {
    if (!any) {
      return;
    }
    if (statistics instanceof DoubleStatistics doubles) {
      addTo(doubles);
    } else if (statistics instanceof FloatStatistics floats) {
      addTo(floats);
    } else if (storage.width() == Integer.BYTES) {
      statistics.updateStats((int) min);
      statistics.updateStats((int) max);
    } else {
      statistics.updateStats(min);
      statistics.updateStats(max);
    }
  }

  private void addTo(DoubleStatistics statistics) {
    if (nan) {
      statistics.updateStats(Double.NaN);
    } else {
      statistics.updateStats(lowest());
      statistics.updateStats(highest());
    }
  }

  private void addTo(FloatStatistics statistics) {
    if (nan) {
      statistics.updateStats(Float.NaN);
    } else {
      statistics.updateStats((float) lowest());
      statistics.updateStats((float) highest());
    }
  }

  private void addDouble(double value) {
    if (Double.isNaN(value)) {
      nan = true;
    } else {
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
  }
}
