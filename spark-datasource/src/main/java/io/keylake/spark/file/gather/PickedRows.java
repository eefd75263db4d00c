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

package io.keylake.spark.file.gather;

import java.util.Arrays;

/**
 * Rows picked from several sources, in the order of the output, and the same rows by source, which
 * is how columns are gathered. For one thread.
 */
public final class PickedRows {
  private int[] sources = new int[0];
  private int[] rows = new int[0];
  private int size;
  private int[] items = new int[0];
  private int[] ends = new int[0];

  /** Forgets the rows and makes room for others. */
  public void clear(int room) {
    size = 0;
    if (sources.length < room) {
      sources = new int[room];
      rows = new int[room];
      items = new int[room];
    }
  }

  /** Picks a row of a source. */
  public void add(int source, int row) {
    sources[size] = source;
    rows[size] = row;
    size++;
  }

  /** The number of rows. */
  public int size() {
    return size;
  }

  /** The source of an item. */
  public int source(int item) {
    return sources[item];
  }

  /** The row of an item in its source. */
  public int row(int item) {
    return rows[item];
  }

  /** The items by source, as {@link #group} has ordered them. */
  int[] items() {
    return items;
  }

  /** The rows of the items in their sources. */
  int[] rows() {
    return rows;
  }

  /** Where the items of {@code source} begin in {@link #items}. */
  int begin(int source) {
    return source == 0 ? 0 : ends[source - 1];
  }

  /** Where the items of {@code source} end in {@link #items}. */
  int end(int source) {
    return ends[source];
  }

  /** Orders the items from {@code from} to {@code to} by source, keeping their order inside. */
  void group(int sourceCount, int from, int to) {
    if (ends.length < sourceCount) {
      ends = new int[sourceCount];
    }
    Arrays.fill(ends, 0, sourceCount, 0);
    for (int item = from; item < to; item++) {
      ends[sources[item]]++;
    }
    int begin = 0;
    for (int source = 0; source < sourceCount; source++) {
      int count = ends[source];
      ends[source] = begin;
      begin += count;
    }
    for (int item = from; item < to; item++) {
      items[ends[sources[item]]++] = item;
    }
  }
}
