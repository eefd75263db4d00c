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
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.golden.DataFiles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files are named by their place and given by their sizes; target 1000 bytes, small below 700. */
final class OrderedAppendCompactionTest {
  private static DataFile[] files(long... sizes) {
    List<DataFile> files = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      files.add(
          DataFiles.named("f" + i)
              .size(sizes[i])
              .rows(100)
              .sequence(i * 100L, i * 100L + 99)
              .build());
    }
    Collections.reverse(files);
    return files.toArray(DataFile[]::new);
  }

  @Test
  void fiveNeighboursAreWrittenTogether() {
    assertThat(bucketed().minor(files(1, 1, 1, 1))).isEmpty();
    assertThat(bucketed().minor(files(1, 1, 1, 1, 1, 1)))
        .containsExactly("L0 concatenate f0 f1 f2 f3 f4");
  }

  @Test
  void windowMovesPastLargeFiles() {
    assertThat(bucketed().minor(files(1000, 1000, 1, 1, 1, 1)))
        .containsExactly("L0 concatenate f1 f2 f3 f4 f5");
    assertThat(bucketed().minor(files(1999, 2000, 1, 1, 1, 1)))
        .as("the second alone is twice the target, so it goes, too")
        .isEmpty();
    assertThat(bucketed("compaction.min.file-num", "2").minor(files(1000, 1000)))
        .containsExactly("L0 concatenate f0 f1");
  }

  @Test
  void muchDeletedFilesAreRewrittenWhereTheyAre() {
    assertThat(bucketed().vector("i", "f1", 21L).vector("i", "f2", 20L).minor(files(9, 9, 9)))
        .containsExactly("L0 concatenate f1");
    assertThat(bucketed().vector("i", "f1", 50L).minor(files(1, 1, 1, 1, 1)))
        .as("already in the window")
        .containsExactly("L0 concatenate f0 f1 f2 f3 f4");
  }

  @Test
  void fullCompactionKeepsLargeFilesAtTheStart() {
    assertThat(bucketed().full(files(900, 900, 1, 1))).containsExactly("L0 concatenate f2 f3");
    assertThat(bucketed().full(files(900, 900))).isEmpty();
    assertThat(bucketed().full(files(1))).isEmpty();
  }

  @Test
  void restIsRewrittenWhenMostOfItIsSmall() {
    assertThat(bucketed().full(files(900, 1, 900, 1))).containsExactly("L0 concatenate f1 f2 f3");
    assertThat(bucketed().full(files(1, 900, 900, 1, 1)))
        .containsExactly("L0 concatenate f0 f1 f2 f3 f4");
    assertThat(bucketed().full(files(1, 900, 900, 900, 1, 1)))
        .as("small neighbours only")
        .containsExactly("L0 concatenate f4 f5");
    assertThat(bucketed().full(files(1, 900, 1, 900))).as("none next to each other").isEmpty();
  }

  @Test
  void fullCompactionMaterialisesEveryVector() {
    assertThat(bucketed().vector("i", "f1", 1L).full(files(900, 900, 900, 900)))
        .containsExactly("L0 concatenate f1");
  }

  @Test
  void longRowsOfSmallFilesAreWrittenInSeveralSteps() {
    long[] sizes = new long[13];
    java.util.Arrays.fill(sizes, 300);
    assertThat(bucketed().full(files(sizes)))
        .containsExactly(
            "L0 concatenate f0 f1 f2 f3 f4 f5 f6 f7 f8", "L0 concatenate f9 f10 f11 f12");
  }

  @Test
  void unorderedBucketsPutAnyFilesTogether() {
    PlannedTable table = bucketed("bucket-append-ordered", "false");
    assertThat(table.minor(files(1, 900, 1, 900, 1, 1, 1)))
        .containsExactly("L0 concatenate f0 f2 f4 f5 f6");
  }

  @Test
  void writersCompactBuckets() {
    PlannedTable table = bucketed();
    assertThat(table.planner().afterWrite(table.bucket(files(1, 1, 1, 1, 1)))).isPresent();
    assertThat(table.planner().afterWrite(table.bucket(files(1, 1)))).isEmpty();
    PlannedTable writeOnly = bucketed("write-only", "true");
    assertThat(writeOnly.planner().afterWrite(writeOnly.bucket(files(1, 1, 1, 1, 1)))).isEmpty();
  }
}
