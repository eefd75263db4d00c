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

package io.keylake.table.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PartitionOrderTest {
  private static final RowType TYPE =
      RowType.of(List.of(DataField.of(0, "a", DataTypes.INT), DataField.of(1, "b", DataTypes.INT)));

  private static BinaryRow partition(Integer a, Integer b) {
    return BinaryRowCodec.of(TYPE).encode(Arrays.asList(a, b));
  }

  @Test
  void valuesAreComparedAsNumbersColumnByColumnNullFirst() {
    List<BinaryRow> ordered =
        List.of(
            partition(null, 9),
            partition(2, null),
            partition(2, -1),
            partition(2, 10),
            partition(10, 0));
    List<BinaryRow> shuffled =
        Arrays.asList(
            ordered.get(3), ordered.get(1), ordered.get(4), ordered.get(0), ordered.get(2));
    shuffled.sort(new PartitionOrder(TYPE));
    assertThat(shuffled).isEqualTo(ordered);
    assertThat(new PartitionOrder(TYPE).compare(ordered.get(1), partition(2, null))).isZero();
  }
}
