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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.Location;
import io.keylake.spark.compaction.AppendFiles;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.maintenance.JobFiles;
import io.keylake.spark.maintenance.JobIds;
import io.keylake.spark.maintenance.TaskPermission;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * Writes the sorted rows of a range into files, partition after partition. The position of a row's
 * plan is the last column. An attempt that fails, is killed or is not let through deletes every
 * file that it began.
 */
final class SortWriter extends AbstractFunction1<Iterator<InternalRow>, List<SortWriter.Written>>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private final CompactionSpec spec;
  private final List<CompactionPlan> plans;
  private final List<Long> firstSequences;
  private final Location root;
  private final String branch;
  private final JobIds ids;
  private final TaskConfiguration configuration;

  /**
   * A writer.
   *
   * @param plans of the partitions; only what they say of their buckets travels
   */
  SortWriter(JobFiles files, List<CompactionPlan> plans) {
    this.spec = files.spec();
    this.plans = plans.stream().map(plan -> plan.withSteps(List.of())).toList();
    this.firstSequences =
        plans.stream()
            .map(plan -> new CompactionStep.Concatenate(plan.inputs()).firstSequenceNumber())
            .toList();
    this.root = files.layout().root();
    this.branch = files.layout().branch();
    this.ids = files.ids();
    this.configuration = TaskConfiguration.of(files.configuration());
  }

  /**
   * New files of a partition.
   *
   * @param plan position of its plan
   * @param files in order
   */
  record Written(int plan, List<DataFile> files) implements Serializable {
    private static final long serialVersionUID = 1L;

    Written {
      files = List.copyOf(files);
    }
  }

  @Override
  public List<Written> apply(Iterator<InternalRow> rows) {
    TaskContext context = TaskContext.get();
    StepEnvironment environment =
        StepEnvironment.ofTask(root, branch, configuration.value(), ids, context);
    try (Attempt attempt = new Attempt(new AppendFiles(spec, environment))) {
      return attempt.run(rows, context);
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot sort " + spec.table(), e);
    }
  }

  /** One attempt; what it wrote is deleted unless it was let through. */
  private final class Attempt implements AutoCloseable {
    private final AppendFiles files;
    private final List<Written> written = new ArrayList<>();
    private boolean isAccepted;

    Attempt(AppendFiles files) {
      this.files = files;
    }

    List<Written> run(Iterator<InternalRow> rows, TaskContext context) throws IOException {
      StructType columns = SparkTypes.toSpark(spec.schema().rowType());
      UnsafeProjection stored = projection(columns);
      int plan = -1;
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        int next = row.getInt(columns.length());
        if (next != plan) {
          end(plan);
          plan = next;
          files.start(plans.get(plan), firstSequences.get(plan));
        }
        files.add(stored.apply(row));
      }
      end(plan);
      TaskPermission.await(context);
      isAccepted = true;
      return written;
    }

    private void end(int plan) throws IOException {
      if (plan >= 0) {
        written.add(new Written(plan, files.end()));
      }
    }

    /** Storage must be reachable for deleting even in a thread that was told to stop. */
    @Override
    public void close() throws IOException {
      Uninterrupted.run(
          () -> {
            try (AppendFiles closed = files) {
              if (!isAccepted) {
                closed.discard();
              }
            }
          });
    }
  }

  private static UnsafeProjection projection(StructType columns) {
    List<Expression> values = new ArrayList<>();
    for (int i = 0; i < columns.length(); i++) {
      values.add(new BoundReference(i, columns.fields()[i].dataType(), true));
    }
    return UnsafeProjection.create(CollectionConverters.asScala(values).toSeq());
  }
}
