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

package io.keylake.spark.write.postpone;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.options.BucketOptions;
import org.junit.jupiter.api.Test;

final class NewPartitionsTest {
  private static final long MIB = 1L << 20;

  private static NewPartitions partitions(Integer buckets, int max, Long rows) {
    return new NewPartitions(
        new BucketOptions.Postpone(buckets, max, rows, 1024 * MIB), 256 * MIB, 64);
  }

  @Test
  void bucketsFollowTheNumberOfTasks() {
    NewPartitions defaults = partitions(null, 2048, null);
    assertThat(defaults.slots()).isEqualTo(64);
    assertThat(defaults.buckets(1)).isEqualTo(1);
    assertThat(defaults.buckets(8)).isEqualTo(1);
    assertThat(defaults.buckets(9)).isEqualTo(2);
    assertThat(defaults.buckets(64)).isEqualTo(8);
    assertThat(defaults.buckets(100_000)).isEqualTo(64);
  }

  @Test
  void optionsBoundThem() {
    assertThat(partitions(3, 2048, null).slots()).isEqualTo(3);
    assertThat(partitions(3, 2048, null).buckets(200)).isEqualTo(3);
    assertThat(partitions(100, 2048, null).buckets(1)).isEqualTo(100);
    assertThat(partitions(null, 5, null).slots()).isEqualTo(4);
    assertThat(partitions(null, 5, null).buckets(1000)).isEqualTo(4);
    assertThat(partitions(null, 2048, 1_000_000L).buckets(2)).isEqualTo(16);
  }

  @Test
  void rowsOfASlotAreInOneBucket() {
    for (int hash = -1000; hash < 1000; hash++) {
      for (int buckets = 1; buckets <= 64; buckets *= 2) {
        int slot = BucketFunction.ofHash(hash, 64);
        assertThat(slot % buckets).isEqualTo(BucketFunction.ofHash(hash, buckets));
      }
    }
  }
}
