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

import io.keylake.format.fileio.Ids;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.sort.SortBuffer;
import io.keylake.spark.sort.SpillingSortBuffer;
import java.time.Clock;
import java.time.ZoneId;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the writers of a job's tasks. Travels to executors with the stage; the tasks of one process
 * that share the stage's copy also share what is known of the table's buckets.
 */
final class TaskWriterFactory implements DeltaWriterFactory {
  private static final long serialVersionUID = 1L;

  private final WriterPlan plan;
  private final TaskConfiguration configuration;
  private transient @Nullable TaskStorage shared;

  TaskWriterFactory(WriterPlan plan, TaskConfiguration configuration) {
    this.plan = plan;
    this.configuration = configuration;
  }

  @Override
  public DeltaWriter<InternalRow> createWriter(int partitionId, long taskId) {
    TaskContext task = TaskContext.get();
    TaskStorage storage = storage();
    int open = 1 + (plan.changes() == null ? 0 : 1) + (plan.changelog() == null ? 0 : 1);
    int writers = StepEnvironment.tasksPerProcess() * open;
    Router router = new Router(plan, storage);
    if (!plan.schema().hasPrimaryKey()) {
      RowSink rows =
          new AppendRowSink(
              router,
              () -> SpillingSortBuffer.ofManyGroups(plan.order(), task),
              plan.order(),
              storage,
              storage.newTaskFiles(writers));
      return new TaskWriter(plan, storage.compaction(router::owns, task).orElse(null), rows);
    }
    KeyedRowSink keyed =
        new KeyedRowSink(router, keyedBuffer(storage, task), plan, storage, writers);
    return new TaskWriter(plan, storage.compaction(keyed::owns, task).orElse(null), keyed);
  }

  private SortBuffer keyedBuffer(TaskStorage storage, TaskContext task) {
    boolean oneBucket =
        plan.schema().partitionKeys().isEmpty()
            && storage.totalBuckets(io.keylake.format.row.BinaryRow.EMPTY) == 1;
    return oneBucket
        ? SpillingSortBuffer.ofOneGroup(plan.order(), task)
        : SpillingSortBuffer.ofManyGroups(plan.order(), task);
  }

  private synchronized TaskStorage storage() {
    TaskStorage storage = shared;
    if (storage == null) {
      Configuration hadoop = configuration.value();
      storage = new TaskStorage(plan, hadoop, Ids.random(), Clock.system(ZoneId.systemDefault()));
      shared = storage;
    }
    return storage;
  }
}
