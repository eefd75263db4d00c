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

package io.keylake.table.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.table.options.BucketOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many assigners a write has. */
class AssignerRulesTest {
  private static BucketOptions.Dynamic options(
      @Nullable Integer initial, int max, @Nullable Integer parallelism) {
    return new BucketOptions.Dynamic(10, initial, max, parallelism);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 200, 4",
    "4, 200, 4",
    "5, 200, 8",
    "50, 200, 64",
    "128, 200, 128",
    "1000, 200, 128",
    "1000, 5, 4",
    "50, 1, 4"
  })
  void numberOfAssignersGrowsWithTheLargestPartition(int buckets, int tasks, int assigners) {
    assertThat(AssignerRules.parallel(options(null, -1, null), buckets, tasks).assigners())
        .isEqualTo(assigners);
  }

  @ParameterizedTest
  @CsvSource({
    ", -1, 3, 3",
    "2, -1, 3, 2",
    "5, -1, 3, 3",
    "5, -1, , 5",
    "32767, -1, , 32767",
    "5, 2, , 2",
    ", 3, , 3",
    ", 100, , 16",
    ", 1, 7, 1"
  })
  void optionsDecideTheNumberOfAssigners(
      @Nullable Integer initial, int max, @Nullable Integer parallelism, int assigners) {
    assertThat(AssignerRules.parallel(options(initial, max, parallelism), 16, 64).assigners())
        .isEqualTo(assigners);
  }

  @Test
  void assignerOfAKeyIsItsBucketAmongAsMany() {
    AssignerRules rules = AssignerRules.parallel(options(5, -1, null), 0, 10);
    assertThat(rules.assigner(-7)).isEqualTo(2).isEqualTo(BucketFunction.ofHash(-7, 5));
    assertThat(AssignerRules.single(options(5, -1, null)).assigner(-7)).isZero();
  }

  @Test
  void impossibleNumbersAreRefused() {
    assertThatThrownBy(() -> new AssignerRules(0, 1, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new AssignerRules(1, 0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 rows per bucket");
  }
}
