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

package io.keylake.spark.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PartitionBatchesTest {
  private static final BinaryRowCodec CODEC =
      BinaryRowCodec.of(RowType.of(List.of(DataField.of(0, "p", DataTypes.INT))));

  private static BinaryRow partition(int number) {
    return CODEC.encode(List.of(number));
  }

  private static Map<BinaryRow, Long> files(long... counts) {
    Map<BinaryRow, Long> files = new LinkedHashMap<>();
    for (int i = 0; i < counts.length; i++) {
      files.put(partition(i), counts[i]);
    }
    return files;
  }

  @Test
  void partitionsShareABatchUpToTheLimit() {
    Map<BinaryRow, Long> files = files(3, 4, 3, 1);
    assertThat(PartitionBatches.batches(files, List.copyOf(files.keySet()), 7))
        .containsExactly(Set.of(partition(0), partition(1)), Set.of(partition(2), partition(3)));
  }

  @Test
  void aPartitionAboveTheLimitIsABatchOfItsOwn() {
    Map<BinaryRow, Long> files = files(1, 100, 1);
    assertThat(PartitionBatches.batches(files, List.copyOf(files.keySet()), 7))
        .containsExactly(Set.of(partition(0)), Set.of(partition(1)), Set.of(partition(2)));
  }

  @Test
  void onlyChosenPartitionsAreInBatches() {
    assertThat(PartitionBatches.batches(files(1, 1, 1), List.of(partition(2)), 7))
        .containsExactly(Set.of(partition(2)));
    assertThat(PartitionBatches.batches(files(1, 1, 1), List.of(), 7)).isEmpty();
  }
}
