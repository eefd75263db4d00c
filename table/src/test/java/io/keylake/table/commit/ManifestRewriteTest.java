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

package io.keylake.table.commit;

import static io.keylake.table.commit.CommitFixture.added;
import static io.keylake.table.commit.CommitFixture.change;
import static io.keylake.table.commit.CommitFixture.changes;
import static io.keylake.table.commit.CommitFixture.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestRewriteTest {
  @TempDir Path folder;

  private static void append(CommitFixture table, int from, int to) {
    for (int i = from; i < to; i++) {
      table
          .committer()
          .commit(CommitRequest.batch("u" + i, List.of(added("p" + i, file("f" + i, 1, 2, 0)))));
    }
  }

  private static List<ManifestFile> base(CommitFixture table) {
    return table.storage().baseManifests(table.latest());
  }

  @Test
  void fewSmallManifestsAreLeftAlone() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of("manifest.merge-min-count", "4"));
    append(table, 0, 4);
    assertThat(base(table)).hasSize(3);
    assertThat(base(table)).allMatch(manifest -> manifest.addedFiles() == 1);
  }

  @Test
  void enoughSmallManifestsAreMerged() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of("manifest.merge-min-count", "4"));
    append(table, 0, 5);
    assertThat(base(table)).singleElement().extracting(ManifestFile::addedFiles).isEqualTo(4L);
    assertThat(table.liveNames()).hasSize(5);
    append(table, 5, 7);
    assertThat(base(table)).hasSize(3);
    append(table, 7, 8);
    assertThat(base(table)).singleElement().extracting(ManifestFile::addedFiles).isEqualTo(7L);
    assertThat(table.liveNames()).hasSize(8);
  }

  @Test
  void groupsOfTheTargetSizeAreMergedInOrder() {
    CommitFixture table =
        CommitFixture.keyed(
            folder, Map.of("manifest.merge-min-count", "100", "manifest.target-file-size", "3 kb"));
    append(table, 0, 9);
    assertThat(base(table).size()).isLessThan(8);
    assertThat(table.liveNames()).hasSize(9);
    assertThat(table.latest().totalRecordCount()).isEqualTo(18);
  }

  @Test
  void removedFilesVanishWhenEverythingIsRewritten() {
    CommitFixture table =
        CommitFixture.keyed(
            folder,
            Map.of(
                "manifest.merge-min-count", "100",
                "manifest.full-compaction-threshold-size", "1 b"));
    append(table, 0, 3);
    table
        .committer()
        .commit(
            CommitRequest.batch(
                "c",
                List.of(
                    change(
                        "p0",
                        FileChanges.NONE,
                        changes(
                            List.of(file("c0", 1, 2, 0).withLevel(5)),
                            List.of(file("f0", 1, 2, 0)))))));
    Snapshot compacted = table.latest();
    append(table, 3, 4);
    assertThat(base(table)).allMatch(manifest -> manifest.deletedFiles() == 0);
    assertThat(base(table).stream().mapToLong(ManifestFile::addedFiles).sum()).isEqualTo(3);
    assertThat(table.liveNames()).containsExactly("c0@5", "f1@0", "f2@0", "f3@0");
    assertThat(table.live(compacted)).as("the version before is readable still").hasSize(3);
  }

  @Test
  void removalStaysWhileItsFileIsInAnEarlierManifest() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of("manifest.merge-min-count", "2"));
    append(table, 0, 1);
    table
        .committer()
        .commit(
            CommitRequest.batch("o", List.of())
                .overwriting(OverwriteScope.partitions(List.of(CommitFixture.partition("p0")))));
    assertThat(table.storage().deltaManifests(table.latest()))
        .singleElement()
        .extracting(ManifestFile::deletedFiles)
        .isEqualTo(1L);
    append(table, 1, 2);
    assertThat(base(table)).as("a group without entries leaves no manifest").isEmpty();
    assertThat(table.liveNames()).containsExactly("f1@0");
    assertThat(table.latest().totalRecordCount()).isEqualTo(2);
  }
}
