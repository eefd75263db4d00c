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
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.gather.RowGather;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Puts all rows into new files of the plan's bucket. For one thread. */
final class BucketOutput implements RowOutput {
  private final DataFileWriter writer;
  private final NewDataFiles names;
  private final RowGather gather;

  BucketOutput(StepStorage storage, CompactionPlan plan) {
    this(storage, plan, 1);
  }

  /**
   * @param open how many files the step has open at a time
   */
  BucketOutput(StepStorage storage, CompactionPlan plan, int open) {
    DataFileSpec files = storage.files(plan, open);
    this.writer = storage.newWriter(files);
    this.names = storage.newFiles(plan, files);
    this.gather = new RowGather(SparkTypes.toSpark(storage.spec().schema().rowType()));
  }

  @Override
  public void write(List<? extends GatherSource> sources, PickedRows picked) throws IOException {
    gather.gather(sources, picked, batch -> writer.write(batch, names));
  }

  @Override
  public Optional<RowGroupSource> rowGroups(CompactionInput input, TableSchema fileSchema)
      throws IOException {
    return writer.rowGroups(input.path(), input.file(), fileSchema);
  }

  @Override
  public void append(RowGroup group) throws IOException {
    writer.append(group, names);
  }

  @Override
  public void append(RowGroup group, long firstSequenceNumber) throws IOException {
    writer.append(group, firstSequenceNumber, names);
  }

  /** Ends the last file and returns all of them. */
  List<DataFile> finish() throws IOException {
    return writer.endBucket();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
