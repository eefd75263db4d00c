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

package io.keylake.table.compaction;

import static io.keylake.table.compaction.PlannedTable.file;
import static io.keylake.table.compaction.PlannedTable.key;
import static io.keylake.table.compaction.PlannedTable.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.options.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which sections take part when rows of some keys are replaced. */
final class SectionRewriteTest {
  private static final PlannedTable TABLE = keyed();
  private static final DataFile A = file("a", 5, 1, 5).build();
  private static final DataFile B = file("b", 5, 10, 15).build();
  private static final DataFile C = file("c", 5, 20, 25).build();
  private static final DataFile D = file("d", 0, 14, 21).build();
  private static final DataFile OVERRIDES = file("o", 0, 0, 99).sequence(50, 60).build();

  private static SectionRewrite rewrite(PlannedTable table, DataFile... files) {
    return new SectionRewrite(
        table.schema(), TableOptions.of(table.schema()), table.addresses(), table.bucket(files));
  }

  private static List<String> steps(Optional<CompactionPlan> plan) {
    List<String> steps = new ArrayList<>();
    plan.ifPresent(
        found -> {
          for (CompactionStep step : found.steps()) {
            Rewrite rewrite = (Rewrite) step;
            assertThat(rewrite.deletes()).isEqualTo(CompactionStep.Deletes.DROPPED);
            assertThat(rewrite.upper()).isEmpty();
            steps.add(
                "L"
                    + found.outputLevel()
                    + names(rewrite.inputs())
                    + names(rewrite.incoming().overrides())
                    + names(rewrite.incoming().records())
                    + " ["
                    + text(rewrite.keys().from())
                    + ","
                    + text(rewrite.keys().to())
                    + ")");
          }
        });
    return steps;
  }

  private static String names(List<CompactionInput> inputs) {
    StringBuilder text = new StringBuilder(" (");
    inputs.forEach(
        input -> text.append(' ').append(input.file().name()).append(':').append(input.runRank()));
    return text.append(" )").toString();
  }

  private static String text(@Nullable BinaryRow key) {
    for (int value = 0; key != null && value < 1000; value++) {
      if (key(value).equals(key)) {
        return String.valueOf(value);
      }
    }
    return "";
  }

  private static List<String> touching(List<Integer> keys, DataFile... files) {
    SectionRewrite rewrite = rewrite(TABLE, files);
    keys.forEach(key -> rewrite.touch(key(key)));
    return steps(rewrite.plan(List.of(OVERRIDES), List.of()));
  }

  @Test
  void aSectionTakesPartWithAllItsFiles() {
    assertThat(touching(List.of(3), A, B, C, D)).containsExactly("L5 ( a:1 ) ( o:-1 ) ( ) [,10)");
    assertThat(touching(List.of(24), A, B, C, D))
        .containsExactly("L5 ( b:1 d:0 c:1 ) ( o:-1 ) ( ) [5,)");
  }

  @Test
  void touchedNeighboursAreOneStep() {
    assertThat(touching(List.of(3, 12), A, B, C))
        .containsExactly("L5 ( a:0 b:0 ) ( o:-1 ) ( ) [,20)");
  }

  @Test
  void noStepReachesOverASectionThatStays() {
    assertThat(touching(List.of(3, 22), A, B, C))
        .containsExactly("L5 ( a:0 ) ( o:-1 ) ( ) [,10)", "L5 ( c:0 ) ( o:-1 ) ( ) [15,)");
  }

  @Test
  void aKeyBetweenSectionsGetsAFileOfItsOwn() {
    assertThat(touching(List.of(7), A, B, C)).containsExactly("L5 ( ) ( o:-1 ) ( ) [5,10)");
    assertThat(touching(List.of(0), A, B)).containsExactly("L5 ( ) ( o:-1 ) ( ) [,1)");
    assertThat(touching(List.of(30), A, B)).containsExactly("L5 ( ) ( o:-1 ) ( ) [15,)");
    assertThat(touching(List.of(7, 12), A, B, C))
        .as("together with the section behind")
        .containsExactly("L5 ( b:0 ) ( o:-1 ) ( ) [5,20)");
  }

  @Test
  void firstAndLastKeysBelongToTheirSections() {
    assertThat(touching(List.of(5), A, B)).containsExactly("L5 ( a:0 ) ( o:-1 ) ( ) [,10)");
    assertThat(touching(List.of(10), A, B)).containsExactly("L5 ( b:0 ) ( o:-1 ) ( ) [5,)");
  }

  @Test
  void anEmptyBucketIsWrittenFromTheStatementAlone() {
    assertThat(touching(List.of(7))).containsExactly("L5 ( ) ( o:-1 ) ( ) [,)");
  }

  @Test
  void nothingIsDoneWithoutKeys() {
    assertThat(touching(List.of(), A, B)).isEmpty();
  }

  @Test
  void theRangeOfAFileTouchesAllItMayHold() {
    SectionRewrite rewrite = rewrite(TABLE, A, B, C);
    DataFile narrow = file("o", 0, 7, 12).sequence(50, 60).build();
    rewrite.touch(narrow);
    assertThat(steps(rewrite.plan(List.of(narrow), List.of())))
        .containsExactly("L5 ( b:0 ) ( o:-1 ) ( ) [5,20)");
    assertThat(rewrite.spreads(narrow)).as("ends inside of the first section").isFalse();
    assertThat(rewrite.spreads(OVERRIDES)).isTrue();
    assertThat(rewrite.spreads(file("o", 0, 26, 99).build())).as("behind all sections").isFalse();
  }

  @Test
  void recordsRankBeforeOverridesAndFilesThatDoNotOverlapMakeARun() {
    SectionRewrite rewrite = rewrite(TABLE, A, D);
    rewrite.touch(key(3));
    DataFile first = file("o1", 0, 1, 2).build();
    DataFile second = file("o2", 0, 3, 4).build();
    DataFile across = file("o3", 0, 2, 3).build();
    DataFile record = file("r", 0, 4, 4).build();
    assertThat(steps(rewrite.plan(List.of(second, first, across), List.of(record))))
        .containsExactly("L5 ( a:1 ) ( o1:-2 o2:-2 o3:-1 ) ( r:-3 ) [,14)");
  }

  @Test
  void filesOfTheStatementTakePartWhereTheyMayHoldKeys() {
    SectionRewrite rewrite = rewrite(TABLE, A, B, C);
    DataFile low = file("low", 0, 3, 3).build();
    DataFile high = file("high", 0, 22, 23).build();
    rewrite.touch(low);
    rewrite.touch(high);
    assertThat(steps(rewrite.plan(List.of(low, high), List.of())))
        .containsExactly("L5 ( a:0 ) ( low:-1 ) ( ) [,10)", "L5 ( c:0 ) ( high:-1 ) ( ) [15,)");
  }

  @Test
  void aLevelAboveTheConfiguredTopIsTheTop() {
    assertThat(touching(List.of(3), file("high", 7, 1, 5).build()))
        .containsExactly("L7 ( high:0 ) ( o:-1 ) ( ) [,)");
  }

  @Test
  void slicesStayWithinTheKeysOfTheirStep() {
    SectionRewrite rewrite =
        rewrite(
            TABLE,
            A,
            B,
            C,
            file("e", 5, 30, 40).build(),
            file("f", 5, 41, 50).build(),
            file("z", 5, 90, 95).build());
    for (int key : List.of(22, 32, 42)) {
      rewrite.touch(key(key));
    }
    CompactionPlan plan = rewrite.plan(List.of(OVERRIDES), List.of()).orElseThrow();
    assertThat(steps(Optional.of(new RewriteSlices(TABLE.schema(), 1000).of(plan))))
        .containsExactly(
            "L5 ( c:0 ) ( o:-1 ) ( ) [15,30)",
            "L5 ( e:0 ) ( o:-1 ) ( ) [30,41)",
            "L5 ( f:0 ) ( o:-1 ) ( ) [41,90)");
  }
}
