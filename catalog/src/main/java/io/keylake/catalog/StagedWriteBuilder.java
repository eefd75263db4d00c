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

package io.keylake.catalog;

import java.util.function.Consumer;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** The table's own write, whose commit is handed to the staged table it belongs to. */
record StagedWriteBuilder(WriteBuilder builder, Consumer<Runnable> committing)
    implements SupportsTruncate {
  @Override
  public WriteBuilder truncate() {
    return new StagedWriteBuilder(((SupportsTruncate) builder).truncate(), committing);
  }

  @Override
  public Write build() {
    return new StagedWrite(builder.build(), committing);
  }

  private record StagedWrite(Write write, Consumer<Runnable> committing)
      implements RequiresDistributionAndOrdering {
    @Override
    public String description() {
      return write.description();
    }

    @Override
    public BatchWrite toBatch() {
      return new StagedBatch(write.toBatch(), committing);
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
    public Distribution requiredDistribution() {
      return write instanceof RequiresDistributionAndOrdering required
          ? required.requiredDistribution()
          : Distributions.unspecified();
    }

    @Override
    public boolean distributionStrictlyRequired() {
      return write instanceof RequiresDistributionAndOrdering required
          && required.distributionStrictlyRequired();
    }

    @Override
    public int requiredNumPartitions() {
      return write instanceof RequiresDistributionAndOrdering required
          ? required.requiredNumPartitions()
          : 0;
    }

    @Override
    public long advisoryPartitionSizeInBytes() {
      return write instanceof RequiresDistributionAndOrdering required
          ? required.advisoryPartitionSizeInBytes()
          : 0;
    }

    @Override
    public SortOrder[] requiredOrdering() {
      return write instanceof RequiresDistributionAndOrdering required
          ? required.requiredOrdering()
          : new SortOrder[0];
    }
  }

  private record StagedBatch(BatchWrite batch, Consumer<Runnable> committing)
      implements BatchWrite {
    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo write) {
      return batch.createBatchWriterFactory(write);
    }

    @Override
    public boolean useCommitCoordinator() {
      return batch.useCommitCoordinator();
    }

    @Override
    public void onDataWriterCommit(WriterCommitMessage message) {
      batch.onDataWriterCommit(message);
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
      committing.accept(() -> batch.commit(messages));
    }

    @Override
    public void commit(WriterCommitMessage[] messages, WriteSummary summary) {
      committing.accept(() -> batch.commit(messages, summary));
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
      batch.abort(messages);
    }
  }
}
