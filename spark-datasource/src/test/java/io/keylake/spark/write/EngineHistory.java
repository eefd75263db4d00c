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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.testing.SoundTable;
import io.keylake.spark.write.EngineScript.By;
import io.keylake.spark.write.EngineScript.Change;
import io.keylake.spark.write.EngineScript.Compaction;
import io.keylake.spark.write.EngineScript.Step;
import io.keylake.spark.write.EngineScript.Write;
import io.keylake.spark.write.EngineTable.KindColumn;
import io.keylake.spark.write.HistoryValues.Value;
import io.keylake.spark.write.InlineCompaction.Extent;
import io.keylake.table.LakeTable;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Carries out a script and asks the reference about each step. Runs inside a Spark task, without a
 * query; on the driver where rows are staged, see {@link OurSteps}.
 *
 * <ol>
 *   <li>After each step we and the reference read the same rows from the same files. Where the
 *       reference hides level 0 (deletion vectors, first-row) or staged rows (postpone), our
 *       compacted view has its rows, and our committed view has the rows that it reads from a copy
 *       once it has compacted that.
 *   <li>Before each step of ours the table is copied and the reference does the step to the copy:
 *       both have the same rows afterwards.
 *   <li>In the end both compact fully, the reference a copy: nothing changes.
 *   <li>Where the table has a changelog, each of our steps writes the rows that the reference
 *       writes to the copy; see also {@link ReplayedChanges}.
 * </ol>
 *
 * What is left out, because it has no one answer or ours differs on purpose:
 *
 * <ul>
 *   <li>Rule 2 where our files ended up on other levels than the reference's (ours have other
 *       sizes), unless the rows cannot depend on that: what a late row, a removed or a retracted
 *       one does depends on what was compacted before it.
 *   <li>Descending sequence fields: the reference takes them for ascending within one flush. We
 *       write one row of a key at a time or, where no compaction comes in between, our rows are
 *       written to the copy one commit for each row of a key.
 *   <li>Staged rows are put into a copy's buckets by us, then read by the reference, unless the
 *       rows cannot depend on that: the reference folds all staged rows of a key before it merges
 *       them with others, we take them one file after the other.
 *   <li>Where keys move between partitions, the reference looks keys up where it sees them: what it
 *       does not see is compacted before it writes, and rule 2 left out. It takes rows that are
 *       passed over for rows that place their key, and the kind of a row that leaves its partition
 *       from the column with kinds: such options are left out. partial-update takes a row that is
 *       put into the partition of its key for an added one, and with aggregations it failed where
 *       rows take something back: there are none.
 *   <li>Lookup mode (deletion vectors): the reference passes even a lone row through the engine.
 *       Aggregations get rows to take back only for keys that were added; a row whose fields of a
 *       sequence group are all NULL has no values in that group; distinct arrays have no element
 *       twice.
 *   <li>partial-update and first-row fail on rows that they cannot take back: there are none.
 *   <li>The reference wipes first_non_null_value by a late NULL: columns with it, in sequence
 *       groups, are never NULL.
 *   <li>Quotients: the values of a product are never 0, and decimals divide without a remainder.
 *   <li>Late rows of collect with ignore-retract: the reference puts their elements first, but last
 *       without that option. The two are not combined.
 *   <li>The reference fails on NULL among collected rows, and when it has to take such rows back:
 *       there is no NULL, and they are not taken back.
 *   <li>Orders that come from hash tables are not compared, nor the bytes of sketches and bitmaps,
 *       see {@link EngineColumn.Comparison}.
 * </ul>
 */
final class EngineHistory {
  private final EngineScript script;
  private final EngineTable table;
  private final Path database;
  private final String name;
  private final WriteTarget target;
  private final OurSteps ours;
  private final ComparedRows compared;
  private final ReferenceTable reference;
  private final ReplayedChanges replayed;
  private long replayedUpTo;
  private int copies;
  private int checkedSteps;
  private int checkedChanges;

  private EngineHistory(EngineScript script, Path warehouse, String name) {
    this.script = script;
    this.table = script.table();
    this.database = warehouse.resolve("db.db");
    this.name = name;
    this.target =
        WriteFixture.compactedByWriters(
            WriteFixture.create(database.resolve(name), table.schema()));
    this.ours = table.kind().isPostponed() ? OurSteps.BY_JOBS : OurSteps.IN_TASK;
    this.compared = new ComparedRows(table.comparisons());
    this.reference = reference(name);
    this.replayed = new ReplayedChanges(table);
  }

  /**
   * What was compared.
   *
   * @param checkedSteps steps of ours that the reference did, too
   * @param checkedChanges those of them whose changelog was compared
   */
  record Compared(int checkedSteps, int checkedChanges) {}

  /** Carries out a script. */
  static Compared run(EngineScript script, Path warehouse, String name) throws Exception {
    EngineHistory history = new EngineHistory(script, warehouse, name);
    try {
      history.run();
      return new Compared(history.checkedSteps, history.checkedChanges);
    } finally {
      delete(history.database.resolve(name));
    }
  }

  private void run() throws Exception {
    List<String> rows = List.of();
    for (Step step : script.steps()) {
      rows = step.by() == By.US ? ourStep(step) : referenceStep(step);
    }
    SoundTable.check(lake(name));
    assertThat(reference.problems()).as("problems that the reference finds").isEmpty();
    try (Copy copy = new Copy()) {
      copy.table().compactFully();
      assertThat(compared.of(copy.table().rows()))
          .as("rows after a full compaction by the reference")
          .isEqualTo(rows);
    }
    ours.compact(target, Extent.FULL);
    assertThat(ourRows(name, Map.of())).as("rows after our full compaction").isEqualTo(rows);
    assertThat(compared.of(reference.rows()))
        .as("rows of the reference after our full compaction")
        .isEqualTo(rows);
    SoundTable.check(lake(name));
  }

  private List<String> referenceStep(Step step) throws Exception {
    if (step instanceof Write write) {
      write(name, write.rows());
    } else if (step instanceof Compaction compaction) {
      compact(reference, compaction.extent());
    }
    return check();
  }

  private void write(String table, List<Change> rows) throws Exception {
    if (this.table.kind().isCrossPartition() && isHidden(table)) {
      reference(table).compactIfDue();
    }
    reference(table).write(lines(rows));
  }

  private static void compact(ReferenceTable table, Extent extent) throws Exception {
    if (extent == Extent.FULL) {
      table.compactFully();
    } else {
      table.compactIfDue();
    }
  }

  private List<String> ourStep(Step step) throws Exception {
    boolean isSplit = false;
    long before = latest();
    boolean wasHidden = table.kind().isCrossPartition() && isHidden(name);
    try (Copy copy = new Copy()) {
      if (step instanceof Write write) {
        ourWrite(write.rows());
        List<List<Change>> commits = commits(write.rows());
        isSplit = commits.size() > 1;
        for (List<Change> commit : commits) {
          write(copy.name, commit);
        }
      } else if (step instanceof Compaction compaction) {
        ours.compact(target, compaction.extent());
        compact(copy.table(), compaction.extent());
      }
      List<String> rows = check();
      boolean isSameShape = !wasHidden && shape(name).equals(shape(copy.name));
      if (isSplit || table.isIndependent() || isSameShape) {
        assertThat(settled(copy.name))
            .as("rows where the reference has done %s", step.getClass().getSimpleName())
            .isEqualTo(rows);
        checkedSteps++;
      }
      if (!table.producer().equals("none") && !isSplit && shape(name).equals(shape(copy.name))) {
        assertThat(compared.of(reference.changesAfter(before)))
            .as("changelog of %s", step)
            .isEqualTo(expectedChanges(copy.table().changesAfter(before)));
        checkedChanges++;
      }
      return rows;
    }
  }

  /**
   * What the reference says of a step; new rows of first-row keep the kind they came with there.
   */
  private List<String> expectedChanges(List<String> changes) throws IOException {
    List<String> expected = compared.of(changes);
    return table.keepsFirstRows()
        ? expected.stream()
            .map(row -> row.replace("{\"rowkind\":\"+U\"", "{\"rowkind\":\"+I\""))
            .sorted(ReferenceValues::compareUtf8)
            .toList()
        : expected;
  }

  /** Rows that we write in one commit, as the reference has to write them. */
  private List<List<Change>> commits(List<Change> rows) {
    if (!table.isDescending() || !table.isSplittable()) {
      return List.of(rows);
    }
    List<List<Change>> commits = new ArrayList<>();
    Map<Integer, Integer> next = new HashMap<>();
    for (Change row : rows) {
      int commit = next.merge(row.key(), 1, Integer::sum) - 1;
      if (commit == commits.size()) {
        commits.add(new ArrayList<>());
      }
      commits.get(commit).add(row);
    }
    return commits;
  }

  private void ourWrite(List<Change> rows) throws IOException {
    List<Row> sparkRows = new ArrayList<>();
    for (Change row : rows) {
      sparkRows.add(RowFactory.create(row.values().stream().map(Value::spark).toArray()));
    }
    ours.write(writeTarget(), sparkRows);
  }

  private WriteTarget writeTarget() {
    Map<String, String> options =
        table.kindColumn() == KindColumn.OF_WRITE
            ? Map.of("row-kind-column", EngineTable.KIND)
            : Map.of();
    return new WriteTarget(
        target.name(),
        target.storage(),
        target.schema(),
        TableOptions.of(target.schema(), options),
        target.functions());
  }

  private List<String> lines(List<Change> rows) {
    return rows.stream()
        .map(
            row ->
                HistoryModel.text(
                    table.schema(), row.values(), "\"_kind\":\"" + row.kind() + "\","))
        .toList();
  }

  private List<String> check() throws Exception {
    List<String> rows = ourRows(name, Map.of());
    if (!table.producer().equals("none")) {
      replayed.add(compared.of(reference.changesAfter(replayedUpTo)));
      replayedUpTo = latest();
      replayed.check(rows, files(name));
    }
    if (table.hidesLevelZero() || table.kind().isPostponed()) {
      assertThat(ourRows(name, Map.of("scan.visibility", "compacted")))
          .as("our rows of the compacted view")
          .isEqualTo(compared.of(reference.rows()));
    }
    assertThat(rows).as("our rows").isEqualTo(settled(name));
    return rows;
  }

  /** What the reference reads, where need be once all rows are where it sees them. */
  private List<String> settled(String table) throws Exception {
    if (!isHidden(table)) {
      return compared.of(reference(table).rows());
    }
    try (Copy copy = new Copy(table)) {
      if (isStaged(table) && !this.table.isIndependent()) {
        ours.compact(target(copy.name), Extent.MINOR);
      }
      if (isHidden(copy.name)) {
        copy.table().compactIfDue();
      }
      return compared.of(copy.table().rows());
    }
  }

  /** Whether there are rows that the reference does not see. */
  private boolean isHidden(String table) {
    return isStaged(table)
        || this.table.hidesLevelZero()
            && files(table).stream().anyMatch(e -> e.file().level() == 0);
  }

  private boolean isStaged(String table) {
    return files(table).stream().anyMatch(e -> e.bucket() == TableLayout.POSTPONE_BUCKET);
  }

  private List<String> ourRows(String table, Map<String, String> options) throws IOException {
    return compared.of(ours.rows(database.resolve(table), options));
  }

  /** Which levels have files, by bucket, and how many runs level 0 has. */
  private Map<String, List<Object>> shape(String table) {
    Map<String, Set<Integer>> levels = new TreeMap<>();
    Map<String, Set<Long>> levelZero = new HashMap<>();
    for (ManifestEntry entry : files(table)) {
      String bucket = entry.partition() + "/" + entry.bucket();
      levels.computeIfAbsent(bucket, any -> new HashSet<>()).add(entry.file().level());
      if (entry.file().level() == 0) {
        levelZero
            .computeIfAbsent(bucket, any -> new HashSet<>())
            .add(entry.file().maxSequenceNumber());
      }
    }
    Map<String, List<Object>> shape = new TreeMap<>();
    levels.forEach(
        (bucket, some) ->
            shape.put(bucket, List.of(some, levelZero.getOrDefault(bucket, Set.of()).size())));
    return shape;
  }

  private List<ManifestEntry> files(String table) {
    return lake(table).storage().snapshots().latest().isEmpty()
        ? List.of()
        : WriteFixture.files(target(table));
  }

  /** The id of the latest snapshot; 0 before the first. */
  private long latest() {
    return target(name).storage().snapshots().latestId().orElse(0);
  }

  private WriteTarget target(String table) {
    return WriteFixture.open(database.resolve(table), this.table.schema());
  }

  private LakeTable lake(String table) {
    return LakeTable.find(target(table).storage()).orElseThrow();
  }

  private ReferenceTable reference(String table) {
    return ReferenceTable.of(database.getParent().toString(), "db", table);
  }

  /** The table as it is now, to be changed by the reference. */
  private final class Copy implements AutoCloseable {
    private final String name;

    Copy() throws IOException {
      this(EngineHistory.this.name);
    }

    Copy(String original) throws IOException {
      this.name = original + "x" + copies++;
      Path from = database.resolve(original);
      Path to = database.resolve(name);
      try (Stream<Path> all = Files.walk(from)) {
        for (Path path : all.toList()) {
          Files.copy(path, to.resolve(from.relativize(path)));
        }
      }
    }

    ReferenceTable table() {
      return reference(name);
    }

    @Override
    public void close() throws IOException {
      delete(database.resolve(name));
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
