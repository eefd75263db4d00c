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

package io.keylake.spark.rowlevel.replace;

import io.keylake.spark.write.change.OverwriteSummary;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DeleteSummary;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/** The write of a DELETE whose commit takes new rows along. */
final class RemovalWrite extends SameDistribution implements DeltaWrite {
  private final DeltaWrite removal;
  private final JoinedRows joined;

  RemovalWrite(
      DeltaWrite removal, RequiresDistributionAndOrdering distribution, JoinedRows joined) {
    super(distribution);
    this.removal = removal;
    this.joined = joined;
  }

  @Override
  public DeltaBatchWrite toBatch() {
    joined.reportBy(removal::reportDriverMetrics);
    return new Batch(removal.toBatch(), joined);
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return removal.reportDriverMetrics();
  }

  private record Batch(DeltaBatchWrite removal, JoinedRows joined) implements DeltaBatchWrite {
    @Override
    public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
      return removal.createBatchWriterFactory(info);
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
      commit(messages, null);
    }

    @Override
    public void commit(WriterCommitMessage[] messages, @Nullable WriteSummary summary) {
      long deleted = summary instanceof DeleteSummary known ? known.numDeletedRows() : -1;
      removal.commit(joined.take(messages), new OverwriteSummary(joined.rows(), deleted));
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
      removal.abort(joined.owned(messages));
    }

    @Override
    public String toString() {
      return removal.toString();
    }
  }
}
