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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/** A folder of JSON files that is streamed, each file an epoch, with a checkpoint beside it. */
final class JsonStream {
  private final SharedSpark spark;
  private final Path input;
  private final Path checkpoint;

  JsonStream(SharedSpark spark, Path folder) {
    this.spark = spark;
    this.input = folder.resolve("input");
    this.checkpoint = folder.resolve("checkpoint");
  }

  Path checkpoint() {
    return checkpoint;
  }

  /** Adds a file, later than all others. */
  JsonStream put(String... rows) {
    try {
      Files.createDirectories(input);
      int number = count(input);
      Path hidden = input.resolve("." + number);
      Files.write(hidden, List.of(rows));
      Instant time = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(1000 - number);
      Files.setLastModifiedTime(hidden, FileTime.from(time));
      Files.move(hidden, input.resolve("%04d.json".formatted(number)));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return (int) files.filter(file -> file.toString().endsWith(".json")).count();
    }
  }

  /** The stream of the rows. */
  Dataset<Row> rows(String columns) {
    return spark
        .session()
        .readStream()
        .schema(columns)
        .option("maxFilesPerTrigger", "1")
        .json(input.toString());
  }

  /** Writes all there is; the query, which has ended. */
  StreamingQuery run(DataStreamWriter<Row> writer, String table)
      throws TimeoutException, StreamingQueryException {
    StreamingQuery query =
        writer
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.AvailableNow())
            .toTable(table);
    query.awaitTermination();
    return query;
  }

  /** Takes the note back that an epoch was done, as if the driver had died before it. */
  void forgetEnd(long epoch) throws IOException {
    Files.delete(checkpoint.resolve("commits/" + epoch));
    Files.deleteIfExists(checkpoint.resolve("commits/." + epoch + ".crc"));
  }
}
