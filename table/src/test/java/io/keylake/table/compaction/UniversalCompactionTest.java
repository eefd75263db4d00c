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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.KeyComparator;
import io.keylake.table.lsm.Levels;
import io.keylake.table.options.TableOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs are written as level:size, newest first. */
final class UniversalCompactionTest {
  private static Levels levels(String runs) {
    List<DataFile> files = new ArrayList<>();
    int sequence = 1000;
    for (String run : runs.split(" ", -1)) {
      String[] parts = run.split(":", -1);
      int newest = sequence--;
      files.add(
          PlannedTable.file("f" + newest, Integer.parseInt(parts[0]), 0, 100)
              .sequence(newest, newest)
              .size(Long.parseLong(parts[1]))
              .build());
    }
    return Levels.of(files, KeyComparator.of(PlannedTable.keyed().schema().keyType()));
  }

  /** {@code "<number of runs> to <level>"}, or "nothing". */
  private static String pick(String runs, String... options) {
    return pickAt(12, runs, options);
  }

  private static String pickAt(int hour, String runs, String... options) {
    TableOptions table = TableOptions.of(PlannedTable.keyed(options).schema());
    CompactionRules rules = CompactionRules.of(table.compaction(), table.merge(), hour);
    return new UniversalCompaction(rules)
        .pick(levels(runs))
        .map(found -> found.runs().size() + " to " + found.outputLevel())
        .orElse("nothing");
  }

  @Test
  void fewRunsAreLeftAlone() {
    assertThat(pick("0:1")).isEqualTo("nothing");
    assertThat(pick("0:1 0:1 0:1 5:900")).isEqualTo("nothing");
  }

  @Test
  void newerRunsMoreThanTwiceAsLargeAsTheOldestAreCompactedWithIt() {
    String[] three = {"num-sorted-run.compaction-trigger", "3"};
    assertThat(pick("0:1 0:1999 5:1000", three)).isEqualTo("nothing");
    assertThat(pick("0:1 0:2000 5:1000", three)).isEqualTo("3 to 5");
    assertThat(pick("0:1 0:2000 5:1000")).as("below the trigger").isEqualTo("nothing");
    assertThat(
            pick(
                "0:1 0:10 5:1000",
                "num-sorted-run.compaction-trigger",
                "3",
                "compaction.max-size-amplification-percent",
                "1"))
        .isEqualTo("3 to 5");
  }

  @Test
  void runsOfAboutOneSizeAreCompactedBelowTheFirstThatIsLeft() {
    assertThat(pick("0:10 0:10 0:10 4:40 5:10000")).isEqualTo("3 to 3");
    String[] three = {"num-sorted-run.compaction-trigger", "3"};
    assertThat(pick("0:100 4:101 5:9999", three)).as("1 % larger").isEqualTo("2 to 4");
    assertThat(pick("0:100 4:102 5:9999", three)).as("2 % larger").isEqualTo("nothing");
    assertThat(
            pick(
                "0:100 4:102 5:9999",
                "num-sorted-run.compaction-trigger",
                "3",
                "compaction.size-ratio",
                "2"))
        .isEqualTo("2 to 4");
  }

  @Test
  void offPeakHoursAllowLargerRuns() {
    String[] lunch = {
      "num-sorted-run.compaction-trigger", "3",
      "compaction.offpeak.start.hour", "12",
      "compaction.offpeak.end.hour", "13",
      "compaction.offpeak-ratio", "50"
    };
    assertThat(pickAt(12, "0:100 4:151 5:9999", lunch)).isEqualTo("2 to 4");
    assertThat(pickAt(12, "0:100 4:152 5:9999", lunch)).isEqualTo("nothing");
    assertThat(pickAt(13, "0:100 4:151 5:9999", lunch)).isEqualTo("nothing");
  }

  @Test
  void levelZeroIsNeverTheOutput() {
    assertThat(pick("0:10 0:10 0:10 0:40 3:50 5:10000")).isEqualTo("5 to 3");
    assertThat(pick("0:10 0:10 0:10 0:40 5:10000")).as("nothing is left").isEqualTo("5 to 5");
  }

  @Test
  void tooManyRunsAreMadeFewer() {
    assertThat(pick("0:1 1:2 2:4 3:8 4:16 5:9999")).isEqualTo("2 to 1");
    assertThat(pick("0:1 1:2 2:3 3:8 4:16 5:9999")).as("extended by ratio").isEqualTo("3 to 2");
    assertThat(pick("0:1 1:2 2:4 3:8 5:9999")).as("at the trigger").isEqualTo("nothing");
  }

  @Test
  void levelZeroIsForcedUpEvenByItself() {
    String[] force = {"compaction.force-up-level-0", "true"};
    assertThat(pick("0:1 5:100", force)).isEqualTo("1 to 4");
    assertThat(pick("0:1 4:1 5:100", force)).isEqualTo("2 to 4");
    assertThat(pick("0:1", force)).isEqualTo("1 to 5");
    assertThat(pick("4:1 5:100", force)).isEqualTo("nothing");
    assertThat(pick("0:1 1:100 5:9999", force)).as("no level between").isEqualTo("2 to 1");
  }

  @Test
  void deletionVectorsForceLevelZeroUpUnlessGentle() {
    String[] vectors = {"deletion-vectors.enabled", "true"};
    assertThat(pick("0:1", vectors)).isEqualTo("1 to 5");
    assertThat(pick("0:1 5:4", vectors)).isEqualTo("1 to 4");
    assertThat(pick("0:1 4:2 5:4", vectors)).isEqualTo("1 to 3");
    assertThat(pick("0:4 3:1 4:2 5:4", vectors)).isEqualTo("4 to 5");
    assertThat(pick("0:1 5:4", "deletion-vectors.enabled", "true", "lookup-compact", "gentle"))
        .isEqualTo("nothing");
  }

  @Test
  void thresholdsStartAFullCompactionEarly() {
    String[] total = {"compaction.total-size-threshold", "100 b"};
    assertThat(pick("0:1 5:98", total)).isEqualTo("2 to 5");
    assertThat(pick("0:1 5:99", total)).isEqualTo("nothing");
    assertThat(pick("0:1", total)).as("one run").isEqualTo("nothing");
    String[] below = {"compaction.incremental-size-threshold", "10 b"};
    assertThat(pick("0:11 5:99", below)).isEqualTo("2 to 5");
    assertThat(pick("0:10 5:99", below)).isEqualTo("nothing");
    assertThat(pick("0:1 5:99", "compaction.optimization-interval", "1 d")).isEqualTo("2 to 5");
  }

  @Test
  void treeGrowsToTheHighestLevelThatThereIs() {
    assertThat(pick("0:1 8:98", "compaction.total-size-threshold", "100 b")).isEqualTo("2 to 8");
  }

  @Test
  void overlappingFilesOfTheOutputLevelAreAllTaken() {
    assertThat(pick("0:10 1:100 1:9000 5:99999", "compaction.force-up-level-0", "true"))
        .isEqualTo("3 to 1");
  }
}
