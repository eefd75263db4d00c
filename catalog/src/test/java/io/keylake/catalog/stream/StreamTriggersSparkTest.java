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

package io.keylake.catalog.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.SharedSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;
import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a stream reads, and what it needs to go on. */
final class StreamTriggersSparkTest {
  @TempDir private Path warehouse;
  @TempDir private Path checkpoints;
  private SharedSpark spark;

  @BeforeEach
  void createTable() {
    spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE t (id INT, v STRING) TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')",
        "INSERT INTO t VALUES (1, 'a')");
  }

  private DrainedStream stream() {
    return new DrainedStream(spark, checkpoints.resolve("c"));
  }

  private static Offset next(MicroBatchStream source, Offset start) {
    SupportsAdmissionControl admission = (SupportsAdmissionControl) source;
    return admission.latestOffset(start, admission.getDefaultReadLimit());
  }

  @Test
  void aTriggerWaitsForRowsOrForItsDelay() throws Exception {
    MicroBatchStream source =
        stream().with("minRowsPerTrigger", "3").with("maxTriggerDelayMs", "3600000").source();
    Offset first = next(source, source.initialOffset());
    spark.run("INSERT INTO t VALUES (2, 'b')");
    assertThat(next(source, first)).isEqualTo(first);
    spark.run("INSERT INTO t VALUES (3, 'c'), (4, 'd')");
    assertThat(next(source, first).json()).contains("\"snapshot\":3");
    source.stop();

    MicroBatchStream hasty =
        stream().with("minRowsPerTrigger", "3").with("maxTriggerDelayMs", "1").source();
    Offset start = next(hasty, hasty.initialOffset());
    spark.run("INSERT INTO t VALUES (5, 'e')");
    assertThat(next(hasty, start).json()).contains("\"snapshot\":4");
    hasty.stop();
  }

  @Test
  void aRunningQueryTakesTogetherWhatIsTooFew() throws Exception {
    BlockingQueue<List<Row>> batches = new LinkedBlockingQueue<>();
    StreamingQuery query =
        stream()
            .with("minRowsPerTrigger", "3")
            .with("maxTriggerDelayMs", "3600000")
            .start((batch, id) -> batches.add(batch.collectAsList()), Trigger.ProcessingTime(5));
    try {
      assertThat(batches.poll(60, TimeUnit.SECONDS)).hasSize(1);
      spark.run("INSERT INTO t VALUES (2, 'b')", "INSERT INTO t VALUES (3, 'c'), (4, 'd')");
      assertThat(batches.poll(60, TimeUnit.SECONDS))
          .extracting(row -> row.getInt(0))
          .containsExactly(2, 3, 4);
    } finally {
      query.stop();
    }
  }

  @Test
  void netChangesOfAStreamAreThoseOfEachBatch() throws Exception {
    spark
        .session()
        .conf()
        .set(
            "spark.sql.streaming.stateStore.providerClass",
            RocksDBStateStoreProvider.class.getName());
    spark.run(
        "INSERT INTO t VALUES (1, 'b'), (2, 'b')",
        "DELETE FROM t WHERE id = 2",
        "UPDATE t SET v = 'c' WHERE id = 1");
    DrainedStream stream =
        stream()
            .asChanges()
            .with("startingVersion", "2")
            .with("deduplicationMode", "netChanges")
            .with("computeUpdates", "true");
    assertThat(stream.rows().stream().map(StreamTriggersSparkTest::withoutTime))
        .containsExactlyInAnyOrder("1,a,update_preimage,2", "1,c,update_postimage,4");
    assertThat(
            new DrainedStream(spark, checkpoints.resolve("d"))
                    .asChanges()
                    .with("startingVersion", "3")
                    .with("deduplicationMode", "dropCarryovers")
                    .rows()
                    .stream()
                    .map(StreamTriggersSparkTest::withoutTime))
        .containsExactly("2,b,delete,3", "1,b,update_preimage,4", "1,c,update_postimage,4");
  }

  private static String withoutTime(String row) {
    return row.substring(0, row.lastIndexOf(','));
  }

  @Test
  void aStreamOfChangesKeepsTheStateThatItsNextChangesAreComputedFrom() throws Exception {
    DrainedStream stream =
        stream().asChanges().with("startingVersion", "1").with("consumer-id", "me");
    assertThat(stream.rows()).hasSize(1);
    spark.run(
        "INSERT INTO t VALUES (1, 'b')",
        "INSERT INTO t VALUES (1, 'c')",
        "CALL sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1)");
    assertThat(spark.rows("SELECT snapshot_id FROM `t$snapshots`")).containsExactly("1", "2", "3");
    assertThat(spark.rows("SELECT next_snapshot_id FROM `t$consumers`")).containsExactly("2");
    assertThat(stream.rows()).hasSize(4);
    spark.run(
        "CALL sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1)",
        "INSERT INTO t VALUES (1, 'd')");
    assertThat(spark.rows("SELECT snapshot_id FROM `t$snapshots`")).containsExactly("3", "4");
    assertThat(stream.rows()).as("where it began has expired").hasSize(2);
  }
}
