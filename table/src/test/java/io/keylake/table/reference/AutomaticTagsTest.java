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

package io.keylake.table.reference;

import static io.keylake.table.TestTables.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.fileio.Ids;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.LakeTable;
import io.keylake.table.TestTables;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.maintenance.Tags;
import io.keylake.table.upkeep.Upkeep;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AutomaticTagsTest {
  private static final Instant NOW = Instant.parse("2024-02-01T00:00:00Z");

  @TempDir Path folder;
  private LakeTable table;
  private int commits;

  private void create(String... options) {
    Map<String, String> all = new HashMap<>(Map.of("tag.automatic-creation", "process-time"));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    table = TestTables.create(folder, all);
  }

  private static Clock at(Instant time) {
    return Clock.fixed(time, ZoneOffset.UTC);
  }

  private Snapshot commit(String time, String mark) {
    CommitEnvironment environment =
        new CommitEnvironment(
            at(Instant.parse(time)), Ids.random(), RandomGenerator.getDefault(), pause -> {});
    String name = "f" + commits++;
    return table
        .committer(environment)
        .commit(
            CommitRequest.batch(name, TestTables.changes(name))
                .withWatermark(Instant.parse(mark).toEpochMilli()))
        .newest()
        .orElseThrow();
  }

  private void commit(String time) {
    commit(time, time);
    new Upkeep(table.storage(), table.options(), at(NOW)).afterCommit();
  }

  private AutomaticTags tags() {
    return new AutomaticTags(table.storage(), table.options(), at(NOW));
  }

  private List<String> all() {
    return table.storage().tags().all().stream()
        .map(tag -> tag.name() + " of " + tag.snapshot().id())
        .toList();
  }

  @Test
  void aPeriodIsTaggedByTheFirstCommitAfterItsEnd() {
    create();
    commit("2024-01-02T10:00:00Z");
    assertThat(all()).containsExactly("2024-01-01 of 1");
    commit("2024-01-02T23:59:59Z");
    assertThat(all()).hasSize(1);
    commit("2024-01-03T00:00:00Z");
    commit("2024-01-03T01:00:00Z");
    assertThat(all()).containsExactly("2024-01-01 of 1", "2024-01-02 of 3");
  }

  @Test
  void aPeriodWithoutCommitsHasNoTag() {
    create();
    commit("2024-01-02T10:00:00Z");
    commit("2024-01-05T10:00:00Z");
    assertThat(all()).containsExactly("2024-01-01 of 1", "2024-01-04 of 2");
  }

  @Test
  void periodsWithoutCommitsAreCompleted() {
    create("tag.automatic-completion", "true");
    commit("2024-01-02T10:00:00Z");
    commit("2024-01-05T10:00:00Z");
    assertThat(all())
        .containsExactly(
            "2024-01-01 of 1", "2024-01-02 of 2", "2024-01-03 of 2", "2024-01-04 of 2");
  }

  @Test
  void theDelayPutsATagOff() {
    create("tag.creation-delay", "10 min", "tag.creation-period", "hourly");
    commit("2024-01-02T10:00:00Z");
    commit("2024-01-02T11:09:00Z");
    assertThat(all()).containsExactly("2024-01-02 09 of 1");
    commit("2024-01-02T11:10:00Z");
    assertThat(all()).containsExactly("2024-01-02 09 of 1", "2024-01-02 10 of 3");
  }

  @Test
  void namesFollowTheFormatter() {
    Map<List<String>, String> names =
        Map.of(
            List.of("daily", "without_dashes"), "20240101",
            List.of("hourly", "without_dashes"), "20240102 12",
            List.of("two-hours", "with_dashes"), "2024-01-02 10",
            List.of("hourly", "without_dashes_and_spaces"), "2024010212");
    names.forEach(
        (options, name) -> {
          TagPeriods periods = TagPeriods.of(options.get(0), options.get(1));
          LocalDateTime begin = periods.before(LocalDateTime.of(2024, 1, 2, 13, 30));
          assertThat(periods.name(begin)).isEqualTo(name);
          assertThat(periods.begin(name)).contains(begin);
          assertThat(periods.begin("release")).isEmpty();
        });
    TagPeriods quarters = TagPeriods.every(Duration.ofMinutes(15));
    assertThat(quarters.name(quarters.before(LocalDateTime.of(2024, 1, 2, 13, 31))))
        .isEqualTo("202401021315");
  }

  @Test
  void watermarksTellTheTimeInTheirZone() {
    create("tag.automatic-creation", "watermark", "sink.watermark-time-zone", "Asia/Tokyo");
    commit("2024-03-01T00:00:00Z", "2024-01-02T14:00:00Z");
    commit("2024-03-01T00:00:00Z", "2024-01-02T15:00:00Z");
    tags().createDue();
    assertThat(all()).containsExactly("2024-01-01 of 1", "2024-01-02 of 2");
  }

  @Test
  void onlyTheNewestAutomaticTagsAreKept() {
    create("tag.num-retained-max", "2", "tag.create-success-file", "true");
    commit("2024-01-02T10:00:00Z");
    new Tags(table.storage(), at(NOW)).create("mine", table.snapshot().orElseThrow(), null);
    commit("2024-01-03T10:00:00Z");
    assertThat(LOCAL.exists(table.storage().layout().tagSuccess("2024-01-01"))).isTrue();
    commit("2024-01-04T10:00:00Z");
    assertThat(all()).containsExactly("mine of 1", "2024-01-02 of 2", "2024-01-03 of 3");
    assertThat(LOCAL.exists(table.storage().layout().tagSuccess("2024-01-01"))).isFalse();
  }

  @Test
  void tagsAreKeptForTheTimeOfTheTable() {
    create("tag.default-time-retained", "1 h");
    commit("2024-01-02T10:00:00Z");
    Tag tag = table.storage().tags().load("2024-01-01");
    assertThat(tag.timeRetained()).isEqualTo(Duration.ofHours(1));
    assertThat(tag.createTime()).isEqualTo(LocalDateTime.of(2024, 2, 1, 0, 0));
  }

  @Test
  void batchJobsTagTheNewestSnapshot() {
    create("tag.automatic-creation", "batch");
    commit("2024-01-02T10:00:00Z");
    commit("2024-01-02T11:00:00Z");
    assertThat(all()).containsExactly("batch-write-2024-01-02 of 2");
    commit("2024-01-03T11:00:00Z");
    assertThat(all()).containsExactly("batch-write-2024-01-02 of 2", "batch-write-2024-01-03 of 3");
  }

  @Test
  void batchJobsMayHaveOneName() {
    create("tag.automatic-creation", "batch", "tag.batch.customized-name", "newest");
    commit("2024-01-02T10:00:00Z");
    commit("2024-01-03T11:00:00Z");
    assertThat(all()).containsExactly("newest of 2");
  }

  @Test
  void forcedTagIsOfTheNewestSnapshotAndThePeriodThatEnded() {
    create();
    commit("2024-01-02T10:00:00Z");
    assertThat(tags().createDue().created()).isEmpty();
    assertThat(tags().createNow().created()).hasSize(1);
    assertThat(tags().createNow().created()).isEmpty();
    assertThat(all()).containsExactly("2024-01-01 of 1", "2024-01-31 of 1");
  }

  @Test
  void namesOfPeriodsAreNotGivenByHand() {
    create();
    assertThatThrownBy(() -> tags().checkByHand("2024-01-01"))
        .hasMessageContainingAll("2024-01-01", "db.t", "process-time");
    tags().checkByHand("release");
  }

  @Test
  void writersThatOnlyWriteMakeNoTags() {
    create("write-only", "true");
    commit("2024-01-02T10:00:00Z");
    assertThat(all()).isEmpty();
  }

  @Test
  void theOptionsAreChecked() {
    create("sink.process-time-zone", "Nowhere");
    assertThatThrownBy(this::tags).hasMessageContainingAll("sink.process-time-zone", "Nowhere");
  }
}
