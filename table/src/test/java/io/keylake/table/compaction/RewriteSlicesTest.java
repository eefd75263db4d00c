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
import io.keylake.table.lsm.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Files have 1000 bytes unless they say otherwise. */
final class RewriteSlicesTest {
  private static List<String> slices(long targetBytes, PlannedTable table, DataFile... files) {
    CompactionPlan plan = table.planner().minor(table.bucket(files)).orElseThrow();
    CompactionPlan sliced = new RewriteSlices(table.schema(), targetBytes).of(plan);
    List<String> texts = PlannedTable.text(sliced);
    List<String> slices = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      slices.add(
          sliced.steps().get(i) instanceof Rewrite rewrite
              ? texts.get(i) + range(rewrite.keys())
              : texts.get(i));
    }
    return slices;
  }

  private static PlannedTable forced(String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "compaction.force-up-level-0";
    all[1] = "true";
    System.arraycopy(options, 0, all, 2, options.length);
    return keyed(all);
  }

  private static String range(KeyRange range) {
    return " [" + text(range.from()) + "," + text(range.to()) + ")";
  }

  private static String text(@Nullable BinaryRow key) {
    if (key == null) {
      return "";
    }
    for (int value = 0; value < 1000; value++) {
      if (key(value).equals(key)) {
        return String.valueOf(value);
      }
    }
    throw new AssertionError("no key of the test: " + key);
  }

  @Test
  void longestRunGivesTheBorders() {
    assertThat(
            slices(
                1000,
                forced(),
                file("new", 0, 5, 25).size(3000).build(),
                file("a", 5, 1, 10).build(),
                file("b", 5, 11, 20).build(),
                file("c", 5, 21, 30).build()))
        .containsExactly(
            "L5 rewrite a new drop [,11)",
            "L5 rewrite new b drop [11,21)",
            "L5 rewrite new c drop [21,)");
  }

  @Test
  void smallRewritesStayWhole() {
    assertThat(slices(3000, forced(), file("new", 0, 5, 25).build(), file("a", 5, 1, 10).build()))
        .containsExactly("L5 rewrite a new drop [,)");
  }

  @Test
  void runsOfASingleFileStayWhole() {
    assertThat(slices(1, forced(), file("new", 0, 5, 25).build(), file("a", 5, 1, 10).build()))
        .as("the only border is within reach of both files")
        .containsExactly("L5 rewrite a new drop [,)");
  }

  @Test
  void sectionsAreBordersToo() {
    DataFile a = file("a", 0, 1, 4).sequence(9, 9).build();
    DataFile b = file("b", 0, 2, 5).sequence(8, 8).build();
    DataFile c = file("c", 0, 6, 8).sequence(7, 7).build();
    DataFile d = file("d", 0, 7, 9).sequence(6, 6).build();
    assertThat(slices(2000, forced(), a, b, c, d))
        .containsExactly("L5 rewrite a b drop [,6)", "L5 rewrite c d drop [6,)");
  }

  @Test
  void filesAboveGoToTheSlicesThatTheyMeet() {
    assertThat(
            slices(
                1000,
                keyed("deletion-vectors.enabled", "true"),
                file("new", 0, 1, 30).size(2000).build(),
                file("a", 4, 1, 10).build(),
                file("b", 4, 11, 20).build(),
                file("left", 5, 0, 10).size(9000).build(),
                file("right", 5, 11, 40).size(9000).build()))
        .containsExactly(
            "L4 rewrite a new drop above left [,11)", "L4 rewrite new b drop above right [11,)");
  }

  @Test
  void movedFilesStayWhole() {
    assertThat(slices(1, forced(), file("new", 0, 5, 25).build()))
        .containsExactly("L5 upgrade new");
  }
}
