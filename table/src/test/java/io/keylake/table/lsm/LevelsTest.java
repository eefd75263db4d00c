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

package io.keylake.table.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.golden.DataFiles;
import io.keylake.table.lsm.Sections.RankedFile;
import io.keylake.table.lsm.Sections.Section;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LevelsTest {
  private static final RowType KEY =
      RowType.of(List.of(DataField.of(0, "k", DataTypes.INT.asNotNull())));
  private static final BinaryRowCodec CODEC = BinaryRowCodec.of(KEY);
  private static final KeyComparator KEYS = KeyComparator.of(KEY);

  private static BinaryRow key(int value) {
    return CODEC.encode(List.of(value));
  }

  private static DataFiles file(String name, int min, int max) {
    return DataFiles.named(name).keys(key(min), key(max));
  }

  private static List<List<String>> names(List<SortedRun> runs) {
    return runs.stream().map(run -> run.files().stream().map(DataFile::name).toList()).toList();
  }

  private static List<List<String>> sections(DataFile... files) {
    return Sections.of(Levels.of(List.of(files), KEYS), KEYS).stream()
        .map(section -> section.files().stream().map(file -> file.file().name()).toList())
        .toList();
  }

  @Test
  void levelZeroIsOrderedFromNewToOld() {
    Levels levels =
        Levels.of(
            List.of(
                file("old", 1, 9).sequence(0, 5).build(),
                file("b", 1, 9).sequence(6, 9).build(),
                file("wide", 1, 9).sequence(2, 9).build(),
                file("a", 1, 9).sequence(6, 9).build()),
            KEYS);

    assertThat(names(levels.runs()))
        .containsExactly(List.of("wide"), List.of("a"), List.of("b"), List.of("old"));
    assertThat(levels.highestLevel()).isZero();
  }

  @Test
  void higherLevelsAreOneRunEachOrderedByKey() {
    Levels levels =
        Levels.of(
            List.of(
                file("f5b", 6, 9).level(5).build(),
                file("f1", 0, 9).level(1).build(),
                file("f5a", 1, 5).level(5).build(),
                file("f0", 0, 9).build()),
            KEYS);

    assertThat(names(levels.runs()))
        .containsExactly(List.of("f0"), List.of("f1"), List.of("f5a", "f5b"));
    assertThat(levels.runs()).extracting(SortedRun::level).containsExactly(0, 1, 5);
    assertThat(levels.highestLevel()).isEqualTo(5);
  }

  @Test
  void overlappingFilesOfOneLevelAreKeptApart() {
    Levels levels =
        Levels.of(
            List.of(
                file("a", 1, 5).level(3).build(),
                file("b", 5, 9).level(3).build(),
                file("c", 6, 7).level(3).build()),
            KEYS);

    assertThat(names(levels.runs())).containsExactly(List.of("a", "c"), List.of("b"));
  }

  @Test
  void sectionsEndWhereNoKeyRangeCrosses() {
    assertThat(sections(file("a", 1, 5).build(), file("b", 3, 8).build(), file("c", 9, 9).build()))
        .containsExactly(List.of("a", "b"), List.of("c"));
    assertThat(sections(file("a", 1, 5).build(), file("b", 5, 8).build()))
        .containsExactly(List.of("a", "b"));
    assertThat(sections(file("a", 1, 20).build(), file("b", 2, 3).build(), file("c", 9, 9).build()))
        .containsExactly(List.of("a", "b", "c"));
    assertThat(sections()).isEmpty();
  }

  @Test
  void aSectionKnowsTheAgeOfItsRuns() {
    List<Section> sections =
        Sections.of(
            Levels.of(
                List.of(
                    file("old", 1, 5).level(5).build(),
                    file("new", 2, 3).build(),
                    file("far", 7, 8).level(5).build()),
                KEYS),
            KEYS);

    assertThat(sections).hasSize(2);
    assertThat(sections.get(0).files()).extracting(RankedFile::runRank).containsExactly(1, 0);
    assertThat(sections.get(0).isSingleRun()).isFalse();
    assertThat(sections.get(1).isSingleRun()).isTrue();
  }
}
