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
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.LakeTable;
import io.keylake.table.TestTables;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.maintenance.Tags;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RollbackTest {
  @TempDir Path folder;
  private LakeTable table;
  private Snapshot first;
  private Snapshot second;
  private Snapshot third;

  @BeforeEach
  void commitThree() {
    table = TestTables.create(folder, Map.of());
    first = TestTables.commit(table, "f1");
    second = TestTables.commit(table, "f2");
    third = TestTables.commit(table, "f3");
  }

  private TableStorage storage() {
    return table.storage();
  }

  private void tag(String name, Snapshot snapshot) {
    new Tags(storage(), Clock.systemUTC()).create(name, snapshot, null);
  }

  @Test
  void laterSnapshotsAndTagsGoAndIdsAreUsedAgain() {
    tag("one", first);
    tag("three", third);
    Rollback rollback = Rollback.to(storage(), first);
    Rollback.Outcome planned = rollback.planned();
    assertThat(storage().snapshots().ids()).containsExactly(1L, 2L, 3L);
    Rollback.Outcome done = rollback.run();
    assertThat(done).isEqualTo(planned);
    assertThat(done).isEqualTo(new Rollback.Outcome(3, 1, 2, 0, List.of("three"), List.of()));
    assertThat(storage().snapshots().latest()).contains(first);
    assertThat(storage().tags().names()).containsExactly("one");
    Snapshot next = TestTables.commit(table, "f4");
    assertThat(next.id()).isEqualTo(2);
    assertThat(next.totalRecordCount()).isEqualTo(2);
    assertThat(storage().snapshots().all()).containsExactly(first, next);
  }

  @Test
  void versionThatOnlyATagKeepsGetsItsSnapshotBack() {
    tag("one", first);
    storage().snapshots().delete(1);
    storage().snapshots().delete(2);
    storage().snapshots().writeEarliestHint(3);
    Snapshot target = Rollback.version(storage(), "one");
    Rollback.to(storage(), target).run();
    assertThat(storage().snapshots().ids()).containsExactly(1L);
    assertThat(storage().snapshots().latest()).contains(first);
    assertThat(storage().snapshots().earliestId()).hasValue(1);
    assertThat(storage().tags().names()).containsExactly("one");
  }

  @Test
  void consumersThatWouldPassOverNewSnapshotsAreSetBack() {
    storage().consumers().write("slow", 1);
    storage().consumers().write("next", 2);
    storage().consumers().write("ahead", 4);
    assertThat(Rollback.to(storage(), first).run().consumers()).containsExactly("ahead");
    assertThat(storage().consumers().all()).isEqualTo(Map.of("slow", 1L, "next", 2L, "ahead", 2L));
  }

  @Test
  void laterChangelogsGo() {
    for (long id = 1; id <= 3; id++) {
      LOCAL.create(storage().layout().changelog(id), LOCAL.read(storage().layout().snapshot(id)));
    }
    assertThat(Rollback.to(storage(), first).run().changelogs()).isEqualTo(2);
    assertThat(storage().changelogs().ids()).containsExactly(1L);
  }

  @Test
  void rollbackToTheNewestChangesNothing() {
    tag("three", third);
    assertThat(Rollback.to(storage(), third).run())
        .isEqualTo(new Rollback.Outcome(3, 3, 0, 0, List.of(), List.of()));
    assertThat(storage().snapshots().all()).containsExactly(first, second, third);
  }

  @Test
  void nameThatIsATagAndAnotherSnapshotIsRefused() {
    tag("2", first);
    tag("3", third);
    assertThat(Rollback.version(storage(), "3")).isEqualTo(third);
    assertThatThrownBy(() -> Rollback.version(storage(), "2"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("snapshot 2", "tag '2' of snapshot 1");
    assertThatThrownBy(() -> Rollback.version(storage(), "nope"))
        .hasMessageContainingAll("nope", "Snapshots 1 to 3 exist");
  }

  /** The table through storage that runs {@code then} right before or after it publishes. */
  private LakeTable during(String file, Runnable before, Runnable after) {
    FileIO hooked =
        (FileIO)
            Proxy.newProxyInstance(
                FileIO.class.getClassLoader(),
                new Class<?>[] {FileIO.class},
                (proxy, method, arguments) -> {
                  boolean hit =
                      method.getName().equals("publish")
                          && ((Location) arguments[0]).name().equals(file);
                  if (hit) {
                    before.run();
                  }
                  try {
                    Object result = method.invoke(LOCAL, arguments);
                    if (hit) {
                      after.run();
                    }
                    return result;
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return LakeTable.find(
            TableStorage.of("db.t", hooked, TableLayout.of(storage().layout().root())))
        .orElseThrow();
  }

  private void rollBackToFirst() {
    Rollback.to(storage(), first).run();
  }

  @Test
  void appendUnderWayLandsOnTheVersionRolledBackTo() {
    for (boolean early : List.of(true, false)) {
      Runnable nothing = () -> {};
      LakeTable slow =
          during(
              "snapshot-4",
              early ? this::rollBackToFirst : nothing,
              early ? nothing : this::rollBackToFirst);
      Snapshot made = TestTables.commit(slow, early ? "g1" : "g2");
      if (early) {
        assertThat(made.id()).isEqualTo(2);
        assertThat(made.totalRecordCount()).isEqualTo(2);
        assertThat(storage().snapshots().all()).containsExactly(first, made);
        second = TestTables.commit(table, "f5");
        third = TestTables.commit(table, "f6");
        first = made;
        rollBackToFirst();
        second = TestTables.commit(table, "f7");
        assertThat(second.id()).isEqualTo(3);
      } else {
        assertThat(storage().snapshots().latest()).contains(made);
        assertThat(made.id()).isEqualTo(3);
        assertThat(storage().snapshots().all()).contains(first, made);
      }
    }
  }

  @Test
  void statementThatReadADroppedVersionIsRefused() {
    CommitRequest request =
        CommitRequest.batch("late", TestTables.changes("g1"))
            .basedOn(third)
            .withChecks(Set.of(CommitRequest.Check.KEYS_UNCHANGED));
    LakeTable slow = during("snapshot-4", this::rollBackToFirst, () -> {});
    assertThatThrownBy(() -> slow.committer(CommitEnvironment.system()).commit(request))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("that the statement has read are gone");
    assertThat(storage().snapshots().all()).containsExactly(first);
  }

  @Test
  void snapshotThatSomebodyPutOnADroppedOneMeanwhileGoesToo() {
    String copy =
        new String(LOCAL.read(storage().layout().snapshot(3)), UTF_8)
            .replace("\"id\" : 3,", "\"id\" : 4,");
    LakeTable slow =
        whenDeleted(
            "snapshot-3", () -> LOCAL.create(storage().layout().snapshot(4), copy.getBytes(UTF_8)));
    Rollback.to(slow.storage(), first).run();
    assertThat(storage().snapshots().ids()).containsExactly(1L);
  }

  private LakeTable whenDeleted(String file, Runnable then) {
    FileIO hooked =
        (FileIO)
            Proxy.newProxyInstance(
                FileIO.class.getClassLoader(),
                new Class<?>[] {FileIO.class},
                (proxy, method, arguments) -> {
                  try {
                    Object result = method.invoke(LOCAL, arguments);
                    if (method.getName().equals("delete")
                        && ((Location) arguments[0]).name().equals(file)) {
                      then.run();
                    }
                    return result;
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return LakeTable.find(
            TableStorage.of("db.t", hooked, TableLayout.of(storage().layout().root())))
        .orElseThrow();
  }
}
