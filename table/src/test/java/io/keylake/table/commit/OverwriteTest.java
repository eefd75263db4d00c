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
import static io.keylake.table.commit.CommitFixture.file;
import static io.keylake.table.commit.CommitFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.golden.DataFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OverwriteTest {
  @TempDir Path folder;

  private CommitFixture filled(Map<String, String> options) {
    CommitFixture table = CommitFixture.keyed(folder, options);
    table
        .committer()
        .commit(
            CommitRequest.batch(
                "before",
                List.of(added("a", file("a1", 1, 4, 0)), added("b", file("b1", 1, 4, 0)))));
    return table;
  }

  private static void overwrite(
      CommitFixture table, OverwriteScope scope, BucketChange... changes) {
    table.committer().commit(CommitRequest.batch("overwrite", List.of(changes)).overwriting(scope));
  }

  @Test
  void writtenPartitionsAreReplacedAndOthersStay() {
    CommitFixture table = filled(Map.of());
    overwrite(table, new OverwriteScope.WrittenPartitions(), added("a", file("a2", 1, 2, 0)));
    assertThat(table.liveNames()).containsExactly("a2@5", "b1@0");
    Snapshot snapshot = table.latest();
    assertThat(snapshot.commitKind()).isEqualTo(CommitKind.OVERWRITE);
    assertThat(snapshot.deltaRecordCount()).isEqualTo(-2);
    assertThat(snapshot.totalRecordCount()).isEqualTo(6);
    List<ManifestEntry> delta =
        table
            .storage()
            .manifests()
            .entries(
                table.storage().deltaManifests(snapshot).get(0),
                StatsProjection.KEEP,
                EntryFilter.ALL);
    assertThat(delta)
        .extracting(ManifestEntry::kind)
        .containsExactly(EntryKind.DELETE, EntryKind.ADD);
  }

  @Test
  void overwriteOfWrittenPartitionsWithoutRowsDoesNothing() {
    CommitFixture table = filled(Map.of());
    overwrite(table, new OverwriteScope.WrittenPartitions());
    assertThat(table.latest().id()).isEqualTo(1);
  }

  @Test
  void wholeTableIsReplacedOrEmptied() {
    CommitFixture table = filled(Map.of());
    overwrite(table, new OverwriteScope.WholeTable(), added("c", file("c1", 1, 2, 0)));
    assertThat(table.liveNames()).containsExactly("c1@5");
    table
        .committer()
        .commit(
            CommitRequest.batch("truncate", List.of())
                .overwriting(new OverwriteScope.WholeTable()));
    assertThat(table.liveNames()).isEmpty();
    assertThat(table.latest().totalRecordCount()).isZero();
  }

  @Test
  void selectedPartitionsAreReplacedAndRowsOfOthersRefused() {
    CommitFixture table = filled(Map.of());
    OverwriteScope scope =
        OverwriteScope.partitionsWith(table.schema.partitionType(), Map.of("p", "a"));
    assertThatThrownBy(() -> overwrite(table, scope, added("b", file("x", 1, 2, 0))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("p=b", "{p=a}");
    overwrite(table, scope);
    assertThat(table.liveNames()).containsExactly("b1@0");
  }

  @Test
  void filesThatOthersAddMeanwhileAreReplacedToo() {
    CommitFixture table = filled(Map.of());
    AtomicBoolean happened = new AtomicBoolean();
    BucketChange change = added("a", file("late", 5, 6, 4));
    PublishingFileIO late =
        PublishingFileIO.after(
            () -> {
              if (happened.compareAndSet(false, true)) {
                table.committer().commit(CommitRequest.batch("other", List.of(change)));
              }
            });
    table
        .committer(late, null)
        .commit(
            CommitRequest.batch("overwrite", List.of(added("a", file("a2", 1, 2, 0))))
                .overwriting(new OverwriteScope.WrittenPartitions()));
    assertThat(table.latest().id()).isEqualTo(3);
    assertThat(table.liveNames()).containsExactly("a2@5", "b1@0");
  }

  @Test
  void overlappingOrDeletingFilesStayOnLevelZero() {
    CommitFixture table = filled(Map.of());
    DataFile deletes =
        DataFiles.named("d")
            .rows(1)
            .keys(CommitFixture.key(1), CommitFixture.key(1))
            .deletes(1L)
            .build();
    overwrite(
        table,
        new OverwriteScope.WholeTable(),
        added("a", file("x1", 1, 5, 0), file("x2", 5, 9, 5)),
        added("b", file("y1", 1, 5, 0), file("y2", 6, 9, 5)),
        added("c", deletes));
    assertThat(table.liveNames()).containsExactly("d@0", "x1@0", "x2@0", "y1@5", "y2@5");
  }

  @Test
  void optionsDecideWhetherAndWhereFilesRise() {
    CommitFixture off = filled(Map.of("overwrite-upgrade", "false"));
    overwrite(off, new OverwriteScope.WholeTable(), added("a", file("x", 1, 5, 0)));
    assertThat(off.liveNames()).containsExactly("x@0");
  }

  @Test
  void topLevelFollowsTheNumberOfLevels() {
    CommitFixture table = filled(Map.of("num-levels", "3"));
    overwrite(table, new OverwriteScope.WholeTable(), added("a", file("x", 1, 5, 0)));
    assertThat(table.liveNames()).containsExactly("x@2");
  }

  @Test
  void partitionsAreFoundByExactValues() {
    CommitFixture table = filled(Map.of());
    overwrite(table, OverwriteScope.partitions(List.of(partition("b"))));
    assertThat(table.liveNames()).containsExactly("a1@0");
  }
}
