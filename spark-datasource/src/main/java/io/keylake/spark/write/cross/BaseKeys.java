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

package io.keylake.spark.write.cross;

import io.keylake.format.row.BinaryRow;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of a snapshot with their places. The tasks of a process share an instance; safe for many
 * threads. The owner closes it.
 */
public final class BaseKeys implements Closeable {
  private final KeyIndex index;
  private final List<KeyPlace> places;
  private final Map<BinaryRow, Map<Integer, Long>> counts = new HashMap<>();

  /**
   * Keys of a snapshot.
   *
   * @param index the numbers of places by key, see {@link KeyRouting}
   * @param places places by number
   * @param counts how many keys each place has
   */
  BaseKeys(KeyIndex index, List<KeyPlace> places, List<Long> counts) {
    this.index = index;
    this.places = List.copyOf(places);
    for (int i = 0; i < places.size(); i++) {
      this.counts
          .computeIfAbsent(places.get(i).partition(), partition -> new HashMap<>())
          .put(places.get(i).bucket(), counts.get(i));
    }
  }

  /** The numbers of places by key. */
  KeyIndex index() {
    return index;
  }

  /** Places by number. */
  List<KeyPlace> places() {
    return places;
  }

  /** How many keys the buckets of a partition have. */
  Map<Integer, Long> counts(BinaryRow partition) {
    return counts.getOrDefault(partition, Map.of());
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
