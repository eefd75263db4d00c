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

package io.keylake.spark.stream.task;

import io.keylake.spark.changelog.ChangeReaders;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.read.changes.BatchPartitionReader;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Opens the tasks of a trigger. Carries what all of them share. */
public final class StreamReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final StreamSpec spec;
  private final TaskConfiguration conf;

  /**
   * What opens tasks.
   *
   * @param conf where file systems are configured
   */
  public StreamReaderFactory(StreamSpec spec, TaskConfiguration conf) {
    this.spec = spec;
    this.conf = conf;
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("Every batch is columnar");
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return SparkErrors.translating(
        () -> {
          ReadMetrics metrics = new ReadMetrics();
          BatchReader rows =
              SelectedRows.of(((StreamTask) partition).open(spec, conf.value(), metrics), spec);
          StructType pairs = spec.pairs();
          return new BatchPartitionReader(pairs == null ? rows : paired(rows, pairs), metrics);
        });
  }

  private BatchReader paired(BatchReader rows, StructType pairs) {
    return ChangeReaders.pairs(
        rows,
        new ChangeSpec(
            spec.version(), spec.columns().outputBehindKinds(), pairs, ChangeSpec.ALL_KINDS),
        pairs);
  }
}
