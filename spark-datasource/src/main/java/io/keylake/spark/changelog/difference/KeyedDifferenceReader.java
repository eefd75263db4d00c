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

package io.keylake.spark.changelog.difference;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.changelog.ChangeRows;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.file.FileScan.Positions;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.runs.KeyVersions;
import io.keylake.spark.merge.runs.KeyWalk;
import io.keylake.spark.merge.runs.MergeSettings;
import io.keylake.spark.merge.runs.MergeTask;
import io.keylake.spark.merge.runs.RowScan;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.spark.vector.ValueEquality;
import io.keylake.table.difference.DifferenceSplit;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineRules;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the keys of a split: one walk over the keys of both states. For one thread.
 *
 * <ol>
 *   <li>First keys alone are read, with what orders their rows. Keys that only shared files have
 *       are passed over, as are those for which the same stored rows stand in both states.
 *   <li>The values of the others are read afterwards, from where these rows are; rows of both
 *       states that have the same values in all columns are no change.
 *   <li>A key that came is +I, one that went -D with its last values, one with other values -U with
 *       the old ones and, next to it, +U with the new ones.
 * </ol>
 *
 * <p>Memory: one batch of keys of each run, and the values of some thousand rows. Pinned by {@code
 * DifferenceHistoryTest}.
 */
final class KeyedDifferenceReader implements ChangeRows {
  /** About how many stored rows are read together. */
  private static final int MAX_ROWS = 16 * 1024;

  private static final int FIRST_KEY = 0;

  private final ChangeTask task;
  private final DifferenceRuns runs;
  private final KeyWalk walk;
  private final StandingRows before;
  private final StandingRows after;
  private final ChangedKeys keys = new ChangedKeys();
  private final LateRows stored;
  private final KeyStates states;
  private final ValueEquality[] equality;
  private final ChangeOutput output;
  private final boolean[] isNeeded;
  private boolean started;
  private boolean ended;
  private int rangeRow;
  private int rangeEnd;
  private long counted;

  KeyedDifferenceReader(ChangeTask task, DifferenceSplit split, DifferenceRuns runs, String table)
      throws IOException {
    TableSchema schema = task.spec().data().schema();
    this.task = task;
    this.runs = runs;
    ValueColumns columns = columns(task, split, runs, table);
    Predicate onKeys = new TouchedKeys(task, runs).predicate();
    this.walk = KeyWalk.over(merge(task, split, runs, table, onKeys), runs.runs());
    this.before = new StandingRows(runs, Moment.BEFORE, schema);
    this.after = new StandingRows(runs, Moment.AFTER, schema);
    this.stored = new LateRows(task, split, columns);
    this.states = new KeyStates(task, table, columns, stored);
    this.equality =
        Arrays.stream(columns.types().fields())
            .map(field -> new ValueEquality(field.dataType()))
            .toArray(ValueEquality[]::new);
    this.output = new ChangeOutput(task, columns);
    this.isNeeded = new boolean[runs.runs().size()];
    for (int run = 0; run < isNeeded.length; run++) {
      isNeeded[run] = runs.differs(run);
    }
  }

  /** Rows can only be equal where both states have some. */
  private static ValueColumns columns(
      ChangeTask task, DifferenceSplit split, DifferenceRuns runs, String table) {
    if (!runs.isEmpty(Moment.BEFORE) && !runs.isEmpty(Moment.AFTER)) {
      return ValueColumns.ofAll(task, split);
    }
    TableSchema schema = task.spec().data().schema();
    List<Integer> wanted = ValueColumns.output(task.spec().data());
    return ValueColumns.of(
        task,
        split,
        TableOptions.of(schema).merge().computesRows()
            ? KeyFolder.needed(EngineRules.of(schema, table), wanted)
            : wanted);
  }

  private static MergeTask merge(
      ChangeTask task,
      DifferenceSplit split,
      DifferenceRuns runs,
      String table,
      @Nullable Predicate onKeys) {
    ReadSpec spec = task.spec().data();
    RowScan scan =
        new RowScan(
            List.of(FirstKeyColumn.of(spec.schema()).position()),
            RowScan.Use.ANSWERED,
            Positions.NEEDED,
            onKeys,
            spec.batchRows(),
            spec.memory());
    MergeSettings settings =
        new MergeSettings(
            table,
            spec.schema(),
            TableOptions.of(spec.schema()).merge(),
            spec.fileSchemas(),
            spec.addedDefaults(),
            split.partition(),
            split.keys());
    return new MergeTask(
        settings, scan, HadoopFileIO.of(task.conf()), runs.runs().size(), StopCheck.NEVER);
  }

  @Override
  public boolean next() throws IOException {
    if (!started) {
      started = true;
      countFiles();
      walk.start();
    }
    while (!output.next(states.sources())) {
      keys.clear();
      if (ended) {
        return false;
      }
      collect();
      stored.read(keys);
      states.compute(keys);
      for (int key = 0; key < keys.keys(); key++) {
        compare(key);
      }
    }
    return true;
  }

  private void countFiles() {
    runs.runs().stream()
        .flatMap(run -> run.files().stream())
        .forEach(file -> task.metrics().opened(file.file().size(), 0));
  }

  /** Collects keys that may have changed, until there are enough or no more. */
  private void collect() throws IOException {
    while (keys.rows() < MAX_ROWS) {
      if (rangeRow < rangeEnd) {
        takeRange();
        continue;
      }
      switch (walk.next()) {
        case RANGE -> {
          if (isNeeded[walk.run()]) {
            rangeRow = walk.from();
            rangeEnd = walk.to();
          }
        }
        case KEY -> take(walk.versions());
        case BATCH_END -> {}
        case ROW_GROUP -> throw new IllegalStateException("No row group may be copied");
        case END -> {
          ended = true;
          count();
          return;
        }
      }
    }
  }

  private void count() {
    long read = walk.runs().stream().mapToLong(RunCursor::rowsRead).sum();
    task.metrics().comparedKeys(read - counted);
    counted = read;
  }

  private void takeRange() {
    int run = walk.run();
    RunCursor cursor = walk.runs().get(run);
    while (rangeRow < rangeEnd && keys.rows() < MAX_ROWS) {
      int row = rangeRow++;
      boolean was = before.stands(run, cursor, row);
      boolean is = after.stands(run, cursor, row);
      if (was != is && !StandingRows.isRetract(cursor, row)) {
        keys.beginKey();
        if (was) {
          add(cursor, row);
        }
        keys.endBefore();
        if (is) {
          add(cursor, row);
        }
        keys.endKey();
      }
    }
  }

  private void take(KeyVersions versions) {
    boolean anyDiffers = false;
    for (int version = 0; version < versions.count(); version++) {
      anyDiffers |= isNeeded[versions.run(version)];
    }
    if (!anyDiffers) {
      return;
    }
    keys.beginKey();
    list(versions, before);
    keys.endBefore();
    list(versions, after);
    keys.endKey();
  }

  private void list(KeyVersions versions, StandingRows rows) {
    int count = rows.take(versions);
    for (int i = 0; i < count; i++) {
      int version = rows.version(i);
      add(versions.cursor(version), versions.row(version));
    }
  }

  private void add(RunCursor cursor, int row) {
    int file = cursor.input().runRank();
    long position = cursor.position(row);
    byte kind = cursor.mayHoldRetracts() ? cursor.kinds().getByte(row) : ChangeKind.INSERT.code();
    if (keys.add(file, position, kind)) {
      stored.want(file, position, cursor.column(FIRST_KEY), row);
    }
  }

  private void compare(int key) {
    int old = states.source(keys, key, Moment.BEFORE);
    int now = states.source(keys, key, Moment.AFTER);
    int rowBefore = old < 0 ? -1 : states.row(keys, key, Moment.BEFORE);
    int rowAfter = now < 0 ? -1 : states.row(keys, key, Moment.AFTER);
    if (old < 0 && now >= 0) {
      output.add(ChangeKind.INSERT, now, rowAfter);
    } else if (old >= 0 && now < 0) {
      output.add(ChangeKind.DELETE, old, rowBefore);
    } else if (old >= 0 && !isSame(old, rowBefore, now, rowAfter)) {
      output.add(ChangeKind.UPDATE_BEFORE, old, rowBefore);
      output.add(ChangeKind.UPDATE_AFTER, now, rowAfter);
    }
  }

  private boolean isSame(int left, int leftRow, int right, int rightRow) {
    GatherSource a = states.sources().get(left);
    GatherSource b = states.sources().get(right);
    for (int i = 0; i < equality.length; i++) {
      if (!equality[i].isSame(a.column(i), leftRow, b.column(i), rightRow)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int rows() {
    return output.rows();
  }

  @Override
  public ColumnVector column(int index) {
    return output.column(index);
  }

  @Override
  public ColumnVector kinds() {
    return output.kinds();
  }

  @Override
  public @Nullable ColumnVector sequenceNumbers() {
    return output.sequenceNumbers();
  }

  @Override
  public void close() throws IOException {
    try {
      walk.close();
    } finally {
      stored.close();
      states.close();
      output.close();
    }
  }
}
