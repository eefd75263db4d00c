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
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CurveTest {
  /** A cell of a coarse grid and its place on a curve. */
  private record Cell(List<Integer> numbers, BigInteger place) {}

  /** The cells of a grid of 2^bits in each dimension, in the order of the curve. */
  private static List<List<Integer>> walk(Curve curve, int dimensions, int bits) {
    List<Cell> cells = new ArrayList<>();
    for (int code = 0; code < 1 << (dimensions * bits); code++) {
      int[] cell = new int[dimensions];
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < dimensions; i++) {
        int number = (code >> (i * bits)) & ((1 << bits) - 1);
        numbers.add(number);
        cell[i] = number << (Curve.BITS - bits);
      }
      cells.add(new Cell(numbers, new BigInteger(1, curve.place(cell))));
    }
    cells.sort(Comparator.comparing(Cell::place));
    return cells.stream().map(Cell::numbers).toList();
  }

  private static int distance(List<Integer> one, List<Integer> other) {
    int sum = 0;
    for (int i = 0; i < one.size(); i++) {
      sum += Math.abs(one.get(i) - other.get(i));
    }
    return sum;
  }

  @Test
  void zCurveTakesTheBitsOfAllDimensionsInTurn() {
    assertThat(walk(Curve.Z, 2, 1))
        .containsExactly(List.of(0, 0), List.of(0, 1), List.of(1, 0), List.of(1, 1));
    assertThat(Curve.Z.place(new int[] {0xffff, 0})).containsExactly(0xaa, 0xaa, 0xaa, 0xaa);
  }

  @Test
  void neighboursOnTheHilbertCurveAreNeighboursInTheGrid() {
    for (int dimensions = 2; dimensions <= 4; dimensions++) {
      List<List<Integer>> walk = walk(Curve.HILBERT, dimensions, dimensions == 2 ? 4 : 2);
      assertThat(walk).doesNotHaveDuplicates();
      for (int i = 1; i < walk.size(); i++) {
        assertThat(distance(walk.get(i - 1), walk.get(i))).as("step " + i).isEqualTo(1);
      }
    }
  }

  @Test
  void placesDifferInTheLastBit() {
    assertThat(Curve.HILBERT.place(new int[] {7, 9, 11}))
        .hasSize(6)
        .isNotEqualTo(Curve.HILBERT.place(new int[] {7, 9, 10}));
  }

  @Test
  void automaticStrategyFollowsTheNumberOfColumns() {
    assertThat(List.of(1, 2, 4, 5).stream().map(ClusteringStrategy.AUTO::of).toList())
        .containsExactly(
            ClusteringStrategy.ORDER,
            ClusteringStrategy.ZORDER,
            ClusteringStrategy.ZORDER,
            ClusteringStrategy.HILBERT);
    assertThat(ClusteringStrategy.HILBERT.of(1)).isEqualTo(ClusteringStrategy.HILBERT);
  }
}
