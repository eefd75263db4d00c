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

package io.keylake.table.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.expiry.HistoryFixture.Extra;
import io.keylake.table.fence.EarlierCommits;
import io.keylake.table.fence.EarlierCommits.Answer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Commits that are numbered, before and after their snapshots have expired. */
final class FencesTest {
  private HistoryFixture table = HistoryFixture.create(Map.of());
  private int minute;
  private int names;

  /** The time of the newest commit. */
  private long now() {
    return HistoryFixture.NOW + Duration.ofMinutes(minute).toMillis();
  }

  private CommitResult commit(String user, long identifier, DataFile file) {
    minute++;
    Clock clock = Clock.fixed(Instant.ofEpochMilli(now()), ZoneOffset.UTC);
    CommitEnvironment environment =
        new CommitEnvironment(clock, () -> "fenced" + names++, new Random(7), pause -> {});
    BucketChange change =
        new BucketChange(
            table.partition("a"), 0, -1, FileChanges.added(List.of(file)), FileChanges.NONE);
    return new TableCommitter(
            new CommitTable(table.storage(), table.schema, table.options()), environment)
        .commit(
            identifier == Snapshot.BATCH_IDENTIFIER
                ? CommitRequest.batch(user, List.of(change))
                : CommitRequest.numbered(user, identifier, List.of(change)));
  }

  private CommitResult commit(String user, long identifier) {
    return commit(user, identifier, table.newFile("a", "data", Extra.NONE));
  }

  private void others(int count) {
    for (int i = 0; i < count; i++) {
      commit("other" + names++, Snapshot.BATCH_IDENTIFIER);
    }
  }

  private void expireTo(int kept) {
    Expired unused =
        new SnapshotExpiry(table.history(table.storage())).run(HistoryFixture.keep(kept));
  }

  /** Another engine's expiry, which knows nothing of fences. */
  private void expireElsewhere(int kept) {
    TableStorage storage = table.storage();
    List<Long> ids = storage.snapshots().ids();
    ids.subList(0, ids.size() - kept).forEach(storage.snapshots()::delete);
    storage.snapshots().writeEarliestHint(ids.get(ids.size() - kept));
  }

  private Answer ask(String user, long identifier, @Nullable Long since) {
    return new EarlierCommits(table.storage()).ask(user, identifier, since);
  }

  private long snapshots() {
    return table.storage().snapshots().latestId().orElse(0);
  }

  @Test
  void commitIsKnownWithItsSnapshotAndWithout() {
    long before = now();
    commit("stream", 3);
    assertThat(ask("stream", 3, before)).isEqualTo(Answer.HAPPENED);
    assertThat(ask("stream", 2, before)).isEqualTo(Answer.HAPPENED);
    assertThat(ask("stream", 4, before)).isEqualTo(Answer.NOT_YET);
    others(3);
    expireTo(1);
    assertThat(table.storage().snapshots().ids()).hasSize(1);
    assertThat(ask("stream", 3, before)).isEqualTo(Answer.HAPPENED);
    assertThat(ask("stream", 4, before)).isEqualTo(Answer.NOT_YET);
    assertThat(ask("stream", 4, null)).isEqualTo(Answer.NOT_YET);
    assertThat(ask("unknown", 0, before)).isEqualTo(Answer.NOT_YET);
  }

  @Test
  void repetitionIsNotAppliedAndItsFilesAreDeleted() {
    commit("stream", 3);
    others(2);
    for (boolean expired : new boolean[] {false, true}) {
      DataFile again = table.newFile("a", "data", Extra.NONE);
      long latest = snapshots();
      commit("stream", 3, again);
      commit("stream", 2);
      assertThat(snapshots()).isEqualTo(latest);
      assertThat(table.io.exists(table.addresses().dataFile(table.partition("a"), 0, again)))
          .isFalse();
      if (!expired) {
        expireTo(1);
      }
    }
    commit("stream", 4);
    assertThat(ask("stream", 4, null)).isEqualTo(Answer.HAPPENED);
    assertThat(new Reachability(table).broken()).isEmpty();
  }

  @Test
  void newestFenceOfAUserIsKeptOnly() {
    for (int epoch = 0; epoch < 4; epoch++) {
      commit("stream", epoch);
      commit("second", 2L * epoch);
      expireTo(1);
    }
    others(1);
    expireTo(1);
    assertThat(fences()).hasSize(3);
    assertThat(ask("stream", 3, null)).isEqualTo(Answer.HAPPENED);
    assertThat(ask("second", 6, null)).isEqualTo(Answer.HAPPENED);
  }

  private List<String> fences() {
    return table.io.list(HistoryFixture.ROOT.child("fence")).stream()
        .map(file -> file.location().name())
        .toList();
  }

  @Test
  void whatOthersHaveExpiredIsUnknown() {
    long planned = now();
    commit("stream", 3);
    others(3);
    expireElsewhere(1);
    assertThat(ask("stream", 3, planned)).isEqualTo(Answer.UNKNOWN);
    assertThat(ask("stream", 3, null)).isEqualTo(Answer.UNKNOWN);
    assertThat(ask("stream", 3, now())).isEqualTo(Answer.NOT_YET);
    assertThat(ask("new", 0, null)).isEqualTo(Answer.NOT_YET);
    others(2);
    expireTo(1);
    assertThat(ask("stream", 3, planned)).isEqualTo(Answer.UNKNOWN);
    assertThat(ask("stream", 3, now())).isEqualTo(Answer.NOT_YET);
  }

  @Test
  void numberAfterAKnownOneIsUnknownWhenOthersHaveExpiredMeanwhile() {
    commit("job", 1);
    others(1);
    expireTo(1);
    assertThat(ask("job", 2, null)).isEqualTo(Answer.NOT_YET);
    commit("job", 2);
    others(1);
    expireElsewhere(1);
    assertThat(ask("job", 1, null)).isEqualTo(Answer.HAPPENED);
    assertThat(ask("job", 2, null)).isEqualTo(Answer.UNKNOWN);
  }

  @Test
  void tableThatNeverFencedIsNotInDoubt() {
    others(3);
    expireElsewhere(1);
    assertThat(ask("job", 8, null)).isEqualTo(Answer.NOT_YET);
    commit("job", 8);
    assertThat(ask("job", 9, null)).isEqualTo(Answer.NOT_YET);
  }

  @Test
  void idleFencesAgeOut() {
    table = HistoryFixture.create(Map.of("commit.fence-time-retained", "10 min"));
    long planned = now();
    commit("idle", 1);
    commit("busy", 1);
    others(1);
    expireTo(1);
    assertThat(fences()).hasSize(3);
    minute += 20;
    commit("busy", 2);
    others(1);
    expireTo(1);
    assertThat(fences()).hasSize(2);
    assertThat(ask("busy", 2, now())).isEqualTo(Answer.HAPPENED);
    assertThat(ask("idle", 1, planned)).isEqualTo(Answer.UNKNOWN);
    assertThat(ask("idle", 2, now())).isEqualTo(Answer.NOT_YET);
  }
}
