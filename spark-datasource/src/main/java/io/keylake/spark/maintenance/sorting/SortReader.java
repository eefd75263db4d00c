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

package io.keylake.spark.maintenance.sorting;

import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.compaction.AppendRows;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.maintenance.JobIds;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a sort compaction's files in tasks, each with the position of its plan at the
 * end.
 *
 * @param spec what all files have in common
 * @param read the columns that are read
 * @param root the table's folder
 * @param branch the branch that is compacted
 * @param ids name the job's files
 * @param configuration where file systems are configured
 */
record SortReader(
    CompactionSpec spec,
    TableSchema read,
    Location root,
    String branch,
    JobIds ids,
    TaskConfiguration configuration)
    implements FlatMapFunction<Iterator<SortInput>, InternalRow>, Serializable {
  private static final long serialVersionUID = 1L;

  @Override
  public Iterator<InternalRow> call(Iterator<SortInput> tasks) {
    return rows(tasks.next(), TaskContext.get());
  }

  /** The rows of a task's files; what is open is closed when the task ends. */
  Iterator<InternalRow> rows(SortInput input, TaskContext context) {
    StepEnvironment environment =
        StepEnvironment.ofTask(root, branch, configuration.value(), ids, context);
    Rows rows = new Rows(input.files().iterator(), environment);
    context.addTaskCompletionListener((TaskCompletionListener) ended -> rows.closeUnchecked());
    return rows;
  }

  private final class Rows implements Iterator<InternalRow>, Closeable {
    private final Iterator<SortInput.PartitionFile> files;
    private final StepEnvironment environment;
    private @Nullable AppendRows open;
    private boolean isAtRow;

    Rows(Iterator<SortInput.PartitionFile> files, StepEnvironment environment) {
      this.files = files;
      this.environment = environment;
    }

    @Override
    public boolean hasNext() {
      try {
        while (!isAtRow) {
          if (open != null && open.next()) {
            isAtRow = true;
          } else {
            close();
            if (!files.hasNext()) {
              return false;
            }
            SortInput.PartitionFile file = files.next();
            open =
                new AppendRows(
                    spec, environment, read, file.partition(), file.input(), file.plan());
          }
        }
        return true;
      } catch (TableException e) {
        throw SparkErrors.toSpark(e);
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot sort " + spec.table(), e);
      }
    }

    @Override
    public InternalRow next() {
      if (!hasNext() || open == null) {
        throw new NoSuchElementException();
      }
      isAtRow = false;
      return open.row();
    }

    @Override
    public void close() throws IOException {
      AppendRows ended = open;
      open = null;
      if (ended != null) {
        ended.close();
      }
    }

    void closeUnchecked() {
      try {
        close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
