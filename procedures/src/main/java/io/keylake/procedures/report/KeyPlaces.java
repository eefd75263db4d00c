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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The keys at which the files of a bucket begin or end, as places from left to right.
 *
 * @param ends these keys, ascending
 * @param order of keys
 */
record KeyPlaces(List<BinaryRow> ends, KeyComparator order) {
  KeyPlaces {
    ends = List.copyOf(ends);
  }

  /** The places of these files. */
  static KeyPlaces of(List<DataFile> files, KeyComparator order) {
    List<BinaryRow> ends =
        files.stream()
            .flatMap(file -> Stream.of(file.minKey(), file.maxKey()))
            .distinct()
            .sorted(order)
            .toList();
    return new KeyPlaces(ends, order);
  }

  int count() {
    return ends.size();
  }

  /** The place of a key, counted from 0; it is one of them. */
  int of(BinaryRow key) {
    return Collections.binarySearch(ends, key, order);
  }
}
