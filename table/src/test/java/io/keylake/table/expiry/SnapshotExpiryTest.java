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
import io.keylake.format.snapshot.Tag;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.expiry.HistoryFixture.Extra;
import io.keylake.table.maintenance.Branches;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SnapshotExpiryTest {
  private static final Instant START = Instant.ofEpochMilli(HistoryFixture.NOW);

  private HistoryFixture table = HistoryFixture.create(Map.of());

  /** One snapshot a minute. */
  private void commits(int count) {
    for (int i = 1; i <= count; i++) {
      Clock clock = Clock.fixed(START.plus(Duration.ofMinutes(i)), ZoneOffset.UTC);
      table.commit(
          table.storage(),
          clock,
          "a",
          FileChanges.added(List.of(table.newFile("a", "data", Extra.NONE))));
    }
  }

  private List<Long> idsAfter(ExpiryRequest request) {
    SnapshotExpiry expiry = new SnapshotExpiry(table.history(table.storage()));
    long counted = expiry.count(request);
    Expired expired = expiry.run(request);
    assertThat(expired.versions()).isEqualTo(counted);
    assertThat(new Reachability(table).broken()).isEmpty();
    return table.storage().snapshots().ids();
  }

  private static ExpiryRequest request(int min, int max, int olderThanMinute, long limit) {
    return new ExpiryRequest(min, max, START.plus(Duration.ofMinutes(olderThanMinute)), limit);
  }

  @Test
  void whatIsBeyondTheMaximumExpiresWhateverItsAge() {
    commits(6);
    assertThat(idsAfter(request(1, 4, 0, 100))).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void whatIsOlderExpiresBetweenMinimumAndMaximum() {
    commits(6);
    assertThat(idsAfter(request(1, 100, 3, 100))).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void theMinimumStaysWhateverItsAge() {
    commits(6);
    assertThat(idsAfter(request(2, 100, 60, 100))).containsExactly(5L, 6L);
  }

  @Test
  void noMoreThanTheLimitExpires() {
    commits(6);
    assertThat(idsAfter(request(1, 1, 60, 2))).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void consumerHoldsBackWhatItStillReads() {
    commits(6);
    table.storage().consumers().write("c", 3);
    assertThat(idsAfter(request(1, 1, 60, 100))).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void consumerOfChangelogsHoldsBackNoSnapshot() {
    table = HistoryFixture.create(Map.of("consumer.changelog-only", "true"));
    commits(6);
    table.storage().consumers().write("c", 3);
    assertThat(idsAfter(request(1, 1, 60, 100))).containsExactly(6L);
  }

  @Test
  void earliestHintFollows() {
    commits(6);
    idsAfter(request(2, 2, 0, 100));
    assertThat(table.io.read(table.storage().layout().snapshotFolder().child("EARLIEST")))
        .asString()
        .isEqualTo("5");
  }

  @Test
  void filesOfATagAndOfABranchStay() {
    TableStorage storage = table.storage();
    DataFile tagged = table.newFile("a", "data", Extra.INDEX);
    Snapshot first = table.commit(storage, "a", FileChanges.added(List.of(tagged)));
    storage.tags().write(new Tag("t", first, null, null));
    new Branches(storage).createFromTag("b", "t");
    DataFile second = table.newFile("a", "data", Extra.NONE);
    table.commit(storage, "a", HistoryFixture.replaced(List.of(tagged), List.of(second)));
    DataFile third = table.newFile("a", "data", Extra.NONE);
    table.commit(storage, "a", HistoryFixture.replaced(List.of(second), List.of(third)));
    idsAfter(request(1, 1, 60, 100));
    storage.tags().delete("t");
    table.append(storage, "b");
    idsAfter(request(1, 1, 60, 100));
    assertThat(table.managedFiles())
        .anyMatch(file -> file.endsWith(tagged.name()))
        .anyMatch(file -> file.endsWith(tagged.name() + ".index"))
        .anyMatch(file -> file.endsWith(third.name()))
        .noneMatch(file -> file.endsWith(second.name()));
  }

  @Test
  void snapshotWhoseManifestIsGoneExpiresAndLeavesItsFiles() {
    TableStorage storage = table.storage();
    DataFile first = table.newFile("a", "data", Extra.NONE);
    table.commit(storage, "a", FileChanges.added(List.of(first)));
    Snapshot second =
        table.commit(
            storage,
            "a",
            HistoryFixture.replaced(
                List.of(first), List.of(table.newFile("a", "data", Extra.NONE))));
    table.append(storage, "a");
    table.io.delete(storage.layout().manifest(second.deltaManifestList()));
    assertThat(idsAfter(request(1, 1, 60, 100))).containsExactly(3L);
    assertThat(table.managedFiles()).anyMatch(file -> file.endsWith(first.name()));
  }

  @Test
  void idsThatAreLeftOutAreNoObstacle() {
    commits(6);
    table.io.delete(table.storage().snapshots().file(3));
    assertThat(idsAfter(request(1, 2, 0, 2))).containsExactly(4L, 5L, 6L);
    assertThat(idsAfter(request(1, 1, 60, 100))).containsExactly(6L);
  }

  @Test
  void emptyFoldersGoWhereTheTableSaysSo() {
    table = HistoryFixture.create(Map.of("snapshot.clean-empty-directories", "true"));
    TableStorage storage = table.storage();
    DataFile first = table.newFile("a", "data", Extra.NONE);
    table.commit(storage, "a", FileChanges.added(List.of(first)));
    table.commit(storage, "a", HistoryFixture.replaced(List.of(first), List.of()));
    idsAfter(request(1, 1, 60, 100));
    assertThat(table.io.exists(HistoryFixture.ROOT.child("p=a"))).isFalse();
  }
}
