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

package io.keylake.catalog.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.SharedSpark;
import io.keylake.catalog.stream.HistoryChange.Values;
import io.keylake.catalog.stream.HistoryStatement.Kind;
import io.keylake.catalog.stream.HistoryTable.Buckets;
import io.keylake.catalog.stream.HistoryTable.Definition;
import io.keylake.catalog.stream.HistoryTable.Engine;
import io.keylake.catalog.stream.HistoryTable.Producer;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A random history of one table, and everything that reads its changes. */
final class ChangeHistory {
  private static final int STEPS = 4;
  private final SharedSpark spark;
  private final Path checkpoints;
  private final Definition definition;
  private final String name;
  private final Random random;
  private final RecordedHistory recorded;
  private final HistoryStatement.Choice choice;
  private final List<String> log = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  /**
   * What a statement did.
   *
   * @param statement the statement
   * @param before the version before it
   * @param after the version after it
   */
  private record Step(HistoryStatement statement, long before, long after) {}

  ChangeHistory(
      SharedSpark spark,
      Path warehouse,
      Path checkpoints,
      HistoryTable kind,
      String name,
      long seed) {
    this.spark = spark;
    this.checkpoints = checkpoints;
    this.name = name;
    this.random = new Random(seed * 7919 + kind.name().hashCode());
    this.definition = kind.define(random);
    this.recorded = new RecordedHistory(spark, warehouse, name);
    this.choice = new HistoryStatement.Choice(definition, name, random);
  }

  /** The statements so far. */
  String log() {
    return String.join(";\n", log);
  }

  void run() throws Exception {
    sql(definition.create(name));
    take(choice.insert(10));
    takeSome();
    FollowedChanges followed =
        new FollowedChanges(spark, checkpoints.resolve(name), name, 1 + random.nextInt(4));
    followed.followAndFail(1 + random.nextInt(3));
    takeSome();
    if (told() == Told.BY_COMPACTIONS) {
      take(choice.compact("full", Kind.COMPACT_FULLY));
    }
    Map<Long, List<HistoryChange>> changes = check();
    sql(
        "CALL lake.sys.expire_snapshots(table => 'db."
            + name
            + "', retain_max => 2, retain_min => 1)");
    checkWhatIsKept(changes);
    long end = recorded.latest();
    take(choice.insert(4));
    followed.follow();
    changes.putAll(recorded.changes(end + 1, recorded.latest()));
    compare("a stream that was stopped in between", followed.changes(), changes);
  }

  private void takeSome() {
    for (int i = 0; i < STEPS; i++) {
      HistoryStatement statement = choice.next();
      if (statement.changesRowsOf(engine())) {
        take(statement);
      }
    }
  }

  private Engine engine() {
    return definition.kind().engine();
  }

  private Producer producer() {
    return definition.kind().producer();
  }

  private void take(HistoryStatement statement) {
    long before = recorded.latest();
    sql(statement.sql());
    steps.add(new Step(statement, before, recorded.latest()));
  }

  private void sql(String statement) {
    log.add(statement);
    spark.run(statement);
    log.add("  -- version " + recorded.latest());
  }

  private Map<Long, List<HistoryChange>> check() throws Exception {
    long latest = recorded.latest();
    Map<Long, List<HistoryChange>> changes = recorded.changes(1, latest);
    checkParts(changes, latest);
    Map<Long, List<Values>> states = new TreeMap<>();
    switch (told()) {
      case BY_EACH -> checkDifferences(states, changes);
      case BY_COMPACTIONS -> checkReplayed(states, changes);
      case AS_WRITTEN -> checkWritten(states, changes);
    }
    if (producer() == Producer.NONE) {
      checkComputed(states, changes, latest);
    } else {
      checkStored(changes, latest);
    }
    return changes;
  }

  /** Ranges next to each other have together what the whole has. */
  private void checkParts(Map<Long, List<HistoryChange>> changes, long latest) {
    Map<Long, List<HistoryChange>> parts = new TreeMap<>();
    long from = 1;
    while (from <= latest) {
      long to = Math.min(latest, from + random.nextInt((int) latest / 2 + 1));
      parts.putAll(recorded.changes(from, to));
      from = to + 1;
    }
    compare("parts of the range", parts, changes);
  }

  /** When changes are told. */
  private enum Told {
    BY_EACH,
    BY_COMPACTIONS,
    AS_WRITTEN
  }

  private Told told() {
    return switch (producer()) {
      case NONE -> Told.BY_EACH;
      case LOOKUP ->
          definition.kind().buckets() == Buckets.POSTPONE ? Told.BY_COMPACTIONS : Told.BY_EACH;
      case FULL_COMPACTION -> Told.BY_COMPACTIONS;
      case INPUT -> Told.AS_WRITTEN;
    };
  }

  private List<Values> state(Map<Long, List<Values>> states, long version) {
    return states.computeIfAbsent(version, recorded::state);
  }

  private List<HistoryChange> of(Step step, Map<Long, List<HistoryChange>> changes) {
    List<HistoryChange> found = new ArrayList<>();
    for (long version = step.before + 1; version <= step.after; version++) {
      found.addAll(changes.getOrDefault(version, List.of()));
    }
    return found;
  }

  /** The changes of each statement are what the table differs in from before. */
  private void checkDifferences(
      Map<Long, List<Values>> states, Map<Long, List<HistoryChange>> changes) {
    for (Step step : steps) {
      List<HistoryChange> found = of(step, changes);
      assertThat(sorted(producer() == Producer.NONE ? found : HistoryChange.real(found)))
          .as("changes of %s", step.statement.sql())
          .isEqualTo(difference(state(states, step.before), state(states, step.after)));
    }
  }

  private List<HistoryChange> difference(List<Values> before, List<Values> after) {
    return sorted(
        definition.kind().isKeyed()
            ? HistoryChange.ofKeys(before, after, definition.isPartitioned())
            : HistoryChange.ofRows(before, after));
  }

  private static List<HistoryChange> sorted(List<HistoryChange> changes) {
    List<HistoryChange> sorted = new ArrayList<>(changes);
    Collections.sort(sorted);
    return sorted;
  }

  private void checkReplayed(
      Map<Long, List<Values>> states, Map<Long, List<HistoryChange>> changes) {
    Map<List<Integer>, Values> rows = new HashMap<>();
    for (Step step : steps) {
      for (long version = step.before + 1; version <= step.after; version++) {
        HistoryChange.replay(
            rows, changes.getOrDefault(version, List.of()), definition.isPartitioned());
      }
      if (step.statement.kind() == Kind.COMPACT_FULLY) {
        assertThat(rows.values())
            .as("replayed up to version %d", step.after)
            .containsExactlyInAnyOrderElementsOf(state(states, step.after));
      }
    }
  }

  /** The changes are what statements wrote, and for overwrites what they changed. */
  private void checkWritten(
      Map<Long, List<Values>> states, Map<Long, List<HistoryChange>> changes) {
    Map<List<Integer>, Values> rows = new HashMap<>();
    for (Step step : steps) {
      List<Values> before = state(states, step.before);
      List<Values> after = state(states, step.after);
      List<HistoryChange> found = of(step, changes);
      List<HistoryChange> expected =
          step.statement.kind() == Kind.OVERWRITE
              ? difference(before, after)
              : step.statement.written().apply(before);
      assertThat(comparable(found, step))
          .as("changes of %s", step.statement.sql())
          .isEqualTo(comparable(expected, step));
      if (definition.keepsLastRow() && !definition.kind().movesKeys()) {
        upsert(rows, found, after);
        assertThat(rows.values())
            .as("upserted up to version %d", step.after)
            .containsExactlyInAnyOrderElementsOf(after);
      }
    }
  }

  /** Of several rows of a key that were inserted at once the last one counts; here any of them. */
  private void upsert(
      Map<List<Integer>, Values> rows, List<HistoryChange> changes, List<Values> after) {
    for (HistoryChange change : changes) {
      if (change.isOfOldRow()) {
        rows.remove(key(change.row()));
      }
    }
    for (HistoryChange change : changes) {
      boolean isLater = after.contains(change.row()) || !rows.containsKey(key(change.row()));
      if (!change.isOfOldRow() && isLater) {
        rows.put(key(change.row()), change.row());
      }
    }
  }

  private List<Integer> key(Values row) {
    return HistoryChange.key(row, definition.isPartitioned());
  }

  /**
   * A row that is inserted may go to another partition, or take its key out of one. Engines that
   * compute rows write nothing for an update that changes nothing.
   */
  private List<HistoryChange> comparable(List<HistoryChange> changes, Step step) {
    boolean moves = definition.kind().movesKeys() && step.statement.kind() == Kind.INSERT;
    return HistoryChange.real(changes).stream()
        .filter(change -> !moves || !change.isOfOldRow())
        .map(
            change ->
                moves ? new HistoryChange(change.kind(), change.row().withoutPartition()) : change)
        .sorted()
        .toList();
  }

  private CommitKind commitKind(long version) {
    return recorded.snapshot(version).commitKind();
  }

  /**
   * The audit log has the stored changes. A stream over it gets them all, one of the reference
   * those that did not land in an OVERWRITE snapshot.
   */
  private void checkStored(Map<Long, List<HistoryChange>> changes, long latest) throws Exception {
    Map<Long, List<HistoryChange>> reference = recorded.ofReference(latest);
    List<HistoryChange> stored = new ArrayList<>();
    for (Step step : steps) {
      List<HistoryChange> own = of(step, changes);
      List<HistoryChange> delivered = of(step, reference);
      boolean isReplaced = false;
      for (long version = step.before + 1; version <= step.after; version++) {
        isReplaced |= commitKind(version) == CommitKind.OVERWRITE;
      }
      if (step.statement.kind() != Kind.OVERWRITE) {
        stored.addAll(own);
      }
      if (isReplaced) {
        assertThat(own)
            .as("changes that the reference delivers")
            .containsAll(HistoryChange.real(delivered));
      } else {
        assertThat(sorted(delivered))
            .as("what the reference delivers of %s", step.statement.sql())
            .isEqualTo(sorted(own));
      }
    }
    List<HistoryChange> audit = recorded.audit(0, latest, "changelog");
    if (steps.stream().noneMatch(step -> step.statement.kind() == Kind.OVERWRITE)) {
      assertThat(sorted(HistoryChange.real(audit)))
          .as("the audit log")
          .isEqualTo(sorted(HistoryChange.real(stored)));
    } else {
      assertThat(audit).as("the audit log").containsAll(stored);
    }
    assertThat(recorded.followedAudit(checkpoints.resolve(name + "_audit")))
        .as("a stream over the audit log")
        .isEqualTo(audit);
  }

  /**
   * Compared versions differ in the new and changed rows. A stream over the audit log gets rows as
   * they were added, or computed where stored rows are only parts, and what statements changed.
   */
  private void checkComputed(
      Map<Long, List<Values>> states, Map<Long, List<HistoryChange>> changes, long latest)
      throws Exception {
    List<HistoryChange> followed = new ArrayList<>();
    List<HistoryChange> added = new ArrayList<>();
    for (long version = 1; version <= latest; version++) {
      List<HistoryChange> rows =
          commitKind(version) == CommitKind.APPEND
              ? recorded.audit(version - 1, version, "delta")
              : List.of();
      added.addAll(rows);
      followed.addAll(
          isComputed(recorded.snapshot(version)) ? changes.getOrDefault(version, List.of()) : rows);
    }
    if (definition.kind().isKeyed()) {
      long from = random.nextInt((int) latest);
      List<HistoryChange> expected =
          difference(state(states, from), state(states, latest)).stream()
              .filter(change -> !change.kind().equals("-U"))
              .toList();
      assertThat(recorded.audit(from, latest, "diff"))
          .as("versions %d and %d compared", from, latest)
          .isEqualTo(expected);
    }
    assertThat(recorded.followedAudit(checkpoints.resolve(name + "_audit")))
        .as("a stream over the audit log")
        .isEqualTo(sorted(followed));
    List<HistoryChange> reference = new ArrayList<>();
    recorded.ofReference(latest).values().forEach(reference::addAll);
    assertThat(sorted(reference)).as("the reference's stream").isEqualTo(sorted(added));
  }

  /** Whether a stream over the audit log of a table without a changelog gets a difference. */
  private boolean isComputed(Snapshot snapshot) {
    if (!definition.kind().isKeyed()) {
      return false;
    }
    return switch (snapshot.commitKind()) {
      case APPEND -> engine() != Engine.DEDUPLICATE;
      case OVERWRITE ->
          Set.of("DELETE", "UPDATE", "MERGE")
              .contains(snapshot.properties().getOrDefault(Snapshot.OPERATION, ""));
      case COMPACT, ANALYZE -> false;
    };
  }

  private void checkWhatIsKept(Map<Long, List<HistoryChange>> changes) {
    long earliest = recorded.earliest();
    long latest = recorded.latest();
    if (earliest < latest) {
      Map<Long, List<HistoryChange>> kept = new TreeMap<>(changes);
      kept.keySet().removeIf(version -> version <= earliest);
      compare("kept changes", recorded.changes(earliest + 1, latest), kept);
    }
  }

  private static void compare(
      String what, Map<Long, List<HistoryChange>> found, Map<Long, List<HistoryChange>> expected) {
    Map<Long, List<HistoryChange>> some = new TreeMap<>(found);
    some.values().removeIf(List::isEmpty);
    Map<Long, List<HistoryChange>> others = new TreeMap<>(expected);
    others.values().removeIf(List::isEmpty);
    assertThat(some.keySet()).as("versions with changes: %s", what).isEqualTo(others.keySet());
    some.forEach(
        (version, changes) ->
            assertThat(changes).as("version %d: %s", version, what).isEqualTo(others.get(version)));
  }
}
