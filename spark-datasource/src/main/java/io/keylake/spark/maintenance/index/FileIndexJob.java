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

package io.keylake.spark.maintenance.index;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.compaction.AppendRows;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.write.FileIndexBuilder;
import io.keylake.spark.maintenance.JobFiles;
import io.keylake.spark.maintenance.JobIds;
import io.keylake.spark.maintenance.TaskPermission;
import io.keylake.spark.maintenance.sorting.SortInput;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.options.FileIndexOptions;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * Indexes data files as they are, in tasks.
 *
 * <ol>
 *   <li>An index is of all rows of a file, deleted ones included, and of the column as the file
 *       stores it: under the name and type of the file's schema. Columns that came later, or whose
 *       old type such an index cannot hold, have none in the file.
 *   <li>A file whose index is already what it should be is left alone.
 *   <li>What is larger than {@code file-index.in-manifest-threshold} goes into a new side file.
 * </ol>
 *
 * Pinned by {@code RewriteFileIndexSparkTest}.
 */
final class FileIndexJob extends AbstractFunction1<Iterator<SortInput>, List<FileIndexJob.Indexed>>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How the names of files with indexes end. */
  static final String SUFFIX = ".index";

  private final CompactionSpec spec;
  private final FileIndexOptions options;
  private final Location root;
  private final String branch;
  private final JobIds ids;
  private final TaskConfiguration configuration;

  FileIndexJob(JobFiles files, FileIndexOptions options) {
    this.spec = files.spec();
    this.options = options;
    this.root = files.layout().root();
    this.branch = files.layout().branch();
    this.ids = files.ids();
    this.configuration = TaskConfiguration.of(files.configuration());
  }

  /**
   * A file with another index than before.
   *
   * @param plan position of its bucket's plan
   * @param before the file, without statistics
   * @param after the same file with its new index
   * @param sideBytes size of a new side file, 0 when there is none
   */
  record Indexed(int plan, DataFile before, DataFile after, long sideBytes)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public List<Indexed> apply(Iterator<SortInput> tasks) {
    TaskContext context = TaskContext.get();
    StepEnvironment environment =
        StepEnvironment.ofTask(root, branch, configuration.value(), ids, context);
    List<Location> written = new ArrayList<>();
    boolean isAccepted = false;
    try {
      List<Indexed> changed = new ArrayList<>();
      for (SortInput.PartitionFile file : tasks.next().files()) {
        index(file, environment, written, changed);
      }
      TaskPermission.await(context);
      isAccepted = true;
      return changed;
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot index files of " + spec.table(), e);
    } finally {
      if (!isAccepted) {
        written.forEach(environment.io()::delete);
      }
    }
  }

  private void index(
      SortInput.PartitionFile task,
      StepEnvironment environment,
      List<Location> written,
      List<Indexed> changed)
      throws IOException {
    CompactionInput input = task.input();
    DataFile file = input.file();
    List<String> others =
        file.extraFiles().stream().filter(name -> !name.endsWith(SUFFIX)).toList();
    byte[] content = content(task, environment);
    if (Arrays.equals(content, stored(input, environment))) {
      return;
    }
    if (content.length == 0) {
      changed.add(new Indexed(task.plan(), file, file.withIndexes(others, null), 0));
    } else if (content.length <= options.embeddedBytes()) {
      DataFile after = file.withIndexes(others, Bytes.wrap(content));
      changed.add(new Indexed(task.plan(), file, after, 0));
    } else {
      String name = file.name() + "." + ids.next() + SUFFIX;
      Location place = beside(input, name);
      written.add(place);
      environment.io().create(place, content);
      List<String> all = new ArrayList<>(others);
      all.add(name);
      changed.add(new Indexed(task.plan(), file, file.withIndexes(all, null), content.length));
    }
  }

  private static Location beside(CompactionInput input, String name) {
    String path = input.path();
    return new Location(path.substring(0, path.lastIndexOf('/') + 1) + name);
  }

  /** The index that a file has; empty when it has none. */
  private static byte[] stored(CompactionInput input, StepEnvironment environment) {
    Bytes embedded = input.file().embeddedIndex();
    if (embedded != null) {
      return embedded.toArray();
    }
    return input.file().extraFiles().stream()
        .filter(name -> name.endsWith(SUFFIX))
        .findFirst()
        .map(name -> environment.io().read(beside(input, name)))
        .orElse(new byte[0]);
  }

  /** The index that a file should have; empty when it should have none. */
  private byte[] content(SortInput.PartitionFile task, StepEnvironment environment)
      throws IOException {
    CompactionInput input = task.input();
    TableSchema fileSchema = spec.fileSchema(input.file());
    FileIndexOptions wanted = options.storedIn(fileSchema);
    if (wanted.indexes().isEmpty()) {
      return new byte[0];
    }
    List<DataField> columns =
        wanted.indexes().stream().map(FileIndexOptions.Index::column).distinct().toList();
    TableSchema read = AppendRows.narrowed(fileSchema, columns);
    FileIndexBuilder builder = new FileIndexBuilder(read, wanted);
    UnsafeProjection stored = projection(SparkTypes.toSpark(read.rowType()));
    RowBatch batch = new RowBatch();
    CompactionInput whole = new CompactionInput(input.path(), input.file(), 0, null);
    try (AppendRows rows =
        new AppendRows(spec, environment, read, task.partition(), whole, task.plan())) {
      while (rows.next()) {
        if (batch.isFull()) {
          builder.add(batch);
          batch.clear();
        }
        UnsafeRow row = stored.apply(rows.row());
        batch.add(
            row.getBaseObject(),
            row.getBaseOffset(),
            row.getSizeInBytes(),
            0,
            ChangeKind.INSERT.code());
      }
    }
    builder.add(batch);
    return builder.encode();
  }

  private static UnsafeProjection projection(StructType columns) {
    List<Expression> values = new ArrayList<>();
    for (int i = 0; i < columns.length(); i++) {
      values.add(new BoundReference(i, columns.fields()[i].dataType(), true));
    }
    return UnsafeProjection.create(CollectionConverters.asScala(values).toSeq());
  }
}
