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

package io.keylake.spark.read;

import io.keylake.format.errors.TableException;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.staged.StagedReaders;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Opens the splits of a task. Travels to executors once per stage, inside the stage's broadcast
 * binary, and carries what all tasks share.
 */
final class BatchReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final ReadSpec spec;
  private final OutputShape shape;
  private final TaskConfiguration conf;

  BatchReaderFactory(ReadSpec spec, OutputShape shape, TaskConfiguration conf) {
    this.spec = spec;
    this.shape = shape;
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
    ReadMetrics metrics = new ReadMetrics();
    try {
      return new Reader(
          StagedReaders.open(spec, ((SplitPartition) partition).splits(), conf.value(), metrics),
          shape,
          metrics);
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
  }

  private static final class Reader implements PartitionReader<ColumnarBatch> {
    private final BatchReader batches;
    private final OutputShape shape;
    private final boolean isNested;
    private final ReadMetrics metrics;

    Reader(BatchReader batches, OutputShape shape, ReadMetrics metrics) {
      this.batches = batches;
      this.shape = shape;
      this.isNested = shape.isNested();
      this.metrics = metrics;
    }

    @Override
    public boolean next() throws IOException {
      try {
        return batches.next();
      } catch (TableException e) {
        throw SparkErrors.toSpark(e);
      }
    }

    @Override
    public ColumnarBatch get() {
      return isNested ? shape.of(batches.batch()) : batches.batch();
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
      return ScanMetrics.ofTask(metrics);
    }

    @Override
    public void close() throws IOException {
      batches.close();
    }
  }
}
