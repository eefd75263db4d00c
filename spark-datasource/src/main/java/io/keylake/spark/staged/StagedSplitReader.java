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

package io.keylake.spark.staged;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.write.HadoopOutputs;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.merge.SplitReaders;
import io.keylake.table.options.DataFileOptions;
import io.keylake.table.options.FileLayoutOptions;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.ScanOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitPlanner;
import io.keylake.table.split.SplitSize;
import io.keylake.table.split.StagedSplit;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Reads a split with staged rows: sorts them into files on a local disk, a run of level 0 of each
 * bucket, and reads the buckets with these on top. The files are deleted when the reader is closed,
 * and at the latest at the end of the task. For one thread.
 */
final class StagedSplitReader implements BatchReader {
  private final ReadSpec spec;
  private final StagedSplit split;
  private final Configuration conf;
  private final File folder;
  private final BatchReader reader;

  /** Sorts the staged rows; the caller closes the reader. */
  static StagedSplitReader open(
      ReadSpec spec, StagedSplit split, Configuration conf, ReadMetrics metrics)
      throws IOException {
    TaskContext task = TaskContext.get();
    File folder = SparkEnv.get().blockManager().diskBlockManager().createTempLocalBlock()._2();
    if (!folder.mkdirs()) {
      throw new IOException("Cannot make the folder " + folder);
    }
    task.addTaskCompletionListener((TaskCompletionListener) context -> delete(folder));
    boolean isOpen = false;
    try {
      StagedSplitReader opened = new StagedSplitReader(spec, split, conf, folder, metrics, task);
      isOpen = true;
      return opened;
    } finally {
      if (!isOpen) {
        delete(folder);
      }
    }
  }

  private StagedSplitReader(
      ReadSpec spec,
      StagedSplit split,
      Configuration conf,
      File folder,
      ReadMetrics metrics,
      TaskContext task)
      throws IOException {
    this.spec = spec;
    this.split = split;
    this.conf = conf;
    this.folder = folder;
    this.reader = SplitReaders.open(withRunSchema(), splits(sort(task)), conf, metrics);
  }

  /** Runs are written with the schema that is read. */
  private ReadSpec withRunSchema() {
    Map<Long, TableSchema> schemas = new HashMap<>(spec.fileSchemas());
    schemas.put(spec.schema().id(), spec.schema());
    return new ReadSpec(
        spec.schema(),
        spec.columns(),
        spec.output(),
        schemas,
        spec.predicate(),
        spec.addedDefaults(),
        spec.batchRows(),
        spec.memory());
  }

  /** The buckets with what is staged for them. */
  private List<BucketFiles> sort(TaskContext task) throws IOException {
    StagedSpec staged =
        new StagedSpec(
            split.root().path(), spec.schema(), Map.of(), spec.fileSchemas(), spec.addedDefaults());
    List<StagedRuns.Target> targets = new ArrayList<>();
    for (BucketFiles bucket : split.buckets()) {
      long highest =
          bucket.files().stream().mapToLong(DataFile::maxSequenceNumber).max().orElse(-1);
      targets.add(
          new StagedRuns.Target(
              bucket.bucket(), Math.max(0, highest + 1), names(staged.allOptions().dataFile())));
    }
    Map<Integer, List<DataFile>> runs =
        new StagedRuns(
                staged, conf, new HadoopOutputs(conf), Clock.system(ZoneId.systemDefault()), task)
            .write(
                new StagedRowFiles(split.partition(), split.totalBuckets(), split.staged()),
                targets);
    List<BucketFiles> buckets = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      BucketFiles bucket = split.buckets().get(i).withAdded(runs.getOrDefault(i, List.of()));
      if (!bucket.files().isEmpty()) {
        buckets.add(bucket);
      }
    }
    return buckets;
  }

  private NewDataFiles names(DataFileOptions files) {
    Ids ids = Ids.random();
    String extension = "." + files.format(0).identifier();
    return () -> {
      String name = ids.next() + extension;
      Location place = place().child(name);
      return new NewDataFiles.Place(name, place, place.path());
    };
  }

  private Location place() {
    return new Location("file:" + folder.getAbsolutePath());
  }

  private List<Split> splits(List<BucketFiles> buckets) {
    TableOptions options =
        TableOptions.of(
            spec.schema(),
            Map.of(
                ScanKeys.VISIBILITY.name(),
                ScanKeys.VISIBILITY.print(ScanOptions.Visibility.COMMITTED)));
    FileLayoutOptions layout = options.fileLayout().withExternalPath(place().path());
    FileAddresses addresses =
        FileAddresses.of(
            TableLayout.of(split.root()).onBranch(split.branch()), spec.schema(), layout);
    return new SplitPlanner(spec.schema(), options, addresses)
        .plan(buckets, new SplitSize(Long.MAX_VALUE, 0)).tasks().stream()
            .flatMap(List::stream)
            .toList();
  }

  @Override
  public boolean next() throws IOException {
    return reader.next();
  }

  @Override
  public ColumnarBatch batch() {
    return reader.batch();
  }

  @Override
  public void close() throws IOException {
    try {
      reader.close();
    } finally {
      delete(folder);
    }
  }

  /** The folder is flat. */
  private static void delete(File folder) {
    try {
      File[] files = folder.listFiles();
      for (File file : files == null ? new File[0] : files) {
        Files.deleteIfExists(file.toPath());
      }
      Files.deleteIfExists(folder.toPath());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + folder, e);
    }
  }
}
