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

import java.util.Optional;
import java.util.UUID;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.streaming.runtime.IncrementalExecution;
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;
import org.apache.spark.sql.streaming.OutputMode;

/**
 * The micro-batch that a streaming query is planning or running in this thread. Spark hands a write
 * the query's id only; the rest is known by the thread.
 *
 * @param queryId of the query; it stays the same as long as its checkpoint
 * @param epoch the number of the batch
 */
public record MicroBatch(String queryId, long epoch) {
  /** The batch of a query that this thread works on; empty when the query is none. */
  public static Optional<MicroBatch> of(String queryId) {
    SparkContext context = SparkSession.active().sparkContext();
    String query = context.getLocalProperty(StreamExecution.QUERY_ID_KEY());
    String epoch = context.getLocalProperty(MicroBatchExecution.BATCH_ID_KEY());
    String continuous = context.getLocalProperty(StreamExecution.IS_CONTINUOUS_PROCESSING());
    return queryId.equals(query) && epoch != null && !Boolean.parseBoolean(continuous)
        ? Optional.of(new MicroBatch(queryId, Long.parseLong(epoch)))
        : Optional.empty();
  }

  /** What the query does with earlier results; empty when that cannot be learned. */
  public Optional<OutputMode> outputMode() {
    org.apache.spark.sql.classic.SparkSession session =
        (org.apache.spark.sql.classic.SparkSession) SparkSession.active();
    StreamExecution query =
        session.sharedState().activeStreamingQueries().get(UUID.fromString(queryId));
    return Optional.ofNullable(query).map(StreamExecution::outputMode);
  }

  /**
   * When a batch was planned first, and what the query's watermark was then.
   *
   * @param plannedMillis also a repetition after a restart has the time of the first run
   * @param watermarkMillis 0 = it has none
   */
  public record Plan(long plannedMillis, long watermarkMillis) {}

  /** The plan of the batch that this thread runs; empty while none runs. */
  public static Optional<Plan> running() {
    String id =
        SparkSession.active().sparkContext().getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    QueryExecution execution =
        id == null ? null : SQLExecution.getQueryExecution(Long.parseLong(id));
    return execution instanceof IncrementalExecution batch
        ? Optional.of(
            new Plan(
                batch.offsetSeqMetadata().batchTimestampMs(),
                batch.offsetSeqMetadata().batchWatermarkMs()))
        : Optional.empty();
  }
}
