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

import static io.keylake.table.compaction.PlannedTable.bucketed;
import static io.keylake.table.compaction.PlannedTable.file;
import static io.keylake.table.compaction.PlannedTable.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.compaction.CompactionStep.SpreadKeys;
import io.keylake.table.compaction.CompactionStep.SpreadRows;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Files have 1000 bytes and 100 rows, as many bytes as a table's files should have. */
final class RescalePlannerTest {
  private static RescalePlanner planner(PlannedTable table) {
    return new RescalePlanner(
        table.schema(), TableOptions.of(table.schema()), table.addresses(), id -> table.schema());
  }

  private static BucketFiles bucket(int number, int total, DataFile... files) {
    return new BucketFiles(
        BinaryRow.EMPTY, number, total, List.of(files), Map.of(), List.of(), Set.of());
  }

  private static DataFile small(String name, int level) {
    return file(name, level, 1, 9).size(10).build();
  }

  /** Such as {@code "L5 a0 b1 to 1,3 of 4"}: inputs with their ranks, or the first number. */
  private static List<String> text(List<CompactionPlan> plans) {
    List<String> texts = new ArrayList<>();
    for (CompactionPlan plan : plans) {
      for (CompactionStep step : plan.steps()) {
        StringBuilder text = new StringBuilder("L" + plan.outputLevel());
        step.inputs()
            .forEach(input -> text.append(" ").append(input.file().name()).append(input.runRank()));
        NewBuckets to = step instanceof SpreadKeys spread ? spread.to() : ((SpreadRows) step).to();
        text.append(" to ").append(to.buckets()).append(" of ").append(to.total());
        if (step instanceof SpreadRows rows) {
          text.append(" from ").append(rows.firstSequenceNumber());
        } else {
          text.append(" ").append(((SpreadKeys) step).deletes());
        }
        texts.add(text.toString());
      }
    }
    return texts;
  }

  @Test
  void bucketsEqualModuloTheCommonDivisorMoveTogether() {
    BucketFiles[] buckets = new BucketFiles[4];
    for (int i = 0; i < 4; i++) {
      buckets[i] = bucket(i, 4, small("f" + i + "-", 5));
    }
    assertThat(text(planner(keyed()).all(List.of(buckets), 6)))
        .containsExactly(
            "L5 f0-0 f2-1 to [0, 2, 4] of 6 DROPPED", "L5 f1-0 f3-1 to [1, 3, 5] of 6 DROPPED");
    assertThat(text(planner(keyed()).all(List.of(buckets), 8)))
        .hasSize(4)
        .contains("L5 f3-0 to [3, 7] of 8 DROPPED");
    assertThat(text(planner(keyed()).all(List.of(buckets), 3))).hasSize(1);
  }

  @Test
  void runsOfLevelZeroRankBeforeThoseOfOtherBuckets() {
    BucketFiles one = bucket(0, 2, small("top", 5), small("new", 0));
    BucketFiles other = bucket(1, 2, small("mid", 3), small("fresh", 0), small("high", 5));
    assertThat(text(planner(keyed()).all(List.of(one, other), 1)))
        .containsExactly("L5 new0 fresh1 top2 mid3 high4 to [0] of 1 DROPPED");
  }

  @Test
  void manyNewBucketsAreSeveralSteps() {
    List<String> steps = text(planner(keyed()).all(List.of(bucket(0, 1, small("f", 5))), 40));
    assertThat(steps).hasSize(3).first().asString().contains("[0, 1, 2, ").contains(" 12] of 40");
    assertThat(steps.get(2)).contains(", 39] of 40");
  }

  @Test
  void largePlansAreCutByKeyAndByBucket() {
    DataFile left = file("left", 5, 1, 10).size(4000).build();
    DataFile right = file("right", 5, 11, 20).size(4000).build();
    assertThat(text(planner(keyed()).all(List.of(bucket(0, 1, left, right)), 2)))
        .containsExactly(
            "L5 left0 to [0] of 2 DROPPED",
            "L5 left0 to [1] of 2 DROPPED",
            "L5 right0 to [0] of 2 DROPPED",
            "L5 right0 to [1] of 2 DROPPED");
  }

  @Test
  void laterRowsOfKeyedTablesStayFileByFileOnLevelZero() {
    List<BucketFiles> later =
        List.of(bucket(0, 2, small("a", 0), small("b", 0)), bucket(1, 2, small("c", 0)));
    assertThat(text(planner(keyed()).later(later, 3, 7)))
        .containsExactly(
            "L0 a0 to [0, 1, 2] of 3 KEPT",
            "L0 b0 to [0, 1, 2] of 3 KEPT",
            "L0 c0 to [0, 1, 2] of 3 KEPT");
  }

  @Test
  void rowsOfAppendTablesAreNumberedOneAfterTheOther() {
    DataFile first = file("first", 0, 1, 9).size(1000).sequence(0, 99).build();
    DataFile second = file("second", 0, 1, 9).size(1000).sequence(100, 199).build();
    BucketFiles large = bucket(0, 2, second, first);
    BucketFiles other = bucket(1, 2, small("other", 0));
    assertThat(text(planner(bucketed()).all(List.of(large, other), 3)))
        .containsExactly(
            "L0 first0 second1 to [0, 1, 2] of 3 from 0", "L0 other0 to [0, 1, 2] of 3 from 200");
    assertThat(text(planner(bucketed()).later(List.of(other), 3, 300)))
        .containsExactly("L0 other0 to [0, 1, 2] of 3 from 300");
  }

  @Test
  void aPlanNamesTheBucketsThatItWrites() {
    CompactionPlan plan = planner(keyed()).all(List.of(bucket(1, 4, small("f", 5))), 6).get(0);
    assertThat(plan.writtenBuckets()).containsExactly(1, 3, 5);
    assertThat(plan.totalBuckets()).isEqualTo(6);
  }
}
