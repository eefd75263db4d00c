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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.spark.write.WriteCompaction.Owner;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WriteCompactionTest {
  private static long owners(WriteCompaction compaction, int bucket) {
    return IntStream.range(0, compaction.tasks())
        .filter(task -> compaction.isDoneBy(task, BinaryRow.EMPTY, bucket))
        .count();
  }

  @Test
  void exactlyOneTaskOwnsABucketThatSeveralMayWrite() {
    WriteCompaction compaction = new WriteCompaction(Map.of(), Owner.NUMBERED, 3);
    assertThat(IntStream.range(0, 100)).allMatch(bucket -> owners(compaction, bucket) == 1);
  }

  @Test
  void theOnlyWriterOfABucketOwnsIt() {
    assertThat(owners(new WriteCompaction(Map.of(), Owner.WRITER, 3), 5)).isEqualTo(3);
  }
}
