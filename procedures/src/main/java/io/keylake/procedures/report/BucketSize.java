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

import java.util.Comparator;

/**
 * A bucket in numbers.
 *
 * @param label how it is called
 * @param runs sorted runs; of an append table 0
 * @param sum its files
 */
record BucketSize(String label, int runs, Sum sum) {
  /** Those with many bytes last. */
  static final Comparator<BucketSize> BY_BYTES =
      Comparator.<BucketSize>comparingLong(size -> size.sum().bytes())
          .thenComparing(BucketSize::label, Comparator.reverseOrder());

  /** Those that cost a reader most last. */
  static final Comparator<BucketSize> BY_COST =
      Comparator.comparingInt(BucketSize::runs)
          .thenComparingLong(size -> size.sum().files())
          .thenComparing(BY_BYTES);
}
