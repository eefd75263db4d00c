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

package io.keylake.spark.maintenance;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.file.write.BucketFileNames;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.HadoopOutputs;
import io.keylake.spark.staged.StagedRuns;
import io.keylake.spark.staged.StagedSpec;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * What a task of a move of staged rows does: it writes runs of level 0 into the table's folders. An
 * attempt that fails or is not let through deletes every file that it began.
 */
final class MoveFunction extends AbstractFunction1<Iterator<MoveTask>, List<BucketChange>>
    implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(MoveFunction.class);

  private final StagedSpec spec;
  private final Location root;
  private final String branch;
  private final JobIds ids;
  private final TaskConfiguration configuration;

  /**
   * What tasks do.
   *
   * @param layout the place of the table
   * @param ids name the job's files
   */
  MoveFunction(StagedSpec spec, TableLayout layout, JobIds ids, TaskConfiguration configuration) {
    this.spec = spec;
    this.root = layout.root();
    this.branch = layout.branch();
    this.ids = ids;
    this.configuration = configuration;
  }

  /** What the task adds, bucket by bucket. */
  @Override
  public List<BucketChange> apply(Iterator<MoveTask> tasks) {
    TaskContext context = TaskContext.get();
    List<Location> written = new ArrayList<>();
    boolean isAccepted = false;
    try {
      List<BucketChange> changes = write(tasks.next(), context, written);
      TaskPermission.await(context);
      isAccepted = true;
      return changes;
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot move staged rows of " + spec.table(), e);
    } finally {
      if (!isAccepted) {
        Uninterrupted.run(() -> delete(written));
      }
    }
  }

  private List<BucketChange> write(MoveTask task, TaskContext context, List<Location> written)
      throws IOException {
    TableOptions options = spec.allOptions();
    DataFileSpec files = DataFileSpec.ofWrite(spec.schema(), options);
    FileAddresses addresses =
        FileAddresses.of(
            TableLayout.of(root).onBranch(branch), spec.schema(), options.fileLayout());
    List<StagedRuns.Target> targets = new ArrayList<>();
    for (MoveTask.Bucket bucket : task.buckets()) {
      Location folder = addresses.bucketFolder(task.rows().partition(), bucket.number());
      targets.add(
          new StagedRuns.Target(
              bucket.number(),
              bucket.firstSequenceNumber(),
              BucketFileNames.of(folder, options.fileLayout(), files, ids)));
    }
    HadoopOutputs outputs = new HadoopOutputs(configuration.value());
    StagedRuns runs =
        new StagedRuns(
            spec,
            configuration.value(),
            location -> {
              written.add(location);
              return outputs.open(location);
            },
            Clock.system(ZoneId.systemDefault()),
            context);
    Map<Integer, List<DataFile>> made = runs.write(task.rows(), targets);
    List<BucketChange> changes = new ArrayList<>();
    made.forEach(
        (target, added) ->
            changes.add(
                new BucketChange(
                    task.rows().partition(),
                    targets.get(target).bucket(),
                    task.rows().totalBuckets(),
                    FileChanges.NONE,
                    FileChanges.added(added))));
    return changes;
  }

  private void delete(List<Location> files) {
    FileIO io = HadoopFileIO.of(configuration.value());
    for (Location file : files) {
      try {
        io.delete(file);
      } catch (UncheckedIOException e) {
        LOG.warn("Cannot delete {} of a failed task on {}", file, spec.table(), e);
      }
    }
  }
}
