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

package io.keylake.spark.merge.runs;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.predicate.Predicate;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.spark.merge.rows.RetractMask;
import io.keylake.spark.merge.rows.RowMask;
import io.keylake.spark.merge.rows.VectorMask;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.lsm.KeyRange;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * One sorted run that is merged: its files one after the other, opened when they are reached, one
 * batch in memory. For one thread.
 *
 * <ol>
 *   <li>Files that are {@link Role#REWRITTEN} are read with all columns of the rows. Rows that are
 *       deleted or need not be kept are left out of the batch before anybody sees them.
 *   <li>Where a row group of such a file may be copied ({@link RowGroupTarget}), the run stops in
 *       front of it with its first key alone, until it is said to be read or passed.
 *   <li>Files that are {@link Role#STAYING} are read with their keys, and their sequence columns
 *       where only these tell which row is newer; with all columns where rows are computed, are the
 *       answer, or are told of as changed. Their rows keep their places.
 * </ol>
 */
public final class RunCursor implements GatherSource, Closeable {
  /** What becomes of the files. */
  public enum Role {
    /** Their rows make up what comes out: they are written again, or are the answer. */
    REWRITTEN,
    /** The same, and their rows stand for their keys whatever older runs hold. */
    OVERRIDING,
    /** They stay; rows that are outdated get marked. */
    STAYING;

    /** Whether rows of the files are written again, or are the answer. */
    public boolean isWritten() {
      return this != STAYING;
    }
  }

  private final MergeTask task;
  private final MergeRun run;
  private final KeyWindow window;
  private final int sharedBytes;
  private final RowGroupTarget target;
  private final Deque<CompactionInput> waiting;
  private final KeyBatch keys;
  private @Nullable CompactionInput input;
  private @Nullable FileParts parts;
  private FileParts.@Nullable Part part;
  private @Nullable RunFile open;
  private int row;
  private int end;
  private boolean passed;
  private long rowsRead;
  private long batches;

  /**
   * @param window the keys that are wanted
   * @param sharedBytes leading bytes that all keys of the merge share
   * @param target takes row groups
   */
  private RunCursor(
      MergeTask task, MergeRun run, KeyWindow window, int sharedBytes, RowGroupTarget target) {
    this.task = task;
    this.run = run;
    this.window = window;
    this.sharedBytes = sharedBytes;
    this.target = target;
    this.waiting = new ArrayDeque<>(run.files());
    this.keys = KeyBatch.of(task.keyType());
  }

  /** Cursors over {@code parts}, none of which has been loaded. */
  static List<RunCursor> of(MergeTask task, List<MergeRun> parts, RowGroupTarget target) {
    List<DataFile> all = files(parts);
    List<DataFile> rewritten =
        files(parts.stream().filter(part -> part.role().isWritten()).toList());
    KeyRange keys = task.settings().keys();
    KeyWindow exact = KeyWindow.exactly(task.keyType(), keys);
    KeyWindow around =
        KeyWindow.around(task.keyType(), keys, rewritten.isEmpty() ? all : rewritten);
    int sharedBytes = exact.shareBytes(all);
    List<RunCursor> runs = new ArrayList<>();
    for (MergeRun part : parts) {
      KeyWindow window = part.role().isWritten() ? exact : around;
      runs.add(new RunCursor(task, part, window, sharedBytes, target));
    }
    return runs;
  }

  private static List<DataFile> files(List<MergeRun> parts) {
    return parts.stream()
        .flatMap(part -> part.files().stream())
        .map(CompactionInput::file)
        .toList();
  }

  /**
   * Moves to the next batch that has rows, or in front of the next row group that may be copied;
   * false at the end. The last batch is no longer valid.
   */
  boolean load() throws IOException {
    while (!passed) {
      task.stop().check();
      RunFile file = open;
      if (file == null) {
        if (!openNext()) {
          return false;
        }
        if (isAtGroup()) {
          return true;
        }
      } else if (!file.next()) {
        open = null;
        file.close();
      } else if (take(file)) {
        return true;
      }
    }
    close();
    return false;
  }

  /** Opens the next part of a file, or stops in front of it; false at the end. */
  private boolean openNext() throws IOException {
    FileParts opened = parts;
    if (opened != null) {
      part = opened.next();
      if (part != null) {
        startPart(part);
        return true;
      }
      parts = null;
      opened.close();
    }
    CompactionInput next = waiting.poll();
    input = next;
    if (next == null) {
      return false;
    }
    if (!window.excludes(next.file())) {
      parts = parts(next);
      open = parts == null ? open(next, null) : null;
    }
    return true;
  }

  /** The parts of a file whose row groups may be copied; null when it is read as one. */
  private @Nullable FileParts parts(CompactionInput next) throws IOException {
    if (run.role() == Role.STAYING || next.vector() != null || window.cuts(next.file())) {
      return null;
    }
    Optional<RowGroupSource> source = target.open(next, task.schemaOf(next.file()));
    return source.isPresent() ? new FileParts(source.get()) : null;
  }

  private void startPart(FileParts.Part next) throws IOException {
    RowGroup group = next.group();
    if (group == null) {
      open = open(input(), next);
      return;
    }
    keys.load(task.keyType(), group.keys().first());
    keys.makePrefixes(sharedBytes);
    batches++;
    row = 0;
    end = 1;
  }

  /** Whether the run is in front of a row group; its key is then that of the first row. */
  boolean isAtGroup() {
    return open == null && part != null && part.group() != null;
  }

  /** The last key of the row group that the run is in front of. */
  KeyBatch lastKeyOfGroup() throws IOException {
    return KeyBatch.of(task.keyType(), group().keys().last());
  }

  /** Reads the row group that the run is in front of: loads its first batch. */
  void readGroup() throws IOException {
    RunFile file = open(input(), part);
    open = file;
    if (!file.next() || !take(file)) {
      throw new IllegalStateException("A row group has no rows: " + file.input().path());
    }
  }

  /**
   * Leaves out the row group that the run is in front of, which somebody else has taken care of.
   */
  RowGroup passGroup() {
    RowGroup passedGroup = group();
    part = null;
    row = end;
    rowsRead += passedGroup.rows();
    return passedGroup;
  }

  private RowGroup group() {
    FileParts.Part at = part;
    RowGroup group = at == null || open != null ? null : at.group();
    if (group == null) {
      throw new IllegalStateException("The run is not in front of a row group");
    }
    return group;
  }

  private boolean take(RunFile file) throws IOException {
    int rows = file.mask();
    batches++;
    keys.load(file.keyColumns(), rows);
    keys.makePrefixes(sharedBytes);
    row = 0;
    end = rows;
    if (file.isCut() && rows > 0) {
      row = window.begin(keys);
      end = window.end(keys);
      passed = end < rows;
    }
    rowsRead += Math.max(0, end - row);
    return row < end;
  }

  /** Opens a file; {@code only} is the part that is wanted, null = all of it. */
  private RunFile open(CompactionInput input, FileParts.@Nullable Part only) throws IOException {
    boolean rewritten = run.role().isWritten();
    RunColumns columns =
        rewritten || isReadWhole()
            ? RunColumns.ofMerged(task, run, input.file())
            : run.comparesSequence() ? RunColumns.ofOrderedKeys(task) : RunColumns.ofKeys(task);
    boolean cut = window.cuts(input.file());
    FileScan scan =
        FileScan.whole(input.path(), input.file(), task.schemaOf(input.file()), columns.wanted())
            .withPredicate(predicate(input.file()));
    if (only != null) {
      scan = scan.between(only.start(), only.length());
    }
    DeletionVector vector = task.load(input.vector());
    boolean positions =
        !rewritten || vector != null || task.scan().positions() == FileScan.Positions.NEEDED;
    DataFileReader reader = task.files().open(positions ? scan.withPositions() : scan);
    return new RunFile(
        input,
        reader,
        columns,
        masks(input, columns, rewritten ? vector : null),
        rewritten ? null : vector,
        cut);
  }

  /** Whether rows of files that stay are folded, are the answer, or are told of. */
  private boolean isReadWhole() {
    return task.settings().merge().computesRows()
        || task.settings().tellsReplacedRows()
        || task.scan().use() == RowScan.Use.ANSWERED;
  }

  private @Nullable Predicate predicate(DataFile file) {
    Predicate ofWindow = window.predicate(file);
    return both(both(ofWindow, task.scan().onKeys()), run.onKeys());
  }

  private static @Nullable Predicate both(@Nullable Predicate one, @Nullable Predicate other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return new Predicate.And(List.of(one, other));
  }

  private List<RowMask> masks(
      CompactionInput input, RunColumns columns, @Nullable DeletionVector vector) {
    List<RowMask> masks = new ArrayList<>();
    if (vector != null) {
      masks.add(new VectorMask(vector));
    }
    if (run.role() != Role.OVERRIDING
        && task.settings().merge().skipsRetracts()
        && columns.kind() >= 0
        && input.file().mayHoldDeletes()) {
      masks.add(new RetractMask(columns.kind()));
    }
    return masks;
  }

  /** The keys of the current batch. */
  KeyBatch keys() {
    return keys;
  }

  /** The current row of the batch. */
  int row() {
    return row;
  }

  /** The row behind the last one of the batch. */
  int end() {
    return end;
  }

  void passTo(int newRow) {
    row = newRow;
  }

  /** The number of the current batch, which changes with its rows. */
  public long batch() {
    return batches;
  }

  /** The number of rows of the current batch, wanted or not. */
  public int batchRows() {
    return keys.size();
  }

  /** Whether there is a batch of rows to be written again. */
  public boolean hasRows() {
    return open != null && role().isWritten();
  }

  /** What becomes of the run's files. */
  public Role role() {
    return run.role();
  }

  /** The place of the run in the order newest first. */
  public int rank() {
    return run.rank();
  }

  /** The level of the run. */
  public int level() {
    return run.level();
  }

  /** Rows so far that were not left out. */
  public long rowsRead() {
    return rowsRead;
  }

  /** The file of the current batch. */
  public CompactionInput input() {
    CompactionInput of = input;
    if (of == null) {
      throw new IllegalStateException("The run has no file");
    }
    return of;
  }

  /**
   * The place of a row of the current batch in its file; of files that stay, and where the scan
   * needs it.
   */
  public long position(int ofRow) {
    return current().position(ofRow);
  }

  /** Whether a row of the current batch is there, or deleted by the vector of a file that stays. */
  boolean isLive(int ofRow) {
    return current().isLive(ofRow);
  }

  /** Whether {@link #sequenceColumns} can be asked. */
  public boolean hasSequence() {
    return current().hasSequence();
  }

  /** What orders the rows of the current batch. */
  public ColumnVector[] sequenceColumns() {
    return current().sequenceColumns();
  }

  @Override
  public ColumnVector column(int index) {
    ColumnVector constant = task.partitionValue(index);
    return constant == null ? current().column(current().columns().table().get(index)) : constant;
  }

  @Override
  public ColumnVector sequenceNumbers() {
    int place = current().columns().number();
    return place < 0 ? task.noNumbers() : current().column(place);
  }

  @Override
  public ColumnVector kinds() {
    int place = current().columns().kind();
    return place < 0 ? task.added() : current().column(place);
  }

  /** Whether rows of the current batch may be of kind -U or -D. */
  public boolean mayHoldRetracts() {
    return current().columns().kind() >= 0;
  }

  private RunFile current() {
    RunFile file = open;
    if (file == null) {
      throw new IllegalStateException("The run has no batch");
    }
    return file;
  }

  @Override
  public void close() throws IOException {
    RunFile file = open;
    FileParts opened = parts;
    open = null;
    parts = null;
    part = null;
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      if (opened != null) {
        opened.close();
      }
    }
  }
}
