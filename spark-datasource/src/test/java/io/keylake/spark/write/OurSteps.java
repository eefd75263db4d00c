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
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.spark.maintenance.TableCompaction;
import io.keylake.spark.testing.SharedSpark;
import io.keylake.spark.testing.TableRows;
import io.keylake.spark.write.InlineCompaction.Extent;
import io.keylake.table.LakeTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** How we change and read a table. */
interface OurSteps {
  /** Everything is done by the task that calls. */
  OurSteps IN_TASK = new InTask();

  /** By Spark jobs, called on the driver: the staged rows of postpone tables are moved by some. */
  OurSteps BY_JOBS = new ByJobs();

  /** Adds rows in one commit. */
  void write(WriteTarget target, List<Row> rows) throws IOException;

  /** Compacts all buckets. */
  void compact(WriteTarget target, Extent extent) throws IOException;

  /** All rows of the table in a folder, as canonical text, sorted. */
  List<String> rows(Path folder, Map<String, String> options) throws IOException;

  /** See {@link OurSteps#IN_TASK}. */
  final class InTask implements OurSteps {
    private static final long SLICE_BYTES = 1 << 20;

    private InTask() {}

    @Override
    public void write(WriteTarget target, List<Row> rows) throws IOException {
      KeylakeBatchWrite write = WriteFixture.batch(target, Replacement.NOTHING);
      DataWriterFactory factory = write.createBatchWriterFactory(() -> 1);
      write.commit(
          new WriterCommitMessage[] {
            WriteFixture.task(
                factory, TaskContext.get(), TestRows.unsafe(target.schema().fields(), rows))
          });
    }

    @Override
    public void compact(WriteTarget target, Extent extent) throws IOException {
      InlineCompaction.run(target, extent, SLICE_BYTES);
    }

    @Override
    public List<String> rows(Path folder, Map<String, String> options) throws IOException {
      LakeTable table =
          LakeTable.load(
              folder.getFileName().toString(),
              HadoopFileIO.of(new Configuration(false)),
              new Location(folder.toString()));
      return TableRows.of(table.withOptions(options));
    }
  }

  /** See {@link OurSteps#BY_JOBS}. */
  final class ByJobs implements OurSteps {
    private ByJobs() {}

    @Override
    public void write(WriteTarget target, List<Row> rows) {
      WriteFixture.append(target, rows, 1);
    }

    @Override
    public void compact(WriteTarget target, Extent extent) {
      new TableCompaction(
              (SparkSession) SharedSpark.newSession(),
              target.name(),
              LakeTable.find(target.storage()).orElseThrow(),
              Clock.systemUTC(),
              Ids.random())
          .run(
              new CompactionRequest(
                  extent == Extent.FULL ? Strategy.FULL : Strategy.MINOR,
                  PartitionChoice.ALL,
                  Optional.empty(),
                  Execution.RUN));
    }

    @Override
    public List<String> rows(Path folder, Map<String, String> options) {
      String path = folder.toString();
      return WriteFixture.spark()
          .parallelize(List.of(path), 1)
          .flatMap(some -> IN_TASK.rows(Path.of(some), options).iterator())
          .collect();
    }
  }
}
