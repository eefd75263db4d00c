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

import static io.keylake.table.TestTables.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.BranchStore.Branch;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.LakeTable;
import io.keylake.table.TestTables;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BranchesTest {
  @TempDir Path folder;
  private LakeTable table;
  private Branches branches;

  @BeforeEach
  void createTable() {
    table = TestTables.create(folder, Map.of());
    branches = new Branches(table.storage());
  }

  private static void assertFails(ThrowingCallable call, Condition condition, String... parts) {
    assertThatThrownBy(call)
        .hasMessageContainingAll(parts)
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(condition);
  }

  private List<String> names() {
    return table.storage().branches().all().stream().map(Branch::name).toList();
  }

  private void tag(String name, Snapshot snapshot) {
    new Tags(table.storage(), Clock.systemUTC()).create(name, snapshot, null);
  }

  @Test
  void emptyBranchHasSchemasOnly() {
    TestTables.commit(table, "f1");
    branches.create("b");
    assertThat(names()).containsExactly("b");
    assertThat(table.onBranch("b").schema()).isEqualTo(table.schema());
    assertThat(table.onBranch("b").snapshot()).isEmpty();
  }

  @Test
  void branchFromTagStartsWithItsSnapshot() {
    Snapshot first = TestTables.commit(table, "f1");
    tag("t", first);
    TestTables.commit(table, "f2");
    branches.createFromTag("b", "t");
    LakeTable branch = table.onBranch("b");
    assertThat(branch.snapshot()).contains(first);
    assertThat(branch.storage().tags().names()).containsExactly("t");
    Snapshot next = TestTables.commit(branch, "f3");
    assertThat(next.id()).isEqualTo(2);
    assertThat(next.totalRecordCount()).isEqualTo(2);
    assertFails(
        () -> branches.createFromTag("c", "nope"), Condition.KEYLAKE_REFERENCE_NOT_FOUND, "nope");
    assertThat(names()).containsExactly("b");
  }

  @Test
  void someNamesAreNotAllowed() {
    for (String name :
        List.of(
            "main",
            "",
            " ",
            "123",
            "a/b",
            "..",
            ".x",
            "a$b",
            "a:b",
            "a`b",
            "a\\b",
            "a\nb",
            " a",
            "x".repeat(201))) {
      assertFails(() -> branches.create(name), Condition.KEYLAKE_INVALID_REQUEST, "db.t");
    }
    branches.create("b1");
    assertFails(() -> branches.create("b1"), Condition.KEYLAKE_REFERENCE_ALREADY_EXISTS, "'b1'");
  }

  @Test
  void branchIsRenamedAndRemoved() {
    branches.create("a");
    branches.rename("a", "b");
    assertThat(names()).containsExactly("b");
    branches.delete("b");
    assertThat(names()).isEmpty();
    assertFails(() -> branches.delete("b"), Condition.KEYLAKE_REFERENCE_NOT_FOUND, "'b'");
    assertFails(() -> branches.rename("b", "c"), Condition.KEYLAKE_REFERENCE_NOT_FOUND, "'b'");
  }

  @Test
  void fastForwardMakesTheBranchTheMainHistory() {
    TestTables.commit(table, "f1");
    Snapshot second = TestTables.commit(table, "f2");
    tag("t", second);
    Snapshot third = TestTables.commit(table, "f3");
    tag("lost", third);
    branches.createFromTag("b", "t");
    LakeTable branch = table.onBranch("b");
    TableSchema newer = withComment(branch.schema());
    branch.storage().schemas().publish(newer);
    Snapshot mine = TestTables.commit(branch.refreshed(), "f4");
    branches.fastForward("b");
    LakeTable after = LakeTable.load("db.t", LOCAL, table.storage().layout().root());
    assertThat(after.snapshot()).contains(mine);
    assertThat(after.schema().comment()).isEqualTo("newer");
    assertThat(after.storage().snapshots().ids()).containsExactly(1L, 2L, 3L);
    assertThat(after.storage().tags().names()).containsExactly("t");
    assertThat(mine.totalRecordCount()).isEqualTo(3);
  }

  @Test
  void fastForwardKeepsWhatBothHave() {
    Snapshot first = TestTables.commit(table, "f1");
    tag("t", first);
    branches.createFromTag("b", "t");
    Snapshot mine = TestTables.commit(table.onBranch("b"), "f2");
    Snapshot lost = TestTables.commit(table, "f3");
    tag("lost", lost);
    Branches.FastForward planned = branches.planFastForward("b");
    assertThat(planned).isEqualTo(new Branches.FastForward(2, 2, 1, 1, List.of("lost")));
    assertThat(table.storage().snapshots().all()).containsExactly(first, lost);
    assertThat(branches.fastForward("b")).isEqualTo(planned);
    assertThat(table.storage().snapshots().all()).containsExactly(first, mine);
  }

  @Test
  void branchWhoseVersionsMainNeverHadCannotBecomeTheMainHistory() {
    Snapshot first = TestTables.commit(table, "f1");
    tag("t", first);
    branches.createFromTag("b", "t");
    LakeTable branch = table.onBranch("b");
    TestTables.commit(branch, "f2");
    branch.storage().snapshots().delete(first.id());
    Snapshot ours = TestTables.commit(table, "f3");
    assertFails(
        () -> branches.fastForward("b"),
        Condition.KEYLAKE_INVALID_REQUEST,
        "'b'",
        "no version in common");
    assertThat(table.storage().snapshots().all()).containsExactly(first, ours);
  }

  @Test
  void branchWithoutSnapshotsCannotBecomeTheMainHistory() {
    TestTables.commit(table, "f1");
    branches.create("b");
    assertFails(
        () -> branches.fastForward("b"), Condition.KEYLAKE_INVALID_REQUEST, "'b'", "no snapshot");
    assertThat(table.snapshot()).isPresent();
  }

  private static TableSchema withComment(TableSchema s) {
    return new TableSchema(
        s.version(),
        s.id() + 1,
        s.fields(),
        s.highestFieldId(),
        s.partitionKeys(),
        s.primaryKeys(),
        s.options(),
        "newer",
        0,
        s.unknown());
  }
}
