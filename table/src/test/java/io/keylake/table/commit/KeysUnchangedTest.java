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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits of rows that were computed from rows of the same keys. */
final class KeysUnchangedTest {
  @TempDir Path folder;
  private CommitFixture table;

  @BeforeEach
  void create() {
    table = CommitFixture.keyed(folder, Map.of());
  }

  private void commit(String user, @Nullable Snapshot base, BucketChange change) {
    table
        .committer()
        .commit(
            CommitRequest.batch(user, List.of(change))
                .basedOn(base)
                .withChecks(Set.of(CommitRequest.Check.KEYS_UNCHANGED)));
  }

  private void refused(@Nullable Snapshot base, BucketChange change) {
    long before = table.latest().id();
    assertThatThrownBy(() -> commit("mine", base, change))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("after the statement had read their rows");
    assertThat(table.latest().id()).isEqualTo(before);
  }

  @Test
  void rowsOfTheSameKeysThatAnotherCommitAddedAreAConflict() {
    commit("first", null, added("a", file("f1", 1, 9, 0)));
    Snapshot base = table.latest();
    commit("other", base, added("a", file("f2", 5, 5, 9)));
    refused(base, added("a", file("mine", 3, 7, 20)));
  }

  @Test
  void rowsOfOtherKeysAndOfOtherPartitionsAreNone() {
    commit("first", null, added("a", file("f1", 1, 9, 0)));
    Snapshot base = table.latest();
    commit("other", base, added("a", file("f2", 20, 29, 9)));
    commit("more", base, added("b", file("f3", 1, 9, 0)));
    commit("mine", base, added("a", file("mine", 3, 7, 20)));
    assertThat(table.liveNames()).contains("mine@0");
  }

  @Test
  void aTableThatWasEmptyIsCheckedFromItsFirstSnapshot() {
    commit("other", null, added("a", file("f1", 1, 9, 0)));
    refused(null, added("a", file("mine", 3, 7, 0)));
  }

  @Test
  void compactionsDoNotChangeRows() {
    commit("first", null, added("a", file("f1", 1, 9, 0)));
    Snapshot base = table.latest();
    commit(
        "compaction",
        base,
        change(
            "a",
            changes(List.of(), List.of()),
            changes(List.of(file("f1", 1, 9, 0).withLevel(5)), List.of(file("f1", 1, 9, 0)))));
    commit("mine", base, added("a", file("mine", 3, 7, 20)));
    assertThat(table.liveNames()).contains("mine@0");
  }

  /** Files of a top level that were made of f1 and of an override of key 5. */
  private static BucketChange rewritten() {
    DataFile merged = file("merged", 1, 99, 0).withLevel(5);
    return change(
        "a",
        changes(List.of(merged), List.of(file("f1", 1, 99, 0))),
        changes(List.of(), List.of()));
  }

  private void rewrite(Snapshot base, int key) {
    CommitRequest.KeyGuard guard =
        CommitRequest.KeyGuard.of(rewritten(), file("override", key, key, 100));
    CommitRequest request =
        CommitRequest.batch("mine", List.of(rewritten()))
            .basedOn(base)
            .withChecks(Set.of(CommitRequest.Check.KEYS_UNCHANGED))
            .guarding(List.of(guard));
    table.committer().commit(request);
  }

  @Test
  void filesOfHigherLevelsMayMeetKeysThatOthersWrote() {
    commit("first", null, added("a", file("f1", 1, 99, 0)));
    Snapshot base = table.latest();
    commit("other", base, added("a", file("f2", 20, 29, 100)));
    rewrite(base, 5);
    assertThat(table.liveNames()).containsExactly("f2@0", "merged@5");
    assertThat(table.latest().commitKind()).isEqualTo(CommitKind.OVERWRITE);
  }

  @Test
  void guardedKeysThatAnotherCommitWroteAreAConflict() {
    commit("first", null, added("a", file("f1", 1, 99, 0)));
    Snapshot base = table.latest();
    commit("other", base, added("a", file("f2", 20, 29, 100)));
    assertThatThrownBy(() -> rewrite(base, 25))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("after the statement had read their rows");
    assertThat(table.liveNames()).containsExactly("f1@0", "f2@0");
  }

  @Test
  void guardedKeysOfAPartitionWithoutChangesAreLookedAt() {
    commit("first", null, added("b", file("f1", 1, 9, 0)));
    Snapshot base = table.latest();
    commit("other", base, added("b", file("f2", 5, 5, 9)));
    CommitRequest.KeyGuard guard =
        CommitRequest.KeyGuard.of(added("b", file("f1", 1, 9, 0)), file("override", 5, 5, 9));
    CommitRequest request =
        CommitRequest.batch("mine", List.of(added("a", file("mine", 3, 7, 20))))
            .basedOn(base)
            .withChecks(Set.of(CommitRequest.Check.KEYS_UNCHANGED))
            .guarding(List.of(guard));
    assertThatThrownBy(() -> table.committer().checkKeys(request, table.latest()))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("after the statement had read their rows");
    assertThatThrownBy(() -> table.committer().commit(request))
        .isInstanceOf(CommitConflictException.class);
  }

  @Test
  void aRewriteOfFilesThatACompactionTookIsAConflict() {
    commit("first", null, added("a", file("f1", 1, 99, 0)));
    Snapshot base = table.latest();
    commit(
        "compaction",
        base,
        change(
            "a",
            changes(List.of(), List.of()),
            changes(List.of(file("f1", 1, 99, 0).withLevel(5)), List.of(file("f1", 1, 99, 0)))));
    assertThatThrownBy(() -> rewrite(base, 5))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("was removed by another commit");
  }
}
