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

package io.keylake.spark.write.change;

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.gather.RowGather;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.fold.VersionBatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Finds out which updates of a table whose engine computes rows can be written as records.
 *
 * <p>For each update a record is made that should do ({@link RecordRow}). Records of many updates
 * are folded onto the old rows by the engine's own rules: where the wanted row comes out the record
 * is written, elsewhere the wanted row as an override. For one thread; the owner closes it.
 */
final class RecordSearch implements Closeable {
  private final RowChanges.Target target;
  private final RecordRow record;
  private final KeyFolder folder;
  private final VersionBatch versions;
  private final RowGather gather;
  private final PickedRows picked = new PickedRows();
  private final RowBatch wanted = new RowBatch();
  private final RowBatch records = new RowBatch();
  private final UnsafeRow view;
  private int compared;

  /** Updates under {@code rules}, written to {@code target}. */
  RecordSearch(ChangeRules rules, RowChanges.Target target) {
    StructType type = SparkTypes.toSpark(rules.schema().rowType());
    List<Integer> all = IntStream.range(0, type.size()).boxed().toList();
    this.target = target;
    this.record = new RecordRow(rules.schema(), rules.engine());
    this.folder = new KeyFolder(rules.table(), rules.schema(), rules.engine(), all);
    this.versions = new VersionBatch(type);
    this.gather = new RowGather(type);
    this.view = new UnsafeRow(type.size());
  }

  /** Takes an update of {@code old}, which is not newer than {@code next}. */
  void add(UnsafeRow old, UnsafeRow next) throws IOException {
    UnsafeRow made = record.of(old, next);
    versions.beginKey();
    append(old, 0);
    append(made, 1);
    add(wanted, next);
    add(records, made);
    if (wanted.isFull() || records.isFull()) {
      finish();
    }
  }

  private void append(UnsafeRow row, long number) {
    versions.append(
        row.getBaseObject(),
        row.getBaseOffset(),
        row.getSizeInBytes(),
        number,
        ChangeKind.INSERT.code());
  }

  private static void add(RowBatch batch, UnsafeRow row) {
    batch.add(
        row.getBaseObject(),
        row.getBaseOffset(),
        row.getSizeInBytes(),
        0,
        ChangeKind.UPDATE_AFTER.code());
  }

  /** Writes everything that was taken. */
  void finish() throws IOException {
    if (wanted.isEmpty()) {
      return;
    }
    FoldedRows folded = folder.fold(versions);
    picked.clear(folded.rows());
    for (int row = 0; row < folded.rows(); row++) {
      picked.add(0, row);
    }
    compared = 0;
    gather.gather(List.of(folded), picked, this::compare);
    versions.clear();
    wanted.clear();
    records.clear();
  }

  private void compare(RowBatch folded) throws IOException {
    for (int row = 0; row < folded.size(); row++) {
      boolean isWanted =
          !ChangeKind.ofCode(folded.kind(row)).isRetract()
              && Arrays.equals(
                  folded.bytes(),
                  folded.start(row),
                  folded.start(row + 1),
                  wanted.bytes(),
                  wanted.start(compared),
                  wanted.start(compared + 1));
      if (isWanted) {
        records.view(compared, view);
        target.write(view, ChangeCode.ofRecord(ChangeKind.UPDATE_AFTER));
      } else {
        wanted.view(compared, view);
        target.write(view, ChangeCode.ofOverride(ChangeKind.INSERT));
      }
      compared++;
    }
  }

  @Override
  public void close() {
    try {
      folder.close();
    } finally {
      versions.close();
    }
  }
}
