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
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.ConsumerStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.expiry.HistoryFixture.Extra;
import io.keylake.table.options.TableOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AutomaticExpiryTest {
  private static final Instant NOW = Instant.parse("2024-03-10T12:00:00Z");

  private static HistoryFixture table(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(Map.of("write-only", "false"));
    all.putAll(options);
    return HistoryFixture.create(all);
  }

  private static Snapshot commit(HistoryFixture table, String partition) {
    return table.commit(
        table.storage(),
        Clock.fixed(NOW, ZoneOffset.UTC),
        partition,
        FileChanges.added(List.of(table.newFile(partition, "data", Extra.NONE))));
  }

  @Test
  void commitExpiresWhatTheOptionsSay() {
    HistoryFixture table =
        table(Map.of("snapshot.num-retained.max", "3", "snapshot.num-retained.min", "1"));
    for (int i = 0; i < 6; i++) {
      commit(table, "a");
    }
    assertThat(table.storage().snapshots().ids()).containsExactly(4L, 5L, 6L);
    assertThat(new Reachability(table).broken()).isEmpty();
  }

  @Test
  void oneCommitExpiresNoMoreThanTheLimit() {
    HistoryFixture table =
        table(
            Map.of(
                "snapshot.num-retained.max",
                "1",
                "snapshot.expire.limit",
                "2",
                "write-only",
                "true"));
    for (int i = 0; i < 6; i++) {
      commit(table, "a");
    }
    assertThat(table.storage().snapshots().ids()).as("write-only").hasSize(6);
    new AutomaticExpiry(
            new HistoryTable(
                table.storage(),
                table.schema,
                TableOptions.of(table.schema, Map.of("write-only", "false"))),
            Clock.fixed(NOW, ZoneOffset.UTC))
        .run(6, partitions -> {});
    assertThat(table.storage().snapshots().ids()).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void failureOfExpiryIsNoFailureOfTheCommit() {
    HistoryFixture table = table(Map.of("snapshot.num-retained.max", "1"));
    commit(table, "a");
    Location tag = table.storage().tags().file("broken");
    table.io.create(tag, new byte[] {'x'});
    assertThat(commit(table, "a").id()).isEqualTo(2);
    assertThat(table.storage().snapshots().ids()).containsExactly(1L, 2L);
  }

  @Test
  void tagsExpireByTheirRetention() {
    HistoryFixture table = table(Map.of());
    Snapshot snapshot = commit(table, "a");
    LocalDateTime local = LocalDateTime.ofInstant(NOW, ZoneId.systemDefault());
    TableStorage storage = table.storage();
    Duration hour = Duration.ofHours(1);
    storage.tags().write(new Tag("old", snapshot, local.minusHours(2), hour));
    storage.tags().write(new Tag("young", snapshot, local.minusMinutes(30), hour));
    storage.tags().write(new Tag("forEver", snapshot, null, null));
    commit(table, "a");
    assertThat(storage.tags().names()).containsExactly("forEver", "young");
    assertThat(new TagExpiry(storage).expired(local, local.minusMinutes(10)))
        .containsExactly("young");
  }

  @Test
  void partitionsExpireByTheirValues() {
    HistoryFixture table =
        table(
            Map.of(
                "partition.expiration-time", "7 d", "partition.expiration-check-interval", "0 ms"));
    commit(table, "2024-03-01");
    assertThat(table.storage().snapshots().latest().orElseThrow().commitKind())
        .isEqualTo(CommitKind.OVERWRITE);
    commit(table, "2024-03-09 10:00:00");
    commit(table, "no date");
    assertThat(PartitionExpiry.existing(table.storage()))
        .containsExactlyInAnyOrder(
            table.partition("2024-03-09 10:00:00"), table.partition("no date"));
  }

  @Test
  void idleConsumersAreForgotten() {
    HistoryFixture table = table(Map.of("consumer.expiration-time", "1 h"));
    table.storage().consumers().write("idle", 1);
    commit(table, "a");
    assertThat(table.storage().consumers().all()).isEmpty();
  }

  @Test
  void consumersThatKilledQueriesLeftAreForgotten() {
    HistoryFixture table = table(Map.of());
    table.storage().consumers().write("kept", 1);
    table.storage().consumers().write(ConsumerStore.TEMPORARY_PREFIX + "1f", 1);
    commit(table, "a");
    assertThat(table.storage().consumers().all()).containsOnlyKeys("kept");
  }

  @Test
  void changelogsExpireByTheirOwnNumbers() {
    HistoryFixture table =
        table(
            Map.of(
                "snapshot.num-retained.max",
                "2",
                "changelog.num-retained.max",
                "4",
                "changelog-producer",
                "input"));
    DataFile unused = table.newFile("a", "changelog", Extra.NONE);
    for (int i = 0; i < 7; i++) {
      FileChanges changes =
          new FileChanges(
              List.of(table.newFile("a", "data", Extra.NONE)),
              List.of(),
              List.of(i == 0 ? unused : table.newFile("a", "changelog", Extra.NONE)),
              List.of(),
              List.of());
      table.commit(table.storage(), Clock.fixed(NOW, ZoneOffset.UTC), "a", changes);
      new AutomaticExpiry(table.history(table.storage()), Clock.fixed(NOW, ZoneOffset.UTC))
          .run(i + 1L, partitions -> {});
    }
    assertThat(table.storage().snapshots().ids()).containsExactly(6L, 7L);
    assertThat(table.storage().changelogs().ids()).containsExactly(4L, 5L);
    assertThat(new Reachability(table).broken()).isEmpty();
  }
}
