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

package io.keylake.spark.read.layout;

import io.keylake.format.datafile.DataFile;
import io.keylake.table.scan.BucketFiles;
import java.util.List;
import java.util.function.Function;

/**
 * How evenly a layout spreads the bytes of a scan.
 *
 * @param keys the number of different keys: of tasks, once Spark brings equal keys together
 * @param bytes of the files to scan
 * @param largest bytes of the key that has most of them
 */
public record LayoutWeight(int keys, long bytes, long largest) {
  /** The weight of buckets. */
  public static LayoutWeight of(List<BucketFiles> buckets, Function<BucketFiles, TaskKey> keyOf) {
    long[] sizes =
        KeyedTasks.byKey(buckets, keyOf).values().stream().mapToLong(LayoutWeight::bytes).toArray();
    long bytes = 0;
    long largest = 0;
    for (long size : sizes) {
      bytes += size;
      largest = Math.max(largest, size);
    }
    return new LayoutWeight(sizes.length, bytes, largest);
  }

  private static long bytes(List<BucketFiles> buckets) {
    return buckets.stream()
        .flatMap(bucket -> bucket.units().stream())
        .mapToLong(DataFile::size)
        .sum();
  }

  /**
   * Whether all of {@code cores} have work: no key has many more bytes than the share of a core,
   * unless Spark would give as many to one task after a shuffle.
   */
  public boolean isEven(int cores, long shuffledTaskBytes) {
    return largest <= Math.max(shuffledTaskBytes, bytes / Math.max(1, cores) * 3 / 2);
  }

  /**
   * Whether there are more keys than {@code tasks}, with fewer bytes each than a file's opening.
   */
  public boolean isScattered(int tasks, long openCostBytes) {
    return keys > tasks && bytes / keys < openCostBytes;
  }
}
