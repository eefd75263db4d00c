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

package io.keylake.table.bucket;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The buckets that new keys of one assigner, in one partition, go to. Assigner {@code a} of n owns
 * the buckets b with b mod n = a; it alone puts new keys into them.
 *
 * <ol>
 *   <li>The owned bucket of the lowest number that is not full.
 *   <li>Else a new bucket: the smallest owned number that no bucket has and that is below {@code
 *       dynamic-bucket.max-buckets}.
 *   <li>Else, at that bound, the owned buckets in turn, beyond their target. (The reference picks
 *       one at random.)
 *   <li>Without a bound there are at most {@value DynamicBuckets#MAX_BUCKETS} buckets in a
 *       partition; a key that needs one more is an error.
 * </ol>
 *
 * Example: 2 assigners, a target of 3 and buckets 0 (3 keys), 1 (1 key) and 2 (2 keys): assigner 0
 * puts its next new key into 2 and the one after it into 4.
 *
 * <p>For one thread. Rule source: table format, dynamic buckets. Pinned by {@code
 * BucketAssignerTest}.
 */
public final class NewKeyBuckets {
  private final AssignerRules rules;
  private final TreeMap<Integer, Long> owned;
  private final Iterator<Map.Entry<Integer, Long>> existing;

  /** The owned buckets once all are full and no more may be opened; empty before. */
  private final List<Integer> full = new ArrayList<>();

  private int free;
  private int open;
  private long room;
  private int turn;

  /**
   * The buckets of an assigner.
   *
   * @param assigner its number
   * @param rules of the table
   * @param counts the number of keys of every bucket of the partition
   */
  public NewKeyBuckets(int assigner, AssignerRules rules, Map<Integer, Long> counts) {
    this.rules = rules;
    this.owned = new TreeMap<>(counts);
    owned.keySet().removeIf(bucket -> bucket % rules.assigners() != assigner);
    this.existing = List.copyOf(owned.entrySet()).iterator();
    this.free = assigner;
  }

  /**
   * The bucket of the next new key.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_REQUEST when no bucket can take it
   */
  public int next() {
    if (room == 0 && full.isEmpty()) {
      openNext();
    }
    if (full.isEmpty()) {
      room--;
      return open;
    }
    int bucket = full.get(turn);
    turn = (turn + 1) % full.size();
    return bucket;
  }

  /** Finds the bucket for the next new keys, or fills {@link #full}. */
  private void openNext() {
    while (existing.hasNext()) {
      Map.Entry<Integer, Long> bucket = existing.next();
      if (bucket.getValue() < rules.targetRows()) {
        open = bucket.getKey();
        room = rules.targetRows() - bucket.getValue();
        return;
      }
    }
    while (owned.containsKey(free)) {
      free += rules.assigners();
    }
    if (free < rules.bucketLimit()) {
      owned.put(free, rules.targetRows());
      open = free;
      room = rules.targetRows();
    } else if (rules.isBounded() && !owned.isEmpty()) {
      full.addAll(owned.keySet());
    } else {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "A partition cannot have more than "
              + rules.bucketLimit()
              + " dynamic buckets, and all that new keys may go to hold "
              + rules.targetRows()
              + " keys. Raise 'dynamic-bucket.target-row-num', or let buckets grow beyond it by"
              + " setting 'dynamic-bucket.max-buckets'.");
    }
  }
}
