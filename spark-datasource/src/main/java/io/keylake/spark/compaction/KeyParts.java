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

package io.keylake.spark.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.runs.MergeRun;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.lsm.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/**
 * Cuts the keys of a merge into parts that are merged one after the other, where its open files
 * would not fit memory together.
 *
 * <p>Spark's Parquet reader holds a whole row group of each file that is open, or of it only those
 * pages that may have keys of the part that is read. Where the row groups that may be open at a
 * time are larger than is allowed, the keys of all files are looked at once, and a part ends as
 * soon as the bytes of its rows reach what is allowed.
 *
 * <p>Pinned by {@code KeyMergesModelTest}.
 */
final class KeyParts {
  /** The size of a row group unless a table says otherwise. */
  private static final long ROW_GROUP_BYTES = 128L << 20;

  private static final int BATCH_ROWS = 1024;

  /** How many keys are kept for each part. */
  private static final int KEYS_PER_PART = 32;

  private final StepStorage storage;
  private final long allowedBytes;
  private final RowType keyType;
  private final KeyComparator order;
  private final DataFiles files;

  /**
   * @param allowedBytes how much of the files of a merge may be in memory at a time
   */
  KeyParts(StepStorage storage, long allowedBytes) {
    this.storage = storage;
    this.allowedBytes = allowedBytes;
    this.keyType = storage.spec().schema().keyType();
    this.order = KeyComparator.of(keyType);
    this.files =
        new DataFiles(
            storage.environment().io().configuration(),
            new VectorAllocation(BATCH_ROWS, VectorMemory.ON_HEAP),
            storage.spec().addedDefaults());
  }

  /** A key, and the bytes of the rows from the key before it up to it. */
  private record Sample(BinaryRow key, long bytes) {}

  /** The parts of {@code range}, ascending; together they are the range. */
  List<KeyRange> of(KeyRange range, List<MergeRun> runs) throws IOException {
    List<MergeRun> rewritten = runs.stream().filter(run -> run.role().isWritten()).toList();
    if (rewritten.stream().mapToLong(KeyParts::openBytes).sum() <= allowedBytes) {
      return List.of(range);
    }
    List<Sample> samples = new ArrayList<>();
    for (MergeRun run : rewritten) {
      for (CompactionInput input : run.files()) {
        sample(input, range, samples);
      }
    }
    samples.sort(Comparator.comparing(Sample::key, order));
    List<KeyRange> parts = new ArrayList<>();
    BinaryRow from = range.from();
    long bytes = 0;
    for (Sample sample : samples) {
      bytes += sample.bytes();
      if (bytes >= allowedBytes && (from == null || order.compare(sample.key(), from) > 0)) {
        parts.add(new KeyRange(from, sample.key()));
        from = sample.key();
        bytes = 0;
      }
    }
    parts.add(new KeyRange(from, range.to()));
    return parts;
  }

  /** What of a run may be in memory at a time. */
  private static long openBytes(MergeRun run) {
    return run.files().stream()
        .map(CompactionInput::file)
        .filter(file -> file.formatIdentifier().equals("parquet"))
        .mapToLong(file -> Math.min(file.size(), ROW_GROUP_BYTES))
        .max()
        .orElse(0);
  }

  private void sample(CompactionInput input, KeyRange range, List<Sample> samples)
      throws IOException {
    DataFile file = input.file();
    if (isOutside(file, range)) {
      return;
    }
    long rowBytes = Math.max(1, file.size() / Math.max(1, file.rowCount()));
    long step = Math.max(1, allowedBytes / KEYS_PER_PART / rowBytes);
    PartitionRows keys = new PartitionRows(keyType);
    try (DataFileReader reader =
        files.open(FileScan.whole(input.path(), file, schemaOf(file), keyType))) {
      ColumnVector[] columns = new ColumnVector[keyType.size()];
      long next = step - 1;
      for (long before = 0; reader.next(); before += reader.rows()) {
        storage.environment().stop().check();
        for (int i = 0; i < columns.length; i++) {
          columns[i] = reader.column(i);
        }
        ColumnarBatchRow row = new ColumnarBatchRow(columns);
        for (; next < before + reader.rows(); next += step) {
          row.rowId = (int) (next - before);
          BinaryRow key = keys.toBinary(row);
          if (contains(range, key)) {
            samples.add(new Sample(key, step * rowBytes));
          }
        }
      }
    }
  }

  private boolean isOutside(DataFile file, KeyRange range) {
    return (range.from() != null && order.compare(file.maxKey(), range.from()) < 0)
        || (range.to() != null && order.compare(file.minKey(), range.to()) >= 0);
  }

  private boolean contains(KeyRange range, BinaryRow key) {
    return (range.from() == null || order.compare(key, range.from()) >= 0)
        && (range.to() == null || order.compare(key, range.to()) < 0);
  }

  private TableSchema schemaOf(DataFile file) {
    TableSchema schema = storage.spec().fileSchemas().get(file.schemaId());
    if (schema == null) {
      throw new IllegalStateException(
          "No schema " + file.schemaId() + " for file " + file.name() + " in the compaction");
    }
    return schema;
  }
}
