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

package io.keylake.spark.sort;

import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.gather.RowGather;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.fold.StorableValues;
import io.keylake.spark.merge.fold.VersionBatch;
import io.keylake.table.options.engine.EngineRules;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Rows of keys that occur more than once on their way through the folder: in as rows, oldest first,
 * out as rows. For one thread; the owner closes it.
 *
 * <p>A key with very many rows is folded piece by piece, the result of a piece being the first row
 * of the next, so that not all of them are in memory. Where that would not give the same (rows that
 * are retracted in sequence groups) all rows of the key are held.
 */
final class RowFold implements AutoCloseable {
  private static final int MAX_ROWS = 16 * 1024;
  private static final long MAX_BYTES = 8L << 20;

  private final boolean inPieces;
  private final KeyFolder folder;
  private final VersionBatch versions;
  private final StorableValues storable;
  private final RowGather gather;
  private final PickedRows picked = new PickedRows();
  private final RowBatch folded = new RowBatch();
  private long waitingRows;
  private long waitingBytes;
  private boolean onlyAdds;

  RowFold(String table, TableSchema schema, EngineRules rules) {
    StructType type = SparkTypes.toSpark(schema.rowType());
    List<Integer> all = IntStream.range(0, type.size()).boxed().toList();
    this.inPieces = rules.foldsInPieces();
    this.folder = new KeyFolder(table, schema, rules, all);
    this.versions = new VersionBatch(type);
    this.storable = new StorableValues(table, schema);
    this.gather = new RowGather(type);
  }

  /** Forgets everything. */
  void clear() {
    versions.clear();
    folded.clear();
    waitingRows = 0;
    waitingBytes = 0;
  }

  /** Whether so much waits that it should be folded before another key. */
  boolean isFull() {
    return waitingRows >= MAX_ROWS || waitingBytes >= MAX_BYTES;
  }

  /** The number of keys, folded or waiting. */
  int keys() {
    return versions.keys() + folded.size();
  }

  /** Begins a key with its first row. */
  void beginKey(RowBatch batch, int row) {
    onlyAdds = true;
    versions.beginKey();
    append(batch, row);
  }

  /** Adds the next row of the key: the current one of {@code rows}. */
  void add(SortedRows rows, long sequenceNumber) throws IOException {
    if (isFull() && (inPieces || onlyAdds)) {
      foldPiece();
    }
    versions.append(rows.base(), rows.offset(), rows.length(), sequenceNumber, rows.kind());
    count(rows.length(), rows.kind());
  }

  private void append(RowBatch batch, int row) {
    int start = batch.start(row);
    int length = batch.start(row + 1) - start;
    versions.append(
        batch.bytes(),
        Platform.BYTE_ARRAY_OFFSET + (long) start,
        length,
        batch.sequenceNumber(row),
        batch.kind(row));
    count(length, batch.kind(row));
  }

  private void count(int bytes, byte kind) {
    waitingRows++;
    waitingBytes += bytes;
    onlyAdds &= kind == ChangeKind.INSERT.code() || kind == ChangeKind.UPDATE_AFTER.code();
  }

  /** Folds what waits; what the last key has come to waits on, as its first row. */
  private void foldPiece() throws IOException {
    fold();
    waitingRows = 0;
    waitingBytes = 0;
    int last = folded.size() - 1;
    versions.beginKey();
    append(folded, last);
    waitingRows = 0;
    waitingBytes = 0;
    folded.removeLast();
  }

  /** The folded rows of all keys, valid until the next call of any method. */
  RowBatch finish() throws IOException {
    fold();
    return folded;
  }

  private void fold() throws IOException {
    if (versions.keys() == 0) {
      return;
    }
    FoldedRows rows = folder.fold(versions);
    storable.check(rows);
    picked.clear(rows.rows());
    for (int row = 0; row < rows.rows(); row++) {
      picked.add(0, row);
    }
    gather.gather(List.of(rows), picked, batch -> folded.addRange(batch, 0, batch.size()));
    versions.clear();
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
