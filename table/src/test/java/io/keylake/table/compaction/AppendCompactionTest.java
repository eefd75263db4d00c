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

import static io.keylake.table.compaction.PlannedTable.unaware;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.golden.DataFiles;
import io.keylake.table.compaction.CompactionStep.Concatenate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Target 1000 bytes, small below 700, opening a file costs nothing. */
final class AppendCompactionTest {
  private static DataFile file(String name, long size) {
    return DataFiles.named(name).size(size).rows(100).build();
  }

  private static DataFile[] files(int count, long size) {
    List<DataFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(file("f" + i, size));
    }
    return files.toArray(DataFile[]::new);
  }

  @Test
  void fewSmallFilesWaitForMore() {
    assertThat(unaware().minor(files(4, 1))).isEmpty();
    assertThat(unaware().minor(files(5, 1))).containsExactly("L0 concatenate f0 f1 f2 f3 f4");
    assertThat(unaware("compaction.min.file-num", "2").minor(files(2, 1)))
        .containsExactly("L0 concatenate f0 f1");
    assertThat(unaware("compaction.min.file-num", "1").minor(files(1, 1))).isEmpty();
  }

  @Test
  void largeFilesStay() {
    assertThat(unaware().minor(files(9, 700))).isEmpty();
    assertThat(unaware().full(files(9, 700))).isEmpty();
    assertThat(unaware("compaction.small-file-ratio", "1").full(files(2, 999)))
        .containsExactly("L0 concatenate f0 f1");
  }

  @Test
  void binsOfTwiceTheTargetAreWrittenWhateverTheirNumber() {
    assertThat(unaware().minor(files(7, 500))).containsExactly("L0 concatenate f0 f1 f2 f3");
    assertThat(unaware("source.split.open-file-cost", "600 b").minor(files(4, 500)))
        .containsExactly("L0 concatenate f0 f1", "L0 concatenate f2 f3");
  }

  @Test
  void minorCompactionIsBoundedByNumberOfFiles() {
    assertThat(unaware("compaction.file-num-limit", "6").minor(files(20, 1)))
        .containsExactly("L0 concatenate f0 f1 f10 f11 f12 f13");
  }

  @Test
  void fullCompactionPutsAnyTwoSmallFilesTogether() {
    assertThat(unaware().full(files(2, 1))).containsExactly("L0 concatenate f0 f1");
    assertThat(unaware().full(files(1, 1))).isEmpty();
    assertThat(unaware().full()).isEmpty();
  }

  @Test
  void binsOfAFullCompactionLeaveNothingSmall() {
    List<String> steps = unaware().full(files(13, 300));
    assertThat(steps)
        .as("9 x 300 is two files of 1000 and one of 700; the rest is the last bin")
        .containsExactly(
            "L0 concatenate f0 f1 f10 f11 f12 f2 f3 f4 f5", "L0 concatenate f6 f7 f8 f9");
  }

  @Test
  void muchDeletedFilesAreRewrittenByIndexFile() {
    PlannedTable table =
        unaware()
            .vector("i", "f0", 21L)
            .vector("i", "f1", 20L)
            .vector("j", "f2", null)
            .vector("i", "f3", 50L);
    assertThat(table.minor(files(9, 900)))
        .containsExactly("L0 concatenate f0 f3", "L0 concatenate f2");
    assertThat(table.minor(file("f1", 1), file("x", 1)))
        .as("a small file with a vector is not left alone")
        .containsExactly("L0 concatenate f1");
  }

  @Test
  void fullCompactionMaterialisesEveryVector() {
    assertThat(unaware().vector("i", "f1", 1L).full(files(3, 900)))
        .containsExactly("L0 concatenate f1");
    assertThat(unaware("compaction.force-rewrite-all-files", "true").full(files(1, 900)))
        .containsExactly("L0 concatenate f0");
  }

  @Test
  void rowsKeepTheOrderOfWritingInsideABin() {
    PlannedTable table = unaware();
    CompactionPlan plan =
        table
            .planner()
            .full(
                table.bucket(
                    DataFiles.named("b").size(1).sequence(7, 9).build(),
                    DataFiles.named("a").size(2).sequence(3, 6).build()))
            .orElseThrow();
    Concatenate step = (Concatenate) plan.steps().get(0);
    assertThat(step.inputs()).extracting(input -> input.file().name()).containsExactly("a", "b");
    assertThat(step.inputs()).extracting(CompactionInput::runRank).containsExactly(0, 1);
    assertThat(step.firstSequenceNumber()).isEqualTo(3);
    assertThat(plan.outputLevel()).isZero();
  }

  @Test
  void writersLeaveTablesWithoutBucketsAlone() {
    PlannedTable table = unaware();
    assertThat(table.planner().afterWrite(table.bucket(files(50, 1)))).isEmpty();
  }
}
