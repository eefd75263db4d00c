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
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.bucket.NewKeyBuckets;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys of a task's rows are: what the base snapshot says, and over it what the task
 * itself has decided, so that another try of the task starts anew. Looks at one key at a time, see
 * {@link #take}. For one thread; the owner closes it.
 */
final class KeyPlaces implements Closeable {
  /** Gives the keys of the base snapshot when they are first needed. */
  @FunctionalInterface
  interface Opener {
    OpenKeys.Lease open() throws IOException;
  }

  private final AssignerRules rules;
  private final Opener opener;
  private final KeyBytes key;
  private final BinaryRowAssembler bucketKey;
  private final boolean[] assignersSeen;
  private final Map<BinaryRow, @Nullable NewKeyBuckets[]> partitions = new HashMap<>();
  private final List<KeyPlace> newPlaces = new ArrayList<>();
  private final Map<KeyPlace, Integer> newNumbers = new HashMap<>();
  private OpenKeys.@Nullable Lease lease;
  private KeyIndex.@Nullable Space decided;
  private int assigner;

  KeyPlaces(TableSchema schema, AssignerRules rules, Opener opener) {
    this.rules = rules;
    this.opener = opener;
    this.key = KeyBytes.ofRows(schema);
    RowType rows = schema.rowType();
    List<String> names = schema.trimmedPrimaryKeys();
    this.bucketKey =
        new BinaryRowAssembler(
            rows.project(names), names.stream().map(rows::indexOf).toList(), rows.size());
    this.assignersSeen = new boolean[rules.assigners()];
  }

  /** Looks at the key of this row from now on. */
  void take(UnsafeRow row) {
    key.take(row);
    bucketKey.assemble(row.getBaseObject(), row.getBaseOffset());
    assigner = rules.assigner(bucketKey.hash());
  }

  /** Where the base snapshot has the key; null = nowhere. */
  @Nullable KeyPlace before() throws IOException {
    int number = keys().index().base().find(key.buffer(), key.offset(), key.length());
    return number == KeyIndex.UNKNOWN ? null : place(number);
  }

  /** Where the task has put the key; null = it has not. */
  @Nullable KeyPlace decided() throws IOException {
    KeyIndex.Space space = decided;
    if (space == null) {
      return null;
    }
    int number = space.find(key.buffer(), key.offset(), key.length());
    return number == KeyIndex.UNKNOWN ? null : place(number);
  }

  private KeyPlace place(int number) throws IOException {
    List<KeyPlace> known = keys().places();
    return number < known.size() ? known.get(number) : newPlaces.get(number - known.size());
  }

  /** Puts the key into a bucket of a partition that is not full. */
  KeyPlace assign(BinaryRow partition) throws IOException {
    @Nullable NewKeyBuckets[] buckets =
        partitions.computeIfAbsent(partition, any -> new NewKeyBuckets[rules.assigners()]);
    NewKeyBuckets own = buckets[assigner];
    if (own == null) {
      own = new NewKeyBuckets(assigner, rules, keys().counts(partition));
      buckets[assigner] = own;
    }
    KeyPlace place = new KeyPlace(partition, own.next());
    decide(place);
    return place;
  }

  /** Notes that the key has a row here now. */
  void decide(KeyPlace place) throws IOException {
    KeyIndex.Space space = decided;
    if (space == null) {
      space = keys().index().newSpace();
      decided = space;
    }
    Integer number = newNumbers.get(place);
    if (number == null) {
      number = keys().places().size() + newPlaces.size();
      newPlaces.add(place);
      newNumbers.put(place, number);
    }
    space.put(key.buffer(), key.offset(), key.length(), number);
  }

  /** Says that this task has all rows of the key's assigner. */
  void own() {
    assignersSeen[assigner] = true;
  }

  /** Whether no other task puts new keys into buckets of this number. */
  boolean owns(int bucket) {
    return assignersSeen[bucket % rules.assigners()];
  }

  private BaseKeys keys() throws IOException {
    OpenKeys.Lease open = lease;
    if (open == null) {
      open = opener.open();
      lease = open;
    }
    return open.keys();
  }

  @Override
  public void close() throws IOException {
    try {
      if (decided != null) {
        decided.close();
        decided = null;
      }
    } finally {
      if (lease != null) {
        lease.close();
        lease = null;
      }
    }
  }
}
