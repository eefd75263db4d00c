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

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.StateChanges;
import io.keylake.spark.testing.TableRows;
import io.keylake.spark.write.EngineScript.Change;
import io.keylake.spark.write.EngineScript.Compaction;
import io.keylake.spark.write.EngineScript.Step;
import io.keylake.spark.write.EngineScript.Write;
import io.keylake.spark.write.EngineTable.KindColumn;
import io.keylake.spark.write.HistoryValues.Value;
import io.keylake.spark.write.InlineCompaction.Extent;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A random table that is written, replaced and compacted, and the changes between its states: each
 * state with the changes that follow gives the next, no change is left out and none is too much.
 * Runs inside a Spark task.
 */
final class DifferenceHistory {
  private static final int KEYS = 30;

  private final Random random;
  private final StringBuilder log = new StringBuilder();
  private final WriteTarget target;
  private final List<Runnable> steps = new ArrayList<>();
  private final Map<String, String> writeOptions = new LinkedHashMap<>();
  private int changes;

  private DifferenceHistory(Path folder, long seed) {
    this.random = new Random(seed * 7919);
    boolean hasEngine = random.nextInt(3) > 0;
    if (hasEngine) {
      EngineScript script = EngineScript.random(random, new EngineTable(random, "none"), KEYS);
      this.target = create(folder, seed, script.table().schema());
      if (script.table().kindColumn() == KindColumn.OF_WRITE) {
        writeOptions.put("row-kind-column", EngineTable.KIND);
      }
      script.steps().forEach(step -> steps.add(() -> engineStep(script.table(), step)));
    } else {
      HistoryTable table = new HistoryTable(random);
      this.target = create(folder, seed, table.schema());
      for (int step = 0; step < 6; step++) {
        steps.add(() -> tableStep(table));
      }
    }
    log.append(target.schema()).append('\n');
  }

  private static WriteTarget create(Path folder, long seed, TableSchema schema) {
    return WriteFixture.compactedByWriters(WriteFixture.create(folder.resolve("t" + seed), schema));
  }

  /** Carries out a history; the number of changes that were compared, or what went wrong. */
  static Object run(Path folder, long seed) {
    DifferenceHistory history = new DifferenceHistory(folder, seed);
    try {
      history.run();
      return history.changes;
    } catch (Exception | AssertionError failure) {
      java.io.StringWriter trace = new java.io.StringWriter();
      failure.printStackTrace(new java.io.PrintWriter(trace));
      return "seed " + seed + "\n" + history.log + trace;
    }
  }

  private void run() throws IOException {
    steps.forEach(Runnable::run);
    long latest = target.storage().snapshots().latestId().orElse(0);
    List<Map<String, String>> views = new ArrayList<>();
    views.add(Map.of());
    if (TableOptions.of(target.schema()).lookupMode() && target.schema().hasPrimaryKey()) {
      views.add(Map.of("scan.visibility", "compacted"));
    }
    for (Map<String, String> view : views) {
      for (long id = 1; id <= latest; id++) {
        compare(view, id - 1, id);
      }
      if (latest > 2) {
        long from = random.nextInt((int) latest - 1);
        compare(view, from, latest);
        compare(view, latest, from);
      }
    }
  }

  private void engineStep(EngineTable table, Step step) {
    if (step instanceof Write write) {
      List<List<Value>> rows = new ArrayList<>();
      for (Change row : write.rows()) {
        if (table.kindColumn() != KindColumn.NONE || !row.isRetract()) {
          rows.add(row.values());
        }
      }
      write(Replacement.NOTHING, rows);
    } else if (step instanceof Compaction compaction) {
      compact(compaction.extent());
    }
  }

  private void tableStep(HistoryTable table) {
    int count = Math.min(table.pick(1, 6, 30, 120), table.domain);
    List<List<Value>> rows = table.rows(target.schema(), count, table.pick(1, 2, table.domain));
    switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> write(Replacement.NOTHING, rows);
      case 4, 5 -> compact(random.nextBoolean() ? Extent.FULL : Extent.MINOR);
      case 6 -> write(Replacement.of(new OverwriteScope.WholeTable()), rows);
      default ->
          write(
              Replacement.of(
                  table.isPartitioned()
                      ? new OverwriteScope.WrittenPartitions()
                      : new OverwriteScope.WholeTable()),
              rows);
    }
  }

  private void compact(Extent extent) {
    log.append("compacts ").append(extent).append('\n');
    try {
      InlineCompaction.run(target, extent, random.nextBoolean() ? 1L << 20 : 4000);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void write(Replacement replacement, List<List<Value>> rows) {
    log.append("writes ").append(rows.size()).append(' ').append(replacement).append('\n');
    List<Row> sparkRows = new ArrayList<>();
    for (List<Value> row : rows) {
      sparkRows.add(RowFactory.create(row.stream().map(Value::spark).toArray()));
    }
    WriteTarget to =
        new WriteTarget(
            target.name(),
            target.storage(),
            target.schema(),
            TableOptions.of(target.schema(), writeOptions),
            target.functions());
    KeylakeBatchWrite write = WriteFixture.batch(to, replacement);
    DataWriterFactory factory = write.createBatchWriterFactory(() -> 1);
    try {
      write.commit(
          new WriterCommitMessage[] {
            WriteFixture.task(
                factory, TaskContext.get(), TestRows.unsafe(target.schema().fields(), sparkRows))
          });
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void compare(Map<String, String> view, long from, long to) throws IOException {
    LakeTable lake = LakeTable.find(target.storage()).orElseThrow().withOptions(view);
    LakeTable before = state(lake, from);
    LakeTable after = state(lake, to);
    long targetBytes = random.nextBoolean() ? 1 : 1L << 30;
    int batchRows = random.nextBoolean() ? 3 : 100;
    StateChanges reader = new StateChanges(lake, targetBytes, batchRows);
    List<String> found = reader.between(before, after);
    List<String> expected = expected(rows(before), rows(after));
    assertThat(StateChanges.sorted(found))
        .as("changes from %d to %d, %s, splits of %d", from, to, view, targetBytes)
        .isEqualTo(StateChanges.sorted(expected));
    checkPairs(found);
    changes += found.size();
  }

  private static @Nullable LakeTable state(LakeTable lake, long id) {
    if (id == 0) {
      return null;
    }
    Snapshot snapshot = lake.storage().snapshots().load(id);
    return lake.at(snapshot);
  }

  private List<String> rows(@Nullable LakeTable state) throws IOException {
    return state == null ? List.of() : TableRows.of(state);
  }

  /** What the rows of two states differ in, found naively. */
  private List<String> expected(List<String> before, List<String> after) {
    List<String> changes = new ArrayList<>();
    if (!target.schema().hasPrimaryKey()) {
      Map<String, Integer> surplus = new LinkedHashMap<>();
      before.forEach(row -> surplus.merge(row, -1, Integer::sum));
      after.forEach(row -> surplus.merge(row, 1, Integer::sum));
      surplus.forEach(
          (row, count) ->
              LongStream.range(0, Math.abs(count))
                  .forEach(i -> changes.add((count < 0 ? "-D " : "+I ") + row)));
      return changes;
    }
    Map<String, String> old = byKey(before);
    Map<String, String> now = byKey(after);
    old.forEach(
        (key, row) -> {
          String newer = now.get(key);
          if (newer == null) {
            changes.add("-D " + row);
          } else if (!newer.equals(row)) {
            changes.add("-U " + row);
            changes.add("+U " + newer);
          }
        });
    now.forEach(
        (key, row) -> {
          if (!old.containsKey(key)) {
            changes.add("+I " + row);
          }
        });
    return changes;
  }

  private Map<String, String> byKey(List<String> rows) {
    Map<String, String> byKey = new LinkedHashMap<>();
    rows.forEach(row -> assertThat(byKey.put(key(row), row)).isNull());
    return byKey;
  }

  /** The first columns of the table are its key; the text of a row begins with them. */
  private String key(String row) {
    int columns = target.schema().primaryKeys().size();
    StructType type = SparkTypes.toSpark(target.schema().rowType());
    int end = row.indexOf(",\"" + type.fields()[columns].name() + "\":");
    assertThat(end).isPositive();
    return row.substring(0, end);
  }

  private void checkPairs(List<String> found) {
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).startsWith("-U ")) {
        assertThat(found.get(i + 1)).startsWith("+U ");
        assertThat(key(found.get(i + 1).substring(3))).isEqualTo(key(found.get(i).substring(3)));
      }
    }
  }
}
