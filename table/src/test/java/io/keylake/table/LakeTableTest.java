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

package io.keylake.table;

import static io.keylake.table.TestTables.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.TableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.maintenance.Branches;
import io.keylake.table.maintenance.TableDrop;
import io.keylake.table.scan.ScanFilter;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LakeTableTest {
  @TempDir Path folder;

  private Location root() {
    return new Location(folder.toUri().toString());
  }

  @Test
  void createdTableIsFoundAgain() {
    assertThat(LakeTable.find("db.t", LOCAL, root())).isEmpty();
    assertThatThrownBy(() -> LakeTable.load("db.t", LOCAL, root()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("db.t", root().path());
    LakeTable created = TestTables.create(folder, Map.of("file.format", "orc"));
    LakeTable found = LakeTable.load("db.t", LOCAL, root());
    assertThat(found.schema()).isEqualTo(created.schema());
    assertThat(found.bucketMode()).isEqualTo(new BucketMode.Unaware());
    assertThat(found.snapshot()).isEmpty();
    assertThat(found.plan(ScanFilter.NONE).buckets()).isEmpty();
    assertThat(found).hasToString("db.t");
  }

  @Test
  void tableIsCreatedOnce() {
    TestTables.create(folder, Map.of());
    assertThatThrownBy(() -> TestTables.create(folder, Map.of()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("db.t", "exists already");
  }

  @Test
  void unsupportedDefinitionLeavesNoTable() {
    assertThatThrownBy(
            () ->
                TestTables.create(
                    folder, Map.of("data-file.external-paths.strategy", "round-robin")))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("data-file.external-paths.strategy");
    assertThat(LakeTable.find("db.t", LOCAL, root())).isEmpty();
  }

  @Test
  void pinnedHandleKeepsItsSnapshot() {
    LakeTable table = TestTables.create(folder, Map.of());
    LakeTable empty = table.pinned(ZoneOffset.UTC);
    Snapshot first = TestTables.commit(table, "f1");
    LakeTable pinned = table.pinned(ZoneOffset.UTC);
    TestTables.commit(table, "f2");
    assertThat(empty.snapshot()).isEmpty();
    assertThat(pinned.pinned(ZoneOffset.UTC).snapshot()).contains(first);
    assertThat(pinned.plan(ScanFilter.NONE).unitRows()).isEqualTo(1);
    assertThat(table.plan(ScanFilter.NONE).unitRows()).isEqualTo(2);
    assertThat(pinned.refreshed().snapshot()).map(Snapshot::id).contains(2L);
  }

  @Test
  void timeTravelReadsWithTheSchemaOfItsTime() {
    LakeTable table = TestTables.create(folder, Map.of());
    TestTables.commit(table, "f1");
    TableSchema old = table.schema();
    TableSchema newer =
        new TableSchema(
            old.version(),
            1,
            old.fields(),
            old.highestFieldId(),
            old.partitionKeys(),
            old.primaryKeys(),
            Map.of("k", "v"),
            null,
            0,
            old.unknown());
    table.storage().schemas().publish(newer);
    LakeTable now = table.refreshed();
    TestTables.commit(now, "f2");
    assertThat(now.pinned(ZoneOffset.UTC).schema().id()).isEqualTo(1);
    LakeTable then = now.withOptions(Map.of("scan.snapshot-id", "1")).pinned(ZoneOffset.UTC);
    assertThat(then.schema().id()).isZero();
    assertThat(then.snapshot()).map(Snapshot::id).contains(1L);
  }

  @Test
  void branchOptionChoosesTheBranch() {
    LakeTable table = TestTables.create(folder, Map.of());
    new Branches(table.storage()).create("b");
    LakeTable branch = table.withOptions(Map.of("branch", "b"));
    TestTables.commit(branch, "f1");
    assertThat(branch.branch()).isEqualTo("b");
    assertThat(branch).hasToString("db.t$branch_b");
    assertThat(branch.snapshot()).isPresent();
    assertThat(table.snapshot()).isEmpty();
    assertThatThrownBy(() -> table.withOptions(Map.of("branch", "nope")))
        .hasMessageContainingAll("nope", "b");
  }

  @Test
  void statementsMayNotOverrideWhatBelongsToTheTable() {
    LakeTable table = TestTables.create(folder, Map.of());
    assertThatThrownBy(() -> table.withOptions(Map.of("bucket", "5")))
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_IMMUTABLE_OPTION);
    assertThat(table.withOptions(Map.of("read.batch-size", "9")).overrides())
        .containsEntry("read.batch-size", "9");
  }

  @Test
  void foreignTableWithAnUnsupportedOptionIsReadButNotWritten() {
    TableSchema foreign =
        TestTables.schema(Map.of("data-file.external-paths.strategy", "round-robin"));
    LakeTable table = TestTables.create(folder, Map.of()).withSchema(foreign);
    assertThat(table.plan(ScanFilter.NONE).buckets()).isEmpty();
    assertThatThrownBy(() -> table.committer(CommitEnvironment.system()))
        .hasMessageContaining("data-file.external-paths.strategy");
  }

  @Test
  void commitUserHasThePrefixOfTheTable() {
    LakeTable plain = TestTables.create(folder.resolve("a"), Map.of());
    LakeTable prefixed = TestTables.create(folder.resolve("b"), Map.of("commit.user-prefix", "x"));
    assertThat(plain.newCommitUser(() -> "id")).isEqualTo("id");
    assertThat(prefixed.newCommitUser(() -> "id")).isEqualTo("x_id");
  }

  @Test
  void droppedTableIsGone() {
    LakeTable table = TestTables.create(folder.resolve("t"), Map.of());
    TestTables.commit(table, "f1");
    TableDrop.drop(table.storage());
    assertThat(LOCAL.exists(table.storage().layout().root())).isFalse();
  }
}
