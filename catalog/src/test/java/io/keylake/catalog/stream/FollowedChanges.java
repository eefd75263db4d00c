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

import io.keylake.catalog.SharedSpark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/** The changes of a table as a query collects them that stops, fails, and goes on. */
final class FollowedChanges {
  private static final String FAILURE = "The sink fails on purpose";

  private final DrainedStream stream;
  private final Map<Long, List<Row>> batches = Collections.synchronizedMap(new TreeMap<>());

  FollowedChanges(SharedSpark spark, Path checkpoint, String table, int filesPerTrigger) {
    this.stream =
        new DrainedStream(spark, checkpoint)
            .of(table)
            .asChanges()
            .with("startingVersion", "1")
            .with("consumer-id", "follower")
            .with("maxFilesPerTrigger", Integer.toString(filesPerTrigger));
  }

  /** Reads what is there. */
  void follow() throws Exception {
    run(Long.MAX_VALUE);
  }

  /** Reads a few batches and fails; the last of them is lost, unless there are fewer. */
  void followAndFail(int readBatches) throws Exception {
    run(batches.size() + (long) readBatches);
  }

  private void run(long failing) throws Exception {
    VoidFunction2<Dataset<Row>, Long> sink =
        (batch, id) -> {
          List<Row> rows = batch.collectAsList();
          if (id >= failing) {
            throw new IllegalStateException(FAILURE);
          }
          batches.put(id, rows);
        };
    StreamingQuery query = stream.start(sink, Trigger.AvailableNow());
    try {
      query.awaitTermination();
    } catch (StreamingQueryException e) {
      if (!String.valueOf(e.getMessage()).contains(FAILURE)) {
        throw e;
      }
    }
  }

  int batchCount() {
    return batches.size();
  }

  /** All changes by version. */
  Map<Long, List<HistoryChange>> changes() {
    Map<Long, List<HistoryChange>> changes = new TreeMap<>();
    for (List<Row> rows : batches.values()) {
      for (Row row : rows) {
        HistoryChange change =
            HistoryChange.of(
                org.apache.spark.sql.RowFactory.create(
                    row.get(4), row.get(0), row.get(1), row.get(2), row.get(3)),
                0);
        changes.computeIfAbsent(row.getLong(5), any -> new ArrayList<>()).add(change);
      }
    }
    changes.values().forEach(Collections::sort);
    return changes;
  }
}
