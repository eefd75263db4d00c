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

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.options.BucketOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BucketPrunerTest {
  private static final DataField A = DataField.of(0, "a", DataTypes.INT.asNotNull());
  private static final DataField B = DataField.of(1, "b", DataTypes.STRING);
  private static final RowType KEY = RowType.of(List.of(A, B));

  private static Optional<BucketPruner> pruner(
      BucketOptions.Function function, RowType key, Predicate... conjuncts) {
    return BucketPruner.of(BucketFunction.of(function, key), key, Arrays.asList(conjuncts));
  }

  private static List<Integer> kept(Optional<BucketPruner> pruner, int totalBuckets) {
    assertThat(pruner).isPresent();
    return IntStream.range(0, totalBuckets)
        .filter(bucket -> pruner.get().keeps(bucket, totalBuckets))
        .boxed()
        .toList();
  }

  @Test
  void allCombinationsOfTheBoundValuesAreKept() {
    Predicate a = Predicates.in(A, List.of(1, 2, 3));
    Predicate b = Predicates.or(Predicates.equal(B, "x"), Predicates.equal(B, "y"));
    List<Integer> kept = kept(pruner(BucketOptions.Function.DEFAULT, KEY, a, b), 97);

    BucketFunction function = BucketFunction.of(BucketOptions.Function.DEFAULT, KEY);
    List<Integer> expected = new ArrayList<>();
    for (int number : List.of(1, 2, 3)) {
      for (String text : List.of("x", "y")) {
        expected.add(function.bucket(BinaryRowCodec.of(KEY).encode(List.of(number, text)), 97));
      }
    }
    assertThat(kept).containsExactlyInAnyOrderElementsOf(expected.stream().distinct().toList());
  }

  @Test
  void theBucketFunctionOfTheTableCounts() {
    RowType key = RowType.of(List.of(A));

    assertThat(kept(pruner(BucketOptions.Function.MOD, key, Predicates.equal(A, -7)), 5))
        .containsExactly(3);
    assertThat(kept(pruner(BucketOptions.Function.HIVE, key, Predicates.equal(A, 7)), 5))
        .containsExactly(2);
  }

  @Test
  void aColumnThatIsNotBoundPrunesNothing() {
    Predicate bound = Predicates.equal(A, 1);

    for (Predicate other :
        List.of(
            Predicates.compare(B, Operator.GREATER, "x"),
            Predicates.isNull(B),
            Predicates.startsWith(B, "x"),
            Predicates.or(Predicates.equal(B, "x"), Predicates.equal(A, 2)))) {
      assertThat(pruner(BucketOptions.Function.DEFAULT, KEY, bound, other)).isEmpty();
    }
  }

  @Test
  void tooManyCombinationsPruneNothing() {
    RowType key = RowType.of(List.of(A));
    List<Integer> many = IntStream.range(0, 1001).boxed().toList();

    assertThat(pruner(BucketOptions.Function.DEFAULT, key, Predicates.in(A, many))).isEmpty();
    assertThat(pruner(BucketOptions.Function.DEFAULT, key, Predicates.in(A, many.subList(0, 1000))))
        .isPresent();
  }

  @Test
  void bucketsWithoutACountAreKept() {
    RowType key = RowType.of(List.of(A));
    BucketPruner pruner =
        pruner(BucketOptions.Function.DEFAULT, key, Predicates.equal(A, 1)).orElseThrow();

    assertThat(pruner.keeps(9, -1)).isTrue();
    assertThat(pruner.keeps(-2, -2)).isTrue();
  }

  @Test
  void literalsOfAnotherTypePruneNothing() {
    RowType key = RowType.of(List.of(A));
    DataField wide = A.withType(DataTypes.BIGINT);

    assertThat(pruner(BucketOptions.Function.DEFAULT, key, Predicates.equal(wide, 1L))).isEmpty();
  }
}
