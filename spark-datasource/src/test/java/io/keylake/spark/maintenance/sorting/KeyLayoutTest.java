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

package io.keylake.spark.maintenance.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.table.options.clustering.ClusteringStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

final class KeyLayoutTest {
  private static final List<DataType> INT = List.of(DataTypes.IntegerType);

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  private static List<SampledKey> sample(int partition, int rows) {
    List<SampledKey> keys = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      keys.add(new SampledKey(partition, row((i * 37) % rows), 1));
    }
    return keys;
  }

  /** How many of the values 0 to {@code rows} of a partition go to each range. */
  private static Map<Integer, Integer> spread(KeyLayout layout, int partition, int rows) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int i = 0; i < rows; i++) {
      counts.merge(layout.range(partition, row(i)), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void largePartitionIsCutIntoEqualRanges() {
    KeyLayout layout = KeyLayout.of(ClusteringStrategy.ORDER, INT, sample(0, 1000), List.of(3.5));
    assertThat(layout.ranges()).isEqualTo(4);
    assertThat(spread(layout, 0, 1000)).containsOnlyKeys(0, 1, 2, 3).containsValue(250);
  }

  @Test
  void smallPartitionsShareARangeAsLongAsTheyFit() {
    List<SampledKey> sample = new ArrayList<>();
    for (int partition = 0; partition < 4; partition++) {
      sample.addAll(sample(partition, 10));
    }
    KeyLayout layout =
        KeyLayout.of(ClusteringStrategy.ORDER, INT, sample, List.of(0.4, 0.5, 0.3, 2.0));
    assertThat(layout.ranges()).isEqualTo(4);
    assertThat(spread(layout, 0, 10)).containsOnlyKeys(0);
    assertThat(spread(layout, 1, 10)).containsOnlyKeys(0);
    assertThat(spread(layout, 2, 10)).containsOnlyKeys(1);
    assertThat(spread(layout, 3, 10)).containsOnlyKeys(2, 3);
  }

  @Test
  void heavyRowsMakeRangesNarrow() {
    List<SampledKey> sample = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sample.add(new SampledKey(0, row(i), i < 10 ? 90 : 10));
    }
    KeyLayout layout = KeyLayout.of(ClusteringStrategy.ORDER, INT, sample, List.of(2.0));
    assertThat(spread(layout, 0, 100)).containsEntry(0, 10).containsEntry(1, 90);
  }

  @Test
  void oneValueIsNeverCut() {
    List<SampledKey> sample = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sample.add(new SampledKey(0, row(i < 80 ? 5 : 6), 1));
    }
    KeyLayout layout = KeyLayout.of(ClusteringStrategy.ORDER, INT, sample, List.of(10.0));
    assertThat(layout.ranges()).isLessThanOrEqualTo(3);
    assertThat(layout.range(0, row(5))).isLessThan(layout.range(0, row(6)));
  }

  @Test
  void nullComesFirst() {
    List<SampledKey> sample = new ArrayList<>(sample(0, 90));
    for (int i = 0; i < 90; i++) {
      sample.add(new SampledKey(0, row((Object) null), 1));
    }
    KeyLayout layout = KeyLayout.of(ClusteringStrategy.ORDER, INT, sample, List.of(2.0));
    assertThat(layout.range(0, row((Object) null))).isZero();
    assertThat(spread(layout, 0, 90)).containsOnlyKeys(1);
  }

  @Test
  void withoutASampleAllRowsAreOneRange() {
    KeyLayout layout = KeyLayout.of(ClusteringStrategy.ZORDER, INT, List.of(), List.of(4.0, 0.1));
    assertThat(layout.range(0, row(1))).isZero();
    assertThat(layout.range(1, row(1))).isEqualTo(1);
  }

  @Test
  void ranksFollowTheValuesThatOccur() {
    List<InternalRow> sample = new ArrayList<>();
    for (String text : List.of("a", "a", "a", "b", "zebra", "zoo", "zz", "zzz")) {
      sample.add(row(UTF8String.fromString(text)));
    }
    sample.add(row((Object) null));
    ColumnRanks ranks = ColumnRanks.of(DataTypes.StringType, 0, sample);
    List<Integer> found =
        Arrays.asList(null, "a", "b", "zoo", "zzzz").stream()
            .map(text -> ranks.rank(row(UTF8String.fromString(text)), 0))
            .toList();
    assertThat(found).isSorted().doesNotHaveDuplicates().startsWith(0, 1);
    assertThat(found.get(2)).isBetween(3 * 8190, 3 * 8193);
    assertThat(found.get(4)).isBetween(65534, 65535);
  }
}
