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

package io.keylake.spark.read;

import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.split.Split;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;

/**
 * How many tasks a batch read has where the options say so. Pinned by {@code
 * DialectQuerySparkTest}.
 */
final class TaskNumber {
  private TaskNumber() {}

  /** The number that {@code scan.parallelism} gives. */
  static OptionalInt given(TableOptions options) {
    return ScanKeys.PARALLELISM
        .find(options.asMap())
        .map(OptionalInt::of)
        .orElseGet(OptionalInt::empty);
  }

  /** The most tasks that may follow from the amount of data; empty = any number. */
  static OptionalInt inferred(TableOptions options, int cores) {
    Map<String, String> values = options.asMap();
    if (!ScanKeys.INFER_PARALLELISM.read(values)) {
      return OptionalInt.of(Math.max(1, cores));
    }
    return ScanKeys.INFER_PARALLELISM_MAX
        .find(values)
        .map(OptionalInt::of)
        .orElseGet(OptionalInt::empty);
  }

  /** The same work in at most so many tasks, of about equal size. */
  static List<List<Split>> atMost(List<List<Split>> tasks, OptionalInt most) {
    if (most.isEmpty() || tasks.size() <= most.getAsInt()) {
      return tasks;
    }
    List<Load> loads = new ArrayList<>();
    PriorityQueue<Load> lightest =
        new PriorityQueue<>(
            Comparator.<Load>comparingLong(load -> load.bytes)
                .thenComparingInt(load -> load.number));
    for (int i = 0; i < most.getAsInt(); i++) {
      Load load = new Load(i);
      loads.add(load);
      lightest.add(load);
    }
    tasks.stream()
        .sorted(Comparator.comparingLong(TaskNumber::bytes).reversed())
        .forEach(
            task -> {
              Load load = lightest.remove();
              load.splits.addAll(task);
              load.bytes += bytes(task);
              lightest.add(load);
            });
    return loads.stream().map(load -> List.copyOf(load.splits)).toList();
  }

  private static long bytes(List<Split> task) {
    return task.stream().mapToLong(Split::size).sum();
  }

  /** What a task has to read so far. */
  private static final class Load {
    private final int number;
    private final List<Split> splits = new ArrayList<>();
    private long bytes;

    Load(int number) {
      this.number = number;
    }
  }
}
