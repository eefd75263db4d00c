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

package io.keylake.spark.staged;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.types.RowType;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.spark.sort.SortBuffer;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.sort.SortedBatches;
import io.keylake.spark.sort.SpillingSortBuffer;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineRules;
import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Sorts the staged rows of a partition into runs of level 0, as a writer of the same rows would:
 * rows of a bucket are numbered in the order of writing, sorted by key, and folded by the rules of
 * the table's merge engine. For one task.
 */
public final class StagedRuns {
  /**
   * Where the run of a bucket goes.
   *
   * @param bucket the bucket's number
   * @param firstSequenceNumber of its first row
   * @param names of its files
   */
  public record Target(int bucket, long firstSequenceNumber, NewDataFiles names) {}

  private static final int NOT_WANTED = -1;

  private final StagedSpec spec;
  private final Configuration conf;
  private final DataFileWriter.Outputs outputs;
  private final Clock clock;
  private final TaskContext task;

  /**
   * Runs that are written in a task.
   *
   * @param outputs open new files
   * @param clock tells when files were made
   */
  public StagedRuns(
      StagedSpec spec,
      Configuration conf,
      DataFileWriter.Outputs outputs,
      Clock clock,
      TaskContext task) {
    this.spec = spec;
    this.conf = conf;
    this.outputs = outputs;
    this.clock = clock;
    this.task = task;
  }

  /** The new files of each target, by its place in {@code targets}; all rows are read once. */
  public Map<Integer, List<DataFile>> write(StagedRowFiles rows, List<Target> targets)
      throws IOException {
    TableOptions options = spec.allOptions();
    SortOrder order = SortOrder.of(spec.schema(), options.merge());
    DataFileSpec files =
        DataFileSpec.ofWrite(spec.schema(), options).boundedFor(StepEnvironment.tasksPerProcess());
    try (SortBuffer buffer =
            targets.size() == 1
                ? SpillingSortBuffer.ofOneGroup(order, task)
                : SpillingSortBuffer.ofManyGroups(order, task);
        DataFileWriter writer = new DataFileWriter(files, outputs, conf, clock)) {
      insert(rows, targets, buffer);
      return write(buffer, order, targets, writer);
    }
  }

  private void insert(StagedRowFiles rows, List<Target> targets, SortBuffer buffer)
      throws IOException {
    int[] groups = new int[rows.totalBuckets()];
    Arrays.fill(groups, NOT_WANTED);
    for (int i = 0; i < targets.size(); i++) {
      groups[targets.get(i).bucket()] = i;
    }
    long[] numbers = new long[targets.size()];
    Buckets buckets = new Buckets(spec, rows.totalBuckets());
    new StagedRows(spec, rows, conf)
        .forEach(
            (row, kind) -> {
              int group = groups[buckets.of(row)];
              if (group != NOT_WANTED) {
                buffer.insert(row, group, kind, numbers[group]++);
              }
            });
  }

  private Map<Integer, List<DataFile>> write(
      SortBuffer buffer, SortOrder order, List<Target> targets, DataFileWriter writer)
      throws IOException {
    Map<Integer, List<DataFile>> files = new HashMap<>();
    int current = NOT_WANTED;
    RowBatch batch = new RowBatch();
    try (SortedBatches batches =
        SortedBatches.ofKeys(
            buffer.sort(),
            order,
            spec.schema(),
            EngineRules.of(spec.schema(), spec.table()),
            spec.table(),
            group -> targets.get(group).firstSequenceNumber())) {
      while (batches.next(batch)) {
        int group = batches.group();
        if (group != current && current != NOT_WANTED) {
          files.put(current, writer.endBucket());
        }
        current = group;
        writer.write(batch, targets.get(group).names());
      }
    }
    if (current != NOT_WANTED) {
      files.put(current, writer.endBucket());
    }
    return files;
  }

  /** Finds the buckets of rows. */
  private static final class Buckets {
    private final BinaryRowAssembler key;
    private final BucketFunction function;
    private final boolean isHashed;
    private final int total;

    Buckets(StagedSpec spec, int total) {
      RowType rows = spec.schema().rowType();
      BucketOptions options = spec.allOptions().bucket();
      RowType keyType = rows.project(options.keys());
      this.key =
          new BinaryRowAssembler(
              keyType, options.keys().stream().map(rows::indexOf).toList(), rows.size());
      this.function = BucketFunction.of(options.function(), keyType);
      this.isHashed = options.function() == BucketOptions.Function.DEFAULT;
      this.total = total;
    }

    int of(UnsafeRow row) {
      if (total <= 1) {
        return 0;
      }
      key.assemble(row.getBaseObject(), row.getBaseOffset());
      return isHashed
          ? BucketFunction.ofHash(key.hash(), total)
          : function.bucket(key.toBinaryRow(), total);
    }
  }
}
