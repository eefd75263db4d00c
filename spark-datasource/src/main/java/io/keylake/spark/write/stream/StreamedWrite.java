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

package io.keylake.spark.write.stream;

import io.keylake.spark.convert.SparkErrors;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;

/** A batch write as the write of an epoch: rows are distributed alike. */
final class StreamedWrite implements RequiresDistributionAndOrdering {
  private final RequiresDistributionAndOrdering write;
  private final StreamedRows rows;

  StreamedWrite(RequiresDistributionAndOrdering write, StreamedRows rows) {
    this.write = write;
    this.rows = rows;
  }

  @Override
  public String description() {
    return write.description() + ", streaming";
  }

  @Override
  public StreamingWrite toStreaming() {
    return SparkErrors.translating(() -> new EpochWrite(write.toBatch(), rows));
  }

  @Override
  public Distribution requiredDistribution() {
    return write.requiredDistribution();
  }

  @Override
  public boolean distributionStrictlyRequired() {
    return write.distributionStrictlyRequired();
  }

  @Override
  public int requiredNumPartitions() {
    return write.requiredNumPartitions();
  }

  @Override
  public long advisoryPartitionSizeInBytes() {
    return write.advisoryPartitionSizeInBytes();
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return write.requiredOrdering();
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return write.supportedCustomMetrics();
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return write.reportDriverMetrics();
  }

  @Override
  public String toString() {
    return description();
  }
}
