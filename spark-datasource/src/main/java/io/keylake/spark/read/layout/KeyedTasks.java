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

import io.keylake.table.scan.BucketFiles;
import io.keylake.table.split.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The tasks of a scan, with the key of each where they are keyed.
 *
 * @param tasks the splits of each task
 * @param keys the keys of the tasks in order; empty = tasks have none
 */
public record KeyedTasks(List<List<Split>> tasks, List<TaskKey> keys) {
  /** Copies the lists. */
  public KeyedTasks {
    tasks = List.copyOf(tasks);
    keys = List.copyOf(keys);
    if (!keys.isEmpty() && keys.size() != tasks.size()) {
      throw new IllegalArgumentException(keys.size() + " keys of " + tasks.size() + " tasks");
    }
  }

  /** Tasks without keys. */
  public static KeyedTasks withoutKeys(List<List<Split>> tasks) {
    return new KeyedTasks(tasks, List.of());
  }

  /** The tasks that {@code cut} makes of the buckets of each key. */
  public static KeyedTasks of(
      List<BucketFiles> buckets,
      Function<BucketFiles, TaskKey> keyOf,
      Function<List<BucketFiles>, List<List<Split>>> cut) {
    List<List<Split>> tasks = new ArrayList<>();
    List<TaskKey> keys = new ArrayList<>();
    byKey(buckets, keyOf)
        .forEach(
            (key, group) -> {
              for (List<Split> task : cut.apply(group)) {
                tasks.add(task);
                keys.add(key);
              }
            });
    return new KeyedTasks(tasks, keys);
  }

  /** The buckets of each key, in order. */
  static Map<TaskKey, List<BucketFiles>> byKey(
      List<BucketFiles> buckets, Function<BucketFiles, TaskKey> keyOf) {
    Map<TaskKey, List<BucketFiles>> groups = new LinkedHashMap<>();
    for (BucketFiles bucket : buckets) {
      groups.computeIfAbsent(keyOf.apply(bucket), key -> new ArrayList<>()).add(bucket);
    }
    return groups;
  }

  /**
   * The same work in no more tasks for each key than {@code before}, as Spark demands of a scan
   * whose files are found again while the query runs.
   */
  public KeyedTasks within(KeyedTasks before) {
    if (keys.isEmpty()) {
      return this;
    }
    Map<TaskKey, Integer> room = new HashMap<>();
    before.keys.forEach(key -> room.merge(key, 1, Integer::sum));
    Map<TaskKey, List<List<Split>>> groups = new LinkedHashMap<>();
    for (int i = 0; i < tasks.size(); i++) {
      List<List<Split>> group = groups.computeIfAbsent(keys.get(i), key -> new ArrayList<>());
      if (group.size() < room.getOrDefault(keys.get(i), 1)) {
        group.add(tasks.get(i));
      } else {
        List<Split> last = new ArrayList<>(group.remove(group.size() - 1));
        last.addAll(tasks.get(i));
        group.add(last);
      }
    }
    List<List<Split>> fewer = new ArrayList<>();
    List<TaskKey> theirs = new ArrayList<>();
    groups.forEach(
        (key, group) -> {
          fewer.addAll(group);
          group.forEach(task -> theirs.add(key));
        });
    return new KeyedTasks(fewer, theirs);
  }
}
