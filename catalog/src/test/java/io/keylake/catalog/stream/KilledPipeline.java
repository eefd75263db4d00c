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

import io.keylake.catalog.HookedFileSystem;
import io.keylake.catalog.SharedSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQueryException;

/**
 * A query that sums up the numbers of a source table by group into another table. What is written
 * twice, or not at all, shows in the sums.
 */
final class KilledPipeline {
  /** Who sums up. */
  enum Sum {
    /** The table: each row that is written counts. */
    BY_TABLE,
    /** The query, which upserts what it knows. */
    BY_QUERY
  }

  private final SharedSpark spark;
  private final Sum sum;
  private final JsonStream stream;

  KilledPipeline(Path folder, Sum sum) {
    this.spark = SharedSpark.over(folder.resolve("w"), HookedFileSystem.OPTIONS);
    this.sum = sum;
    this.stream = new JsonStream(spark, folder.resolve("s"));
  }

  /** Makes the tables; the one with the sums is compacted often. */
  void create() {
    spark.run(
        "CREATE TABLE source (g INT, n BIGINT, c BIGINT)",
        "CREATE TABLE t (g INT, n BIGINT, c BIGINT, PRIMARY KEY (g) NOT ENFORCED) TBLPROPERTIES"
            + " ('bucket' = '1', 'num-sorted-run.compaction-trigger' = '2',"
            + " 'snapshot.num-retained.min' = '2', 'snapshot.num-retained.max' = '3'"
            + (sum == Sum.BY_TABLE
                ? ", 'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'sum',"
                    + " 'fields.c.aggregate-function' = 'sum'"
                : "")
            + ")");
  }

  /** Adds rows that the seed gives to the source. */
  void put(long seed) {
    Random random = new Random(seed);
    spark.run(
        IntStream.range(0, 5)
            .mapToObj(i -> "(%d, %d, 1)".formatted(random.nextInt(4), random.nextInt(1000)))
            .collect(Collectors.joining(", ", "INSERT INTO source VALUES ", "")));
  }

  /** Runs until all is written. */
  void run() throws TimeoutException, StreamingQueryException {
    Dataset<Row> rows =
        spark
            .session()
            .readStream()
            .option("read.stream.maxFilesPerTrigger", "1")
            .table("lake.db.source");
    DataStreamWriter<Row> writer =
        switch (sum) {
          case BY_TABLE -> rows.writeStream();
          case BY_QUERY ->
              rows.groupBy("g")
                  .agg(functions.sum("n").as("n"), functions.sum("c").as("c"))
                  .writeStream()
                  .outputMode("update");
        };
    stream.run(writer, "lake.db.t");
  }

  /** The rows of the table. */
  List<String> rows() {
    return spark.rows("SELECT * FROM t ORDER BY g");
  }

  /** The rows of an undisturbed run. */
  List<String> expected() {
    return spark.rows("SELECT g, sum(n), sum(c) FROM source GROUP BY g ORDER BY g");
  }
}
