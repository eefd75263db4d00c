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

package io.keylake.spark.write;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.RowType;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.SharedSpark;
import io.keylake.spark.write.WriteTarget.Functions;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * Tables in a folder and writes to them as Spark's writing command does them, without a catalog.
 */
final class WriteFixture {
  private WriteFixture() {}

  static JavaSparkContext spark() {
    SparkSession session = SharedSpark.newSession();
    return new JavaSparkContext(session.sparkContext());
  }

  static WriteTarget create(Path folder, TableSchema schema) {
    WriteTarget target = open(folder, schema);
    target.storage().schemas().publish(schema);
    return target;
  }

  /** The table in a folder, whose newest schema is {@code schema}. */
  static WriteTarget open(Path folder, TableSchema schema) {
    Location root = new Location(folder.toString());
    TableStorage storage =
        TableStorage.of("t", HadoopFileIO.of(new Configuration()), TableLayout.of(root));
    return new WriteTarget(
        TableName.ofPath(root.path()), storage, schema, TableOptions.of(schema), Functions.NONE);
  }

  /** The same table, of which each bucket is compacted by the task that writes it. */
  static WriteTarget compactedByWriters(WriteTarget target) {
    return new WriteTarget(
        target.name(), target.storage(), target.schema(), target.options(), Functions.FROM_CATALOG);
  }

  static KeylakeBatchWrite batch(WriteTarget target, Replacement replacement) {
    return new KeylakeBatchWrite(
        target,
        SparkTypes.toSpark(RowType.of(target.schema().fields())),
        replacement,
        null,
        AssignerRules.single(target.options().bucket().dynamic()));
  }

  /** Adds rows, spread over {@code tasks} tasks. */
  static void append(WriteTarget target, List<Row> rows, int tasks) {
    write(target, Replacement.NOTHING, rows, tasks);
  }

  static void write(WriteTarget target, Replacement replacement, List<Row> rows, int tasks) {
    KeylakeBatchWrite write = batch(target, replacement);
    write.commit(run(write, target.schema(), rows, tasks));
  }

  /** Runs the tasks of a write and returns their messages. */
  static WriterCommitMessage[] run(
      KeylakeBatchWrite write, TableSchema schema, List<Row> rows, int tasks) {
    DataWriterFactory factory = write.createBatchWriterFactory(() -> tasks);
    return spark()
        .parallelize(rows, tasks)
        .mapPartitions(
            some -> {
              List<Row> list = new ArrayList<>();
              some.forEachRemaining(list::add);
              TaskContext task = TaskContext.get();
              return List.of(task(factory, task, TestRows.unsafe(schema.fields(), list)))
                  .iterator();
            })
        .collect()
        .toArray(new WriterCommitMessage[0]);
  }

  /** Runs one task, in the task of the caller. */
  static WriterCommitMessage task(DataWriterFactory factory, TaskContext task, List<UnsafeRow> rows)
      throws IOException {
    try (DataWriter<InternalRow> writer =
        factory.createWriter(task.partitionId(), task.taskAttemptId())) {
      try {
        for (UnsafeRow row : rows) {
          writer.write(row);
        }
        return writer.commit();
      } catch (RuntimeException e) {
        writer.abort();
        throw e;
      }
    }
  }

  /** The live files of the newest snapshot. */
  static List<ManifestEntry> files(WriteTarget target) {
    Snapshot snapshot = target.storage().snapshots().latest().orElseThrow();
    List<ManifestEntry> live = new ArrayList<>();
    for (ManifestFile manifest : target.storage().dataManifests(snapshot)) {
      for (ManifestEntry entry :
          target.storage().manifests().entries(manifest, StatsProjection.KEEP, EntryFilter.ALL)) {
        if (entry.kind() == EntryKind.ADD) {
          live.add(entry);
        } else {
          live.removeIf(
              other ->
                  other.file().name().equals(entry.file().name())
                      && other.file().level() == entry.file().level());
        }
      }
    }
    return live;
  }

  /** The names of all data files on disk. */
  static List<String> filesOnDisk(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("data-") || name.startsWith(".data-"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
