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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.spark.merge.rows.VectorMask;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.spark.vector.DropMask;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.split.StoredVector;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of an append table's files one after the other into new files. For one thread.
 *
 * <ol>
 *   <li>Rows keep their order. They are numbered anew, from the smallest number of the inputs.
 *   <li>Rows that a deletion vector deletes are left out.
 *   <li>Columns come as the table has them now: renamed, cast, with the defaults of added columns;
 *       partition columns from the bucket's partition.
 *   <li>Where rows have ids, they and the sequence numbers are stored, see {@link TrackedRows}.
 *   <li>Where a file has no other schema, large row groups without deleted rows are copied as they
 *       are ({@link RowGroupSource}); what lies between them is read and written.
 * </ol>
 *
 * Rule source: table behaviour, append tables; pinned by {@code ConcatenationOracleTest}.
 */
final class Concatenation {
  /** Row id and sequence number, the last columns of new files where rows are tracked. */
  private static final int TRACKING_COLUMNS = 2;

  private final StepStorage storage;
  private final CompactionSpec spec;
  private final HadoopFileIO io;
  private final StopCheck stop;
  private final DataFiles opener;
  private final RowType wanted;
  private final boolean isTracked;
  private final PickedRows picked = new PickedRows();
  private final DropMask drops = new DropMask();

  /** For the files of one table. */
  Concatenation(StepStorage storage) {
    this.storage = storage;
    this.spec = storage.spec();
    this.io = storage.environment().io();
    this.stop = storage.environment().stop();
    this.opener =
        new DataFiles(
            io.configuration(),
            new VectorAllocation(RowBatch.MAX_ROWS, VectorMemory.ON_HEAP),
            spec.addedDefaults());
    this.wanted = spec.schema().rowType();
    this.isTracked = TrackedRows.areStored(spec.schema());
  }

  /** Writes the rows of {@code step}'s inputs into new files. */
  StepResult run(CompactionPlan plan, CompactionStep.Concatenate step) throws IOException {
    return run(plan, step.inputs(), step.firstSequenceNumber(), null);
  }

  /** Writes the rows of {@code step}'s file that stay into new files. */
  StepResult run(CompactionPlan plan, CompactionStep.Remainder step) throws IOException {
    long first = step.input().file().minSequenceNumber();
    return run(plan, step.inputs(), first, step.deleted());
  }

  /** Writes the rows of {@code step}'s inputs into new files of their new buckets. */
  StepResult run(CompactionPlan plan, CompactionStep.SpreadRows step) throws IOException {
    try (SpreadOutput output = new SpreadOutput(storage, plan, step.to())) {
      Numbered rows = new Numbered(plan.partition(), output, step.firstSequenceNumber());
      long read = rows.appendAll(step.inputs(), null);
      return StepResult.spread(output.finish(), read);
    }
  }

  private StepResult run(
      CompactionPlan plan,
      List<CompactionInput> inputs,
      long firstSequence,
      @Nullable DeletionVector deleted)
      throws IOException {
    try (BucketOutput output = new BucketOutput(storage, plan)) {
      Numbered rows = new Numbered(plan.partition(), output, firstSequence);
      long read = rows.appendAll(inputs, deleted);
      return new StepResult(output.finish(), Map.of(), read);
    }
  }

  /** The rows of one step on their way into files. */
  private final class Numbered {
    private final BinaryRow partition;
    private final RowOutput output;
    private long nextSequence;

    Numbered(BinaryRow partition, RowOutput output, long firstSequence) {
      this.partition = partition;
      this.output = output;
      this.nextSequence = firstSequence;
    }

    /** Appends the rows of files one after the other; the number of rows read. */
    long appendAll(List<CompactionInput> inputs, @Nullable DeletionVector deleted)
        throws IOException {
      long rows = 0;
      for (CompactionInput input : inputs) {
        append(input, both(load(input.vector()), deleted));
        rows += input.file().rowCount();
      }
      return rows;
    }

    private void append(CompactionInput input, @Nullable DeletionVector vector) throws IOException {
      TableSchema fileSchema = spec.fileSchema(input.file());
      FileScan whole = FileScan.whole(input.path(), input.file(), fileSchema, stored(input));
      FileScan scan = vector == null && !isTracked ? whole : whole.withPositions();
      Optional<RowGroupSource> source =
          isTracked ? Optional.empty() : output.rowGroups(input, fileSchema);
      if (source.isPresent()) {
        try (RowGroupSource open = source.get()) {
          appendRowGroups(open, scan, vector);
        }
      } else {
        encode(scan, vector);
      }
    }

    private void appendRowGroups(
        RowGroupSource source, FileScan whole, @Nullable DeletionVector vector) throws IOException {
      long encodeFrom = 0;
      long encodeTo = 0;
      long firstRow = 0;
      for (RowGroup group : source.rowGroups()) {
        boolean isWhole = vector == null || !vector.intersects(firstRow, firstRow + group.rows());
        firstRow += group.rows();
        if (isWhole && group.isCopyable()) {
          encode(whole.between(encodeFrom, encodeTo - encodeFrom), vector);
          stop.check();
          output.append(group, nextSequence);
          nextSequence += group.rows();
          encodeFrom = group.start() + group.bytes();
        }
        encodeTo = group.start() + group.bytes();
      }
      encode(whole.between(encodeFrom, encodeTo - encodeFrom), vector);
    }

    private void encode(FileScan scan, @Nullable DeletionVector vector) throws IOException {
      if (scan.length() == 0) {
        return;
      }
      VectorMask mask = vector == null ? null : new VectorMask(vector);
      try (DataFileReader reader = opener.open(scan);
          AppendSource source =
              new AppendSource(reader, scan.file(), spec.schema(), partition, RowBatch.MAX_ROWS)) {
        while (reader.next()) {
          source.startBatch();
          stop.check();
          drops.reset(reader.rows());
          if (mask != null) {
            mask.apply(reader, drops);
          }
          picked.clear(reader.rows());
          for (int row = 0; row < reader.rows(); row++) {
            if (!drops.isDropped(row)) {
              picked.add(0, row);
              source.number(row, nextSequence++);
            }
          }
          output.write(List.of(source), picked);
        }
      }
    }
  }

  private static @Nullable DeletionVector both(
      @Nullable DeletionVector stored, @Nullable DeletionVector more) {
    if (stored == null || more == null) {
      return stored == null ? more : stored;
    }
    DeletionVector all = new DeletionVector();
    all.addAll(stored);
    all.addAll(more);
    return all;
  }

  /** The columns of the new files that the file may have. */
  private RowType stored(CompactionInput input) {
    return isTracked && !TrackedRows.areStored(input.file())
        ? RowType.of(wanted.fields().subList(0, wanted.size() - TRACKING_COLUMNS))
        : wanted;
  }

  private @Nullable DeletionVector load(@Nullable StoredVector stored) {
    if (stored == null) {
      return null;
    }
    byte[] content = io.read(new Location(stored.path()));
    DeletionVector vector = DeletionVectorFile.decode(content, stored.ref(), stored.path());
    return vector.isEmpty() ? null : vector;
  }
}
