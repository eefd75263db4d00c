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

package io.keylake.spark.compaction.changes;

import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.gather.RowGather;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.spark.merge.runs.MergeSink;
import io.keylake.spark.merge.runs.MergeSources;
import io.keylake.spark.merge.runs.MergedKeys;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.changelog.ChangelogOptions;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Writes what became of keys as changelog rows.
 *
 * <ol>
 *   <li>A key without a row before, or with a delete: +I of its row, nothing when that is a delete.
 *   <li>A key with a row before: -D of that row when its row is a delete now, else -U of that row
 *       and +U of the new one; both have their own sequence numbers.
 *   <li>Where that is asked for, a -U and a +U with equal values in all columns that count are left
 *       out.
 *   <li>A row that has expired and is not written again is a delete. A key with old rows only has
 *       not changed, even if it expires.
 *   <li>Engine first-row: nothing of a key whose row stays.
 * </ol>
 *
 * <p>Example: level 0 has (k=1, b) and -D (k=2), level 5 has (k=1, a), (k=2, c), (k=3, d): -U (1,
 * a), +U (1, b), -D (2, c).
 *
 * <p>Rule source: table behaviour, changelog producers lookup and full-compaction; pinned by {@code
 * ChangedRowsTest}. For one thread; the owner of the writer closes it.
 */
public final class ChangedRows implements MergeSink {
  /** Whether a row that stands for its key is not written again and so is gone. */
  @FunctionalInterface
  public interface Gone {
    /** Asked of rows of the current batches. */
    boolean isGone(int source, int row);
  }

  private static final byte INSERT = ChangeKind.INSERT.code();
  private static final byte UPDATE_BEFORE = ChangeKind.UPDATE_BEFORE.code();
  private static final byte UPDATE_AFTER = ChangeKind.UPDATE_AFTER.code();
  private static final byte DELETE = ChangeKind.DELETE.code();

  private final Gone gone;
  private final DataFileWriter writer;
  private final NewDataFiles names;
  private final boolean rowsStay;
  private final @Nullable RowPairs pairs;
  private final RowGather gather;
  private final PickedRows picked = new PickedRows();
  private byte[] kinds = new byte[0];
  private int written;
  private @Nullable ColumnVector[] kindsOf = new ColumnVector[0];

  /** A sink that gives the rows to {@code writer}. */
  public ChangedRows(ChangelogSpec spec, Gone gone, DataFileWriter writer, NewDataFiles names) {
    this.gone = gone;
    this.writer = writer;
    this.names = names;
    TableSchema schema = spec.schema();
    this.rowsStay = TableOptions.of(schema).merge().engine() == MergeOptions.Engine.FIRST_ROW;
    this.pairs =
        spec.options().duplicates() == ChangelogOptions.Duplicates.LEFT_OUT
            ? RowPairs.of(schema, spec.options().ignoredColumns())
            : null;
    this.gather = new RowGather(SparkTypes.toSpark(schema.rowType()));
  }

  @Override
  public void accept(MergedKeys keys, MergeSources sources) throws IOException {
    List<GatherSource> all = sources.all();
    kindsOf = new ColumnVector[all.size()];
    picked.clear(2 * keys.size());
    if (kinds.length < 2 * keys.size()) {
      kinds = new byte[2 * keys.size()];
    }
    RowPairs compared = pairs;
    if (compared != null) {
      compared.clear();
    }
    for (int key = 0; key < keys.size(); key++) {
      if (keys.beforeRun(key) != MergedKeys.UNCHANGED && !(rowsStay && isSame(keys, key))) {
        add(keys, key, all);
      }
    }
    if (compared != null) {
      leaveOutEqual(compared, all);
    }
    written = 0;
    gather.gather(all, picked, this::write);
  }

  /** Whether the row of a key is the one that it was. */
  private static boolean isSame(MergedKeys keys, int key) {
    return keys.beforeRun(key) == keys.afterRun(key) && keys.beforeRow(key) == keys.afterRow(key);
  }

  private void add(MergedKeys keys, int key, List<GatherSource> all) {
    int afterRun = keys.afterRun(key);
    int afterRow = keys.afterRow(key);
    int beforeRun = keys.beforeRun(key);
    int beforeRow = keys.beforeRow(key);
    boolean was = beforeRun >= 0 && !isRetract(all, beforeRun, beforeRow);
    boolean is = !gone.isGone(afterRun, afterRow) && !isRetract(all, afterRun, afterRow);
    if (was && is) {
      if (pairs != null) {
        pairs.add(picked.size(), beforeRun, beforeRow, afterRun, afterRow);
      }
      pick(beforeRun, beforeRow, UPDATE_BEFORE);
      pick(afterRun, afterRow, UPDATE_AFTER);
    } else if (was) {
      pick(beforeRun, beforeRow, DELETE);
    } else if (is) {
      pick(afterRun, afterRow, INSERT);
    }
  }

  private void pick(int source, int row, byte kind) {
    kinds[picked.size()] = kind;
    picked.add(source, row);
  }

  private boolean isRetract(List<GatherSource> all, int source, int row) {
    ColumnVector vector = kindsOf[source];
    if (vector == null) {
      vector = all.get(source).kinds();
      kindsOf[source] = vector;
    }
    byte kind = vector.getByte(row);
    return kind == DELETE || kind == UPDATE_BEFORE;
  }

  /** Takes out the two rows of each pair that is equal. */
  private void leaveOutEqual(RowPairs compared, List<GatherSource> all) {
    compared.compare(all);
    int pair = 0;
    int kept = 0;
    int count = picked.size();
    int[] sources = new int[count];
    int[] rows = new int[count];
    for (int item = 0; item < count; item++) {
      if (pair < compared.size() && compared.item(pair) == item) {
        if (compared.isEqual(pair++)) {
          item++;
          continue;
        }
      }
      sources[kept] = picked.source(item);
      rows[kept] = picked.row(item);
      kinds[kept++] = kinds[item];
    }
    picked.clear(kept);
    for (int item = 0; item < kept; item++) {
      picked.add(sources[item], rows[item]);
    }
  }

  private void write(RowBatch batch) throws IOException {
    for (int row = 0; row < batch.size(); row++) {
      batch.number(row, batch.sequenceNumber(row), kinds[written++]);
    }
    writer.write(batch, names);
  }
}
