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

package io.keylake.table.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.LakeTable;
import io.keylake.table.TestTables;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TagsTest {
  @TempDir Path folder;
  private LakeTable table;
  private Tags tags;
  private Snapshot first;

  @BeforeEach
  void createTable() {
    table = TestTables.create(folder, Map.of());
    first = TestTables.commit(table, "f1");
    Instant now = Instant.parse("2024-01-02T03:04:05Z");
    tags = new Tags(table.storage(), Clock.fixed(now, ZoneId.of("Asia/Tokyo")));
  }

  private static void assertFails(ThrowingCallable call, Condition condition, String... parts) {
    assertThatThrownBy(call)
        .hasMessageContainingAll(parts)
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(condition);
  }

  @Test
  void tagWithoutRetentionHasNoTime() {
    tags.create("a", first, null);
    assertThat(table.storage().tags().load("a")).isEqualTo(new Tag("a", first, null, null));
  }

  @Test
  void tagWithRetentionHasTheLocalTimeOfItsCreation() {
    tags.create("a", first, Duration.ofHours(2));
    Tag tag = table.storage().tags().load("a");
    assertThat(tag.createTime()).isEqualTo(LocalDateTime.of(2024, 1, 2, 12, 4, 5));
    assertThat(tag.timeRetained()).isEqualTo(Duration.ofHours(2));
  }

  @Test
  void nameIsTakenOnce() {
    tags.create("a", first, null);
    assertFails(
        () -> tags.create("a", first, null),
        Condition.KEYLAKE_REFERENCE_ALREADY_EXISTS,
        "db.t",
        "'a'");
  }

  @Test
  void replacedTagNamesTheOtherSnapshot() {
    Snapshot second = TestTables.commit(table, "f2");
    tags.create("a", first, Duration.ofHours(2));
    tags.replace("a", second, null);
    assertThat(table.storage().tags().load("a")).isEqualTo(new Tag("a", second, null, null));
    assertFails(() -> tags.replace("b", second, null), Condition.KEYLAKE_REFERENCE_NOT_FOUND, "b");
  }

  @Test
  void renamedTagKeepsItsRetention() {
    Tag tag = tags.create("a", first, Duration.ofHours(2));
    tags.create("c", first, null);
    tags.rename("a", "b");
    assertThat(table.storage().tags().names()).containsExactly("b", "c");
    assertThat(table.storage().tags().load("b").timeRetained()).isEqualTo(tag.timeRetained());
    assertFails(() -> tags.rename("b", "c"), Condition.KEYLAKE_REFERENCE_ALREADY_EXISTS, "'c'");
  }

  @Test
  void removedTagIsGoneAndItsSnapshotStays() {
    tags.create("a", first, null);
    tags.delete("a");
    assertThat(table.storage().tags().names()).isEmpty();
    assertThat(table.storage().snapshots().find(first.id())).contains(first);
    assertFails(() -> tags.delete("a"), Condition.KEYLAKE_REFERENCE_NOT_FOUND, "a");
  }
}
