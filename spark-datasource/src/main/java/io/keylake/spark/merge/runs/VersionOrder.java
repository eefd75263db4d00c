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

import io.keylake.spark.merge.rows.SequenceOrder;

/**
 * Which of two rows of a key is newer: by their sequence columns, and where these are not read or
 * do not tell, the one of the newer run.
 */
final class VersionOrder {
  private final SequenceOrder order;

  VersionOrder(SequenceOrder order) {
    this.order = order;
  }

  boolean isNewer(KeyVersions versions, int left, int right) {
    RunCursor a = versions.cursor(left);
    RunCursor b = versions.cursor(right);
    int byValue =
        a.hasSequence() && b.hasSequence()
            ? order.compare(
                a.sequenceColumns(), versions.row(left), b.sequenceColumns(), versions.row(right))
            : 0;
    return byValue != 0 ? byValue > 0 : a.rank() < b.rank();
  }
}
