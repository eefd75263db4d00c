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

package io.keylake.spark.merge.runs;

/**
 * The rows of one key that are folded, oldest first. For one thread.
 *
 * <ol>
 *   <li>Rows are ordered by the table's sequence fields, then by sequence number, then the newer
 *       run is last.
 *   <li>Where level 0 is compacted together with what keys have above it, rows of a key above level
 *       0 other than the one on the lowest level are outdated and left out, whatever their order.
 * </ol>
 *
 * <p>Example: a row in level 0 with sequence 3, one on level 4 with sequence 2 and one on level 5
 * with sequence 1 are folded in the order 1 2 3, or 2 3 in the second case.
 *
 * <p>Rule source: table behaviour, merging versions of a key and lookup; pinned by {@code
 * FoldReaderModelTest}.
 */
public final class VersionsInOrder {
  /** Which rows above level 0 count. */
  public enum AboveLevelZero {
    ALL,
    LOWEST_LEVEL
  }

  private final VersionOrder order;
  private final AboveLevelZero above;
  private int[] places = new int[8];
  private int count;

  /** The order of rows in a task, counting what {@code above} says. */
  public VersionsInOrder(MergeTask task, AboveLevelZero above) {
    this(new VersionOrder(task.order()), above);
  }

  VersionsInOrder(VersionOrder order, AboveLevelZero above) {
    this.order = order;
    this.above = above;
  }

  /** Takes the rows of a key and returns how many of them are folded. */
  public int arrange(KeyVersions versions) {
    count = 0;
    if (places.length < versions.count()) {
      places = new int[Math.max(versions.count(), 2 * places.length)];
    }
    int lowest = above == AboveLevelZero.LOWEST_LEVEL ? lowestAbove(versions) : -1;
    for (int version = 0; version < versions.count(); version++) {
      if (lowest < 0 || version == lowest || versions.cursor(version).level() == 0) {
        insert(versions, version);
      }
    }
    return count;
  }

  /** The version of the newest run above level 0; -1 when there is none. */
  private static int lowestAbove(KeyVersions versions) {
    int lowest = -1;
    for (int version = 0; version < versions.count(); version++) {
      if (versions.cursor(version).level() > 0
          && (lowest < 0 || versions.cursor(version).rank() < versions.cursor(lowest).rank())) {
        lowest = version;
      }
    }
    return lowest;
  }

  private void insert(KeyVersions versions, int version) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (order.isNewer(versions, version, places[middle])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(places, low, places, low + 1, count - low);
    places[low] = version;
    count++;
  }

  /** The number, in the rows of the key, of one that is folded; 0 is the oldest. */
  public int version(int place) {
    return places[place];
  }
}
