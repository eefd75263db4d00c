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

package io.keylake.table.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.TableException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.options.TableOptions;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TimeTravelTest {
  @TempDir Path folder;
  private WrittenTable table;
  private TimeTravel travel;

  @BeforeEach
  void makeThreeSnapshots() {
    table = new WrittenTable(folder, List.of(), Map.of());
    travel = new TimeTravel(table.storage());
    for (int i = 0; i < 3; i++) {
      table.commit();
    }
    tag("release", 2);
    tag("3", 1);
  }

  private void tag(String name, long snapshot) {
    Snapshot tagged = table.storage().snapshots().load(snapshot);
    table.storage().tags().write(new Tag(name, tagged, null, null));
  }

  private Optional<Long> choose(Map<String, String> options) {
    TableOptions chosen = TableOptions.of(table.storage().schemas().load(0), options);
    return travel.choose(chosen.timeTravel(), ZoneOffset.UTC).map(Snapshot::id);
  }

  private static void assertNotFound(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll(parts)
        .extracting(e -> ((TableException) e).condition())
        .isEqualTo(Condition.KEYLAKE_VERSION_NOT_FOUND);
  }

  @Test
  void theNewestIsReadUnlessAVersionIsChosen() {
    assertThat(choose(Map.of())).contains(3L);
    assertThat(choose(Map.of("scan.snapshot-id", "2"))).contains(2L);
    assertThat(choose(Map.of("scan.tag-name", "release"))).contains(2L);
    assertThat(choose(Map.of("scan.timestamp-millis", "1999"))).contains(1L);
    assertThat(choose(Map.of("scan.timestamp", "1970-01-01 00:00:02"))).contains(2L);
  }

  @Test
  void aTableWithoutSnapshotsHasNoNewest() {
    WrittenTable empty = new WrittenTable(folder.resolve("e"), List.of(), Map.of());
    TableOptions options = TableOptions.of(empty.storage().schemas().load(0));

    assertThat(new TimeTravel(empty.storage()).choose(options.timeTravel(), ZoneOffset.UTC))
        .isEmpty();
  }

  @Test
  void aTagNameWinsOverASnapshotId() {
    assertThat(travel.byVersion("3").id()).isEqualTo(1);
    assertThat(travel.byVersion("2").id()).isEqualTo(2);
    assertThat(travel.byVersion("release").id()).isEqualTo(2);
  }

  @Test
  void aTagOutlivesItsSnapshot() {
    table.storage().io().delete(table.storage().layout().snapshot(2));

    assertThat(travel.byTag("release").id()).isEqualTo(2);
  }

  @Test
  void whatDoesNotExistNamesWhatDoes() {
    assertNotFound(() -> travel.bySnapshotId(9), "Snapshot 9", "db.t", "Snapshots 1 to 3 exist");
    assertNotFound(() -> travel.byTag("x"), "Tag x", "Its tags: [3, release]");
    assertNotFound(() -> travel.byVersion("x"), "Version x", "Snapshots 1 to 3", "[3, release]");
    assertNotFound(
        () -> travel.atTimestamp(999), "1970-01-01T00:00:00.999 UTC", "1970-01-01T00:00:01 UTC");
    assertNotFound(() -> travel.byVersion("watermark-7"), "watermark 7");
  }

  @Test
  void timestampsAreReadInTheirZone() {
    ZoneId zone = ZoneId.of("Asia/Shanghai");

    assertThat(TimeTravel.millis("1970-01-01 08:00:01.5", zone)).isEqualTo(1500);
    assertThat(TimeTravel.millis("1970-01-01T08:00", zone)).isZero();
    assertThat(TimeTravel.millis("1970-01-02", ZoneOffset.UTC)).isEqualTo(86_400_000);
    assertThatThrownBy(() -> TimeTravel.millis("yesterday", zone))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'yesterday' is no timestamp");
  }
}
