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
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WriteCompactionTest {
  private static long owners(WriteCompaction compaction, int bucket, int totalBuckets) {
    BucketChange change =
        new BucketChange(BinaryRow.EMPTY, bucket, totalBuckets, FileChanges.NONE, FileChanges.NONE);
    return IntStream.range(0, compaction.tasks())
        .filter(task -> compaction.isDoneBy(task, change))
        .count();
  }

  @Test
  void exactlyOneTaskOwnsABucketThatSeveralMayWrite() {
    WriteCompaction compaction = new WriteCompaction(Map.of(), Owner.NUMBERED, 0, 3);
    assertThat(IntStream.range(0, 100)).allMatch(bucket -> owners(compaction, bucket, -1) == 1);
  }

  @Test
  void theOnlyWriterOfABucketOwnsIt() {
    assertThat(owners(new WriteCompaction(Map.of(), Owner.WRITER, 0, 3), 5, -1)).isEqualTo(3);
  }

  @Test
  void aBucketOfAPartitionWithAnotherNumberOfBucketsHasOneOwner() {
    WriteCompaction compaction = new WriteCompaction(Map.of(), Owner.WRITER, 4, 3);
    assertThat(owners(compaction, 1, 4)).isEqualTo(3);
    assertThat(owners(compaction, 1, 8)).isEqualTo(3);
    assertThat(IntStream.range(0, 6)).allMatch(bucket -> owners(compaction, bucket, 6) == 1);
    assertThat(IntStream.range(0, 2)).allMatch(bucket -> owners(compaction, bucket, 2) == 1);
  }
}
