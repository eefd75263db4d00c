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
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.read.ScanMetrics;
import java.io.IOException;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Hands the batches of a task to Spark, with what was read for them.
 *
 * @param batches closed with this reader
 * @param metrics counted while batches are read
 */
public record BatchPartitionReader(BatchReader batches, ReadMetrics metrics)
    implements PartitionReader<ColumnarBatch> {
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
    return batches.batch();
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
