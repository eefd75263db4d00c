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

package io.keylake.spark.sort;

import org.apache.spark.util.collection.unsafe.sort.RecordComparator;

/** Orders the sorter's records by group, key, user sequence fields and sequence number. */
final class RecordOrder extends RecordComparator {
  private final RowOrder keys;
  private final RowOrder sequence;

  RecordOrder(SortOrder order) {
    this.keys = new RowOrder(order.keys(), order.arity());
    this.sequence = new RowOrder(order.sequence(), order.arity());
  }

  @Override
  public int compare(
      Object leftBase, long left, int leftLength, Object rightBase, long right, int rightLength) {
    int byGroup =
        Integer.compare(RecordLayout.group(leftBase, left), RecordLayout.group(rightBase, right));
    if (byGroup != 0) {
      return byGroup;
    }
    long leftRow = RecordLayout.row(left);
    long rightRow = RecordLayout.row(right);
    int byKey = keys.compare(leftBase, leftRow, rightBase, rightRow);
    if (byKey != 0) {
      return byKey;
    }
    int bySequence = sequence.compare(leftBase, leftRow, rightBase, rightRow);
    return bySequence != 0
        ? bySequence
        : Long.compare(
            RecordLayout.sequenceNumber(leftBase, left),
            RecordLayout.sequenceNumber(rightBase, right));
  }
}
