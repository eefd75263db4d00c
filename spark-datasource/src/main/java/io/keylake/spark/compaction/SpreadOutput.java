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
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.gather.RowGather;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.NewBuckets;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;

/**
 * Puts each row into new files of its bucket among a new number of buckets, and leaves out rows of
 * buckets that are not wanted. Bucket keys are gathered first, then the rows of each bucket, column
 * by column. For one thread.
 */
final class SpreadOutput implements RowOutput {
  private final StepStorage storage;
  private final CompactionPlan plan;
  private final NewBuckets to;
  private final DataFileSpec files;
  private final List<Integer> keyColumns;
  private final RowGather keys;
  private final BinaryRowAssembler key;
  private final BucketFunction function;
  private final boolean isHashed;
  private final RowGather rows;
  private final Output[] outputs;
  private int[] buckets = new int[0];

  /** The files of one new bucket. */
  private record Output(DataFileWriter writer, NewDataFiles names, PickedRows picked) {}

  SpreadOutput(StepStorage storage, CompactionPlan plan, NewBuckets to) {
    TableSchema schema = storage.spec().schema();
    BucketOptions options = TableOptions.of(schema).bucket();
    var keyType = schema.rowType().project(options.keys());
    this.storage = storage;
    this.plan = plan;
    this.to = to;
    this.files = storage.files(plan, to.buckets().size());
    this.keyColumns = options.keys().stream().map(schema.rowType()::indexOf).toList();
    this.keys = new RowGather(SparkTypes.toSpark(keyType));
    List<Integer> ordinals = new ArrayList<>();
    for (int i = 0; i < keyType.size(); i++) {
      ordinals.add(i);
    }
    this.key = new BinaryRowAssembler(keyType, ordinals, keyType.size());
    this.function = BucketFunction.of(options.function(), keyType);
    this.isHashed = options.function() == BucketOptions.Function.DEFAULT;
    this.rows = new RowGather(SparkTypes.toSpark(schema.rowType()));
    this.outputs = new Output[to.total()];
    for (int bucket : to.buckets()) {
      outputs[bucket] =
          new Output(
              storage.newWriter(files), storage.newFiles(plan, bucket, files), new PickedRows());
    }
  }

  @Override
  public void write(List<? extends GatherSource> sources, PickedRows picked) throws IOException {
    findBuckets(sources, picked);
    for (int bucket : to.buckets()) {
      outputs[bucket].picked().clear(picked.size());
    }
    for (int item = 0; item < picked.size(); item++) {
      Output output = outputs[buckets[item]];
      if (output != null) {
        output.picked().add(picked.source(item), picked.row(item));
      } else if (!to.mayHold(buckets[item])) {
        throw misplaced(buckets[item]);
      }
    }
    for (int bucket : to.buckets()) {
      Output output = outputs[bucket];
      rows.gather(sources, output.picked(), batch -> output.writer().write(batch, output.names()));
    }
  }

  private void findBuckets(List<? extends GatherSource> sources, PickedRows picked)
      throws IOException {
    if (buckets.length < picked.size()) {
      buckets = new int[picked.size()];
    }
    List<KeyColumns> keySources =
        sources.stream().map(source -> new KeyColumns(source, keyColumns)).toList();
    Found found = new Found();
    keys.gather(keySources, picked, found::add);
  }

  /** Puts down the buckets of the rows in their order. */
  private final class Found {
    private int items;

    void add(RowBatch batch) {
      for (int row = 0; row < batch.size(); row++) {
        key.assemble(batch.bytes(), Platform.BYTE_ARRAY_OFFSET + (long) batch.start(row));
        buckets[items++] =
            isHashed
                ? BucketFunction.ofHash(key.hash(), to.total())
                : function.bucket(key.toBinaryRow(), to.total());
      }
    }
  }

  /** The columns of the bucket key. */
  private record KeyColumns(GatherSource source, List<Integer> columns) implements GatherSource {
    @Override
    public ColumnVector column(int index) {
      return source.column(columns.get(index));
    }

    @Override
    public ColumnVector sequenceNumbers() {
      return source.sequenceNumbers();
    }

    @Override
    public ColumnVector kinds() {
      return source.kinds();
    }
  }

  private CorruptTableException misplaced(int bucket) {
    String folder = storage.addresses().bucketFolder(plan.partition(), plan.bucket()).path();
    return new CorruptTableException(
        folder,
        "Cannot change the number of buckets of table "
            + storage.spec().table()
            + ": beside bucket "
            + plan.bucket()
            + " there is a row whose key belongs to bucket "
            + bucket
            + " of "
            + to.total()
            + ", so it was written into a wrong bucket. Rewrite the partition with INSERT"
            + " OVERWRITE.",
        null);
  }

  @Override
  public Optional<RowGroupSource> rowGroups(CompactionInput input, TableSchema fileSchema) {
    return Optional.empty();
  }

  @Override
  public void append(RowGroup group) {
    throw new IllegalStateException("Row groups are not spread");
  }

  @Override
  public void append(RowGroup group, long firstSequenceNumber) {
    throw new IllegalStateException("Row groups are not spread");
  }

  /** Ends the last files and returns all of them by bucket. */
  Map<Integer, List<DataFile>> finish() throws IOException {
    Map<Integer, List<DataFile>> made = new TreeMap<>();
    for (int bucket : to.buckets()) {
      List<DataFile> ofBucket = outputs[bucket].writer().endBucket();
      if (!ofBucket.isEmpty()) {
        made.put(bucket, ofBucket);
      }
    }
    return made;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (int bucket : to.buckets()) {
      try {
        outputs[bucket].writer().close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
