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

package io.keylake.spark.rowlevel.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.errors.InvalidRequestException;
import java.util.List;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

final class MarkedRowsTest {
  private static Map<String, DeletionVector> marked(long... positions) {
    MarkedRows rows = new MarkedRows();
    for (long position : positions) {
      rows.add(UTF8String.fromString("f"), position);
    }
    return rows.toMap();
  }

  @Test
  void rowThatIsDeletedTwiceCountsOnce() {
    Map<String, DeletionVector> all = MarkedRows.union(List.of(marked(1, 1, 2), marked(2, 3)));
    assertThat(all.get("f").cardinality()).isEqualTo(3);
    assertThat(MarkedRows.counted(all, new RowCounts(5, 0, 4))).isEqualTo(new RowCounts(3, 0, 4));
  }

  @Test
  void countsOfRowsThatAreMarkedOnceStay() {
    Map<String, DeletionVector> all = MarkedRows.union(List.of(marked(1), marked(2)));
    assertThat(MarkedRows.counted(all, new RowCounts(1, 1, 0))).isEqualTo(new RowCounts(1, 1, 0));
  }

  @Test
  void rowThatIsUpdatedTwiceIsAnError() {
    Map<String, DeletionVector> all = MarkedRows.union(List.of(marked(1), marked(1)));
    assertThatThrownBy(() -> MarkedRows.counted(all, new RowCounts(0, 2, 0)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("more than once: it matches 2 times, but 1 rows");
  }
}
