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
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The largest of many values. For one thread.
 *
 * @param <T> what the values are
 */
final class Largest<T> {
  private final int limit;
  private final Comparator<T> order;
  private final PriorityQueue<T> kept;

  /** Keeps {@code limit} values. */
  Largest(int limit, Comparator<T> order) {
    this.limit = limit;
    this.order = order;
    this.kept = new PriorityQueue<>(order);
  }

  void add(T value) {
    kept.add(value);
    if (kept.size() > limit) {
      kept.remove();
    }
  }

  /** The kept ones, the largest first. */
  List<T> all() {
    List<T> all = new ArrayList<>(kept);
    all.sort(order.reversed());
    return List.copyOf(all);
  }
}
