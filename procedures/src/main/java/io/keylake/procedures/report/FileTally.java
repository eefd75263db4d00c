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
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sums over the files of a table. Memory does not grow with their number. Owned by {@link Survey},
 * for one thread.
 */
final class FileTally {
  /** How many buckets are told one by one. */
  static final int BUCKETS = 24;

  /** Upper ends of the classes of {@link #deletedShares}, in percent. */
  static final List<Integer> SHARES = List.of(0, 5, 10, 20, 50, 100);

  private final long smallBytes;
  private final SortedMap<Integer, Sum> levels = new TreeMap<>();
  private final SizeClasses sizes = new SizeClasses();
  private final SizeClasses bucketSizes = new SizeClasses();
  private final List<Long> shares = new ArrayList<>(Collections.nCopies(SHARES.size(), 0L));
  private final Largest<BucketSize> largest = new Largest<>(BUCKETS, BucketSize.BY_BYTES);
  private Sum total = Sum.NONE;
  private Sum small = Sum.NONE;
  private Sum staged = Sum.NONE;
  private long buckets;
  private long runs;
  private int mostRuns;

  /** Counts files; those below {@code smallBytes} are small. */
  FileTally(long smallBytes) {
    this.smallBytes = smallBytes;
  }

  void file(int level, Sum file) {
    total = total.plus(file);
    levels.merge(level, file, Sum::plus);
    sizes.add(file.bytes());
    if (file.bytes() < smallBytes) {
      small = small.plus(file);
    }
    double percent = 100 * file.deletedShare();
    int place = 0;
    while (place < SHARES.size() - 1 && percent > SHARES.get(place)) {
      place++;
    }
    shares.set(place, shares.get(place) + 1);
  }

  void bucket(BucketSize bucket) {
    buckets++;
    runs += bucket.runs();
    mostRuns = Math.max(mostRuns, bucket.runs());
    bucketSizes.add(bucket.sum().bytes());
    largest.add(bucket);
  }

  void staged(Sum files) {
    staged = staged.plus(files);
  }

  Sum total() {
    return total;
  }

  Sum small() {
    return small;
  }

  long smallBytes() {
    return smallBytes;
  }

  /** Files that wait in the postpone bucket. */
  Sum staged() {
    return staged;
  }

  SortedMap<Integer, Sum> levels() {
    return Collections.unmodifiableSortedMap(levels);
  }

  SizeClasses sizes() {
    return sizes;
  }

  SizeClasses bucketSizes() {
    return bucketSizes;
  }

  /** Files by their share of deleted rows: none, up to 5 %, ... */
  List<Long> deletedShares() {
    return List.copyOf(shares);
  }

  List<BucketSize> largest() {
    return largest.all();
  }

  long buckets() {
    return buckets;
  }

  double runsPerBucket() {
    return buckets == 0 ? 0 : (double) runs / buckets;
  }

  int mostRuns() {
    return mostRuns;
  }
}
