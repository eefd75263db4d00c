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

package io.keylake.spark.read.changes;

import io.keylake.format.errors.TableException;
import io.keylake.spark.changelog.ChangeReaders;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Opens the splits of a task. Travels to executors and carries what all tasks share. */
public final class ChangeReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final ChangeSpec spec;
  private final @Nullable StructType pairs;
  private final TaskConfiguration conf;

  /**
   * What opens splits.
   *
   * @param pairs the output where old and new values of updates are put into arrays; null where
   *     rows are given as they are
   */
  ChangeReaderFactory(ChangeSpec spec, @Nullable StructType pairs, TaskConfiguration conf) {
    this.spec = spec;
    this.pairs = pairs;
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
      BatchReader rows =
          pairs == null
              ? ChangeReaders.open(
                  spec, ((ChangePartition) partition).splits(), conf.value(), metrics)
              : ChangeReaders.openPairs(
                  spec, pairs, ((ChangePartition) partition).splits(), conf.value(), metrics);
      return new BatchPartitionReader(rows, metrics);
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
  }
}
