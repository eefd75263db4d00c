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

import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.fold.VersionBatch;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of each changed key in the two states: a stored row, one that is folded of several, or
 * none. For one thread.
 *
 * <ol>
 *   <li>A key of which one stored row counts has that row as it is.
 *   <li>Several are folded by the rules of the table's engine, oldest first.
 *   <li>A row of kind -U or -D, stored or folded, is none.
 * </ol>
 */
final class KeyStates implements AutoCloseable {
  /** Number of the source of stored rows. */
  static final int STORED = 0;

  /** Number of the source of folded rows. */
  static final int FOLDED = 1;

  /** Stands for no row. */
  static final int NONE = -1;

  private final LateRows stored;
  private final @Nullable KeyFolder folder;
  private final @Nullable VersionBatch versions;
  private final List<GatherSource> sources = new ArrayList<>();
  private int[] foldsBefore = new int[0];
  private int[] foldsAfter = new int[0];
  private @Nullable FoldedRows folded;

  KeyStates(ChangeTask task, String table, ValueColumns columns, LateRows stored) {
    this.stored = stored;
    TableSchema schema = task.spec().data().schema();
    boolean folds = TableOptions.of(schema).merge().computesRows();
    this.folder =
        folds
            ? new KeyFolder(table, schema, EngineRules.of(schema, table), columns.positions())
            : null;
    this.versions = folds ? new VersionBatch(columns.types()) : null;
  }

  /** Finds the rows of all keys, whose stored rows have been read. */
  void compute(ChangedKeys keys) {
    folded = null;
    sources.clear();
    sources.add(stored);
    VersionBatch batch = versions;
    KeyFolder engine = folder;
    if (batch == null || engine == null) {
      return;
    }
    batch.clear();
    for (Moment moment : Moment.values()) {
      pick(keys, moment, batch);
    }
    if (batch.keys() > 0) {
      batch.gather(List.of(stored));
      FoldedRows rows = engine.fold(batch);
      folded = rows;
      sources.add(rows);
    }
  }

  private void pick(ChangedKeys keys, Moment moment, VersionBatch batch) {
    int[] ofKeys = room(moment, keys.keys());
    Arrays.fill(ofKeys, 0, keys.keys(), NONE);
    for (int key = 0; key < keys.keys(); key++) {
      int count = keys.count(key, moment);
      if (count > 1) {
        ofKeys[key] = batch.keys();
        batch.beginKey();
        for (int i = 0; i < count; i++) {
          batch.add(STORED, keys.row(key, moment, i));
        }
      }
    }
  }

  private int[] room(Moment moment, int count) {
    if (foldsBefore.length < count) {
      foldsBefore = new int[count];
      foldsAfter = new int[count];
    }
    return folds(moment);
  }

  /** The numbers of the folded rows of keys. */
  private int[] folds(Moment moment) {
    return moment == Moment.BEFORE ? foldsBefore : foldsAfter;
  }

  /** The sources of rows, by their numbers. */
  List<GatherSource> sources() {
    return sources;
  }

  /** The number of the source that has the row of a key; {@link #NONE} when there is no row. */
  int source(ChangedKeys keys, int key, Moment moment) {
    int count = keys.count(key, moment);
    if (count == 0) {
      return NONE;
    } else if (count == 1) {
      return keys.isRetract(keys.row(key, moment, 0)) ? NONE : STORED;
    }
    FoldedRows rows = folded;
    if (rows == null) {
      throw new IllegalStateException("Rows of a key have not been folded");
    }
    return ChangeKind.ofCode(rows.kinds().getByte(folds(moment)[key])).isRetract() ? NONE : FOLDED;
  }

  /** The row of a key in its source. */
  int row(ChangedKeys keys, int key, Moment moment) {
    return keys.count(key, moment) == 1 ? keys.row(key, moment, 0) : folds(moment)[key];
  }

  @Override
  public void close() {
    if (folder != null) {
      folder.close();
    }
    if (versions != null) {
      versions.close();
    }
  }
}
