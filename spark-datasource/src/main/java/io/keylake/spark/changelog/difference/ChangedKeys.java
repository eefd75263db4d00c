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

import io.keylake.format.row.ChangeKind;
import java.util.Arrays;

/**
 * Keys that may have changed, in ascending order, with the rows that stand for them in the two
 * states: each stored row once, by its file and its place in it. For one thread.
 */
final class ChangedKeys {
  private static final int FIRST_ROOM = 1024;

  private int[] files = new int[FIRST_ROOM];
  private long[] positions = new long[FIRST_ROOM];
  private byte[] kinds = new byte[FIRST_ROOM];
  private int rows;
  private int firstOfKey;
  private int[] listed = new int[FIRST_ROOM];
  private int listedCount;
  private int[] begins = new int[FIRST_ROOM];
  private int[] middles = new int[FIRST_ROOM];
  private int keys;

  void clear() {
    rows = 0;
    listedCount = 0;
    keys = 0;
  }

  /** The number of keys. */
  int keys() {
    return keys;
  }

  /** The number of stored rows. */
  int rows() {
    return rows;
  }

  /** What is added next are the rows of the next key before the change, oldest first. */
  void beginKey() {
    if (keys == begins.length) {
      begins = Arrays.copyOf(begins, keys * 2);
      middles = Arrays.copyOf(middles, keys * 2);
    }
    begins[keys] = listedCount;
    firstOfKey = rows;
  }

  /** What is added next are the rows of the key after the change, oldest first. */
  void endBefore() {
    middles[keys] = listedCount;
  }

  /** Ends the key. Forgets it when the same rows stand for it in both states. */
  void endKey() {
    int begin = begins[keys];
    int middle = middles[keys];
    if (Arrays.equals(listed, begin, middle, listed, middle, listedCount)) {
      listedCount = begin;
      rows = firstOfKey;
    } else {
      keys++;
    }
  }

  /** Adds a row of the current key; true when it was not there yet. */
  boolean add(int file, long position, byte kind) {
    int row = firstOfKey;
    while (row < rows && (files[row] != file || positions[row] != position)) {
      row++;
    }
    boolean isNew = row == rows;
    if (isNew) {
      if (rows == files.length) {
        files = Arrays.copyOf(files, rows * 2);
        positions = Arrays.copyOf(positions, rows * 2);
        kinds = Arrays.copyOf(kinds, rows * 2);
      }
      files[rows] = file;
      positions[rows] = position;
      kinds[rows] = kind;
      rows++;
    }
    if (listedCount == listed.length) {
      listed = Arrays.copyOf(listed, listedCount * 2);
    }
    listed[listedCount++] = row;
    return isNew;
  }

  /** The number of the file of a row. */
  int file(int row) {
    return files[row];
  }

  /** The places of rows in their files. */
  long[] positions() {
    return positions;
  }

  /** The code of the kind of a row. */
  byte kind(int row) {
    return kinds[row];
  }

  /** Whether a row is of kind -U or -D. */
  boolean isRetract(int row) {
    return ChangeKind.ofCode(kinds[row]).isRetract();
  }

  /** How many rows stand for a key in a state. */
  int count(int key, Moment moment) {
    return end(key, moment) - begin(key, moment);
  }

  /** One of the rows that stand for a key in a state; 0 is the oldest. */
  int row(int key, Moment moment, int place) {
    return listed[begin(key, moment) + place];
  }

  private int begin(int key, Moment moment) {
    return moment == Moment.BEFORE ? begins[key] : middles[key];
  }

  private int end(int key, Moment moment) {
    if (moment == Moment.BEFORE) {
      return middles[key];
    }
    return key + 1 == keys ? listedCount : begins[key + 1];
  }
}
