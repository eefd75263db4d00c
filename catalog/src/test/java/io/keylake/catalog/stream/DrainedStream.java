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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A query over one table, which reads what is there, stops, and goes on from its checkpoint. */
final class DrainedStream {
  private final SharedSpark spark;
  private final Path checkpoint;
  private final Map<String, String> options = new LinkedHashMap<>();
  private String table = "t";
  private boolean readsChanges;
  private List<StreamingQueryProgress> progress = List.of();

  DrainedStream(SharedSpark spark, Path checkpoint) {
    this.spark = spark;
    this.checkpoint = checkpoint;
  }

  /** The same query over another table. */
  DrainedStream of(String newTable) {
    table = newTable;
    return this;
  }

  /** The same query over the changes of the table. */
  DrainedStream asChanges() {
    readsChanges = true;
    return this;
  }

  /** The same query with an option; null takes it away. */
  DrainedStream with(String option, String value) {
    options.put(option, value);
    options.values().removeIf(java.util.Objects::isNull);
    return this;
  }

  /** The batches that hold rows, each row as text with its values separated by a comma. */
  List<List<String>> batches() throws Exception {
    List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
    VoidFunction2<Dataset<Row>, Long> collect =
        (batch, id) -> {
          List<String> rows = batch.collectAsList().stream().map(row -> row.mkString(",")).toList();
          if (!rows.isEmpty()) {
            batches.add(rows);
          }
        };
    StreamingQuery query = start(collect, Trigger.AvailableNow());
    query.awaitTermination();
    progress = List.of(query.recentProgress());
    return List.copyOf(batches);
  }

  /** All rows in the order in which they came. */
  List<String> rows() throws Exception {
    return batches().stream().flatMap(List::stream).toList();
  }

  /** Where a new query would start, as its checkpoint has it; nothing is run. */
  String start() throws Exception {
    return source().initialOffset().json();
  }

  /** The source of a new query. */
  MicroBatchStream source() throws Exception {
    return scan().toMicroBatchStream(checkpoint.resolve("sources/0").toString());
  }

  /** The read of a new query. */
  Scan scan() throws Exception {
    TableCatalog catalog =
        (TableCatalog)
            ((org.apache.spark.sql.classic.SparkSession) spark.session())
                .sessionState()
                .catalogManager()
                .catalog("lake");
    Table found = catalog.loadTable(Identifier.of(new String[] {"db"}, table));
    return ((SupportsRead) found).newScanBuilder(new CaseInsensitiveStringMap(options)).build();
  }

  /** What the last run told of itself. */
  List<StreamingQueryProgress> progress() {
    return progress;
  }

  /** The message of the failure with which the query ends. */
  String failure() throws Exception {
    try {
      batches();
    } catch (StreamingQueryException e) {
      Throwable cause = e;
      StringBuilder text = new StringBuilder();
      while (cause != null) {
        text.append(cause.getMessage()).append('\n');
        cause = cause.getCause();
      }
      return text.toString();
    }
    throw new AssertionError("The query did not fail");
  }

  /** Starts the query; the caller stops it. */
  StreamingQuery start(VoidFunction2<Dataset<Row>, Long> sink, Trigger trigger)
      throws TimeoutException {
    DataStreamReader reader = spark.session().readStream();
    for (Map.Entry<String, String> option : options.entrySet()) {
      reader = reader.option(option.getKey(), option.getValue());
    }
    Dataset<Row> rows = readsChanges ? reader.changes(table) : rows(reader);
    return rows.writeStream()
        .foreachBatch(sink)
        .option("checkpointLocation", checkpoint.toString())
        .trigger(trigger)
        .start();
  }

  private Dataset<Row> rows(DataStreamReader reader) {
    return table.startsWith("/") ? reader.format("keylake").load(table) : reader.table(table);
  }
}
