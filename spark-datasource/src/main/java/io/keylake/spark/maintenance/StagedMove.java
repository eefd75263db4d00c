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
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.ColumnDefaults;
import io.keylake.spark.staged.StagedRowFiles;
import io.keylake.spark.staged.StagedSpec;
import io.keylake.table.bucket.BucketStates;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.RewriteSupport;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.StagedFiles;
import io.keylake.table.split.StagedFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Moves staged rows of a postpone table from bucket -2 into the buckets they belong to, by a Spark
 * job and one COMPACT snapshot: no row changes.
 *
 * <ol>
 *   <li>The rows become runs of level 0, numbered above everything in their buckets.
 *   <li>A partition without buckets gets as many as a writer asks for, else as many as {@code
 *       postpone.default-bucket-num} says, else by the amount of rows.
 *   <li>The commit takes away exactly the files that were read; what others stage meanwhile stays
 *       staged. A partition that other commits were in the way of is done again, {@value #REDOS}
 *       times.
 * </ol>
 *
 * <p>Lives on the driver, for one thread. Pinned by {@code PostponeSparkTest}.
 */
public final class StagedMove {
  static final int REDOS = 5;

  /**
   * The table.
   *
   * @param name as users know it
   * @param storage its files, on the branch that is written
   * @param schema the schema that the rows get
   * @param options stored options with those of the statement over them
   * @param configuration where file systems are configured
   */
  public record Place(
      String name,
      TableStorage storage,
      TableSchema schema,
      TableOptions options,
      Configuration configuration) {}

  /**
   * What was moved.
   *
   * @param files staged files
   * @param written files that they became
   * @param partitionsDropped partitions left as they are, since other commits were in the way
   */
  record Moved(List<DataFile> files, List<DataFile> written, int partitionsDropped) {}

  private final SparkContext spark;
  private final Place place;
  private final Ids ids;
  private final TableCommitter committer;
  private final FileAddresses addresses;

  /**
   * A move.
   *
   * @param ids give jobs and commits their names
   */
  public StagedMove(SparkContext spark, Place place, Ids ids) {
    this.spark = spark;
    this.place = place;
    this.ids = ids;
    this.committer =
        new TableCommitter(
            new CommitTable(place.storage(), place.schema(), place.options()),
            CommitEnvironment.system());
    this.addresses =
        FileAddresses.of(place.storage().layout(), place.schema(), place.options().fileLayout());
  }

  /**
   * Moves what a snapshot has staged in some partitions, so that rows which a writer that started
   * from it adds are newer. What was staged later stays, and is newer.
   *
   * @param base the snapshot
   * @param buckets the partitions, with the number of buckets that they get if they have none
   * @throws CommitConflictException when other commits were in the way every time
   */
  public void before(Snapshot base, Map<BinaryRow, Integer> buckets) {
    Map<BinaryRow, List<DataFile>> staged =
        StagedFiles.of(place.storage(), base, buckets::containsKey);
    if (staged.isEmpty()) {
      return;
    }
    Set<String> names = new HashSet<>();
    staged.values().forEach(files -> files.forEach(file -> names.add(file.name())));
    Moved moved = run(new Wanted(staged.keySet(), Optional.of(names), buckets));
    if (moved.partitionsDropped() > 0) {
      throw new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Cannot commit to table "
              + place.name()
              + ". Rows that are staged in its postpone bucket have to be put into buckets first,"
              + " and other commits were in the way "
              + REDOS
              + " times. Nothing of this commit is visible; run the statement again.");
    }
  }

  /** Moves everything that is staged in some partitions. */
  Moved all(Set<BinaryRow> partitions) {
    return run(new Wanted(partitions, Optional.empty(), Map.of()));
  }

  /**
   * What is to be moved.
   *
   * @param partitions of these partitions
   * @param names these files; empty = all
   * @param buckets how many buckets new partitions get; a partition that is not named gets as many
   *     as its rows need
   */
  private record Wanted(
      Set<BinaryRow> partitions, Optional<Set<String>> names, Map<BinaryRow, Integer> buckets) {}

  private Moved run(Wanted wanted) {
    List<DataFile> files = new ArrayList<>();
    List<DataFile> written = new ArrayList<>();
    for (int round = 0; ; round++) {
      Optional<Snapshot> snapshot = place.storage().snapshots().latest();
      if (snapshot.isEmpty()) {
        return new Moved(files, written, 0);
      }
      Map<BinaryRow, List<DataFile>> staged = staged(snapshot.get(), wanted);
      if (staged.isEmpty() || round > REDOS) {
        return new Moved(files, written, staged.size());
      }
      Set<BinaryRow> again = move(snapshot.get(), staged, wanted, written);
      staged.keySet().removeAll(again);
      staged.values().forEach(files::addAll);
      if (again.isEmpty()) {
        return new Moved(files, written, 0);
      }
    }
  }

  private Map<BinaryRow, List<DataFile>> staged(Snapshot snapshot, Wanted wanted) {
    Map<BinaryRow, List<DataFile>> staged =
        StagedFiles.of(place.storage(), snapshot, wanted.partitions()::contains);
    wanted
        .names()
        .ifPresent(
            names -> {
              staged.values().forEach(files -> files.removeIf(f -> !names.contains(f.name())));
              staged.values().removeIf(List::isEmpty);
            });
    return staged;
  }

  /** Moves and commits; the partitions that other commits were in the way of. */
  private Set<BinaryRow> move(
      Snapshot snapshot,
      Map<BinaryRow, List<DataFile>> staged,
      Wanted wanted,
      List<DataFile> written) {
    RewriteSupport.check(place.schema(), place.name());
    List<MoveTask> tasks = new ArrayList<>();
    BucketStates states = BucketStates.shared(place.storage(), snapshot);
    staged.forEach((partition, files) -> addTasks(tasks, partition, files, states, wanted));
    JobIds jobIds = JobIds.of(ids);
    List<BucketChange> changes = new ArrayList<>();
    boolean isDone = false;
    try (JobLabels labels = new JobLabels(spark, "keylake-move-" + jobIds.half())) {
      labels.describe("move staged rows of " + place.name());
      TaskJob.run(
              spark,
              jobIds.half(),
              JavaSparkContext.fromSparkContext(spark).parallelize(tasks, tasks.size()).rdd(),
              new MoveFunction(
                  spec(staged),
                  place.storage().layout(),
                  jobIds,
                  TaskConfiguration.of(place.configuration())))
          .forEach(changes::addAll);
      staged.forEach((partition, files) -> changes.add(removal(partition, files)));
      CommitResult result =
          committer.commit(CommitRequest.batch(ids.next(), changes).basedOn(snapshot));
      isDone = true;
      Set<BinaryRow> dropped = new HashSet<>();
      result.dropped().forEach(change -> dropped.add(change.partition()));
      changes.stream()
          .filter(change -> !dropped.contains(change.partition()))
          .forEach(change -> written.addAll(change.compacted().added()));
      return dropped;
    } finally {
      if (!isDone) {
        boolean neverCommitted = changes.isEmpty();
        Uninterrupted.run(
            () -> {
              if (neverCommitted) {
                JobFiles.discard(HadoopFileIO.of(place.configuration()), folders(tasks), jobIds);
              } else {
                committer.abort(CommitRequest.batch(ids.next(), changes).basedOn(snapshot));
              }
            });
      }
    }
  }

  private static BucketChange removal(BinaryRow partition, List<DataFile> files) {
    return new BucketChange(
        partition,
        TableLayout.POSTPONE_BUCKET,
        TableLayout.POSTPONE_BUCKET,
        FileChanges.NONE,
        new FileChanges(List.of(), files, List.of(), List.of(), List.of()));
  }

  private void addTasks(
      List<MoveTask> tasks,
      BinaryRow partition,
      List<DataFile> files,
      BucketStates states,
      Wanted wanted) {
    long bytes = files.stream().mapToLong(DataFile::size).sum();
    long rows = files.stream().mapToLong(DataFile::rowCount).sum();
    int total =
        states
            .totalBuckets(partition)
            .orElseGet(
                () ->
                    wanted
                        .buckets()
                        .getOrDefault(
                            partition,
                            place.options().bucket().postpone().bucketsFor(bytes, rows)));
    List<StagedFile> staged = new ArrayList<>();
    for (DataFile file : files) {
      staged.add(
          new StagedFile(
              addresses.dataFile(partition, TableLayout.POSTPONE_BUCKET, file).path(), file));
    }
    StagedRowFiles source = new StagedRowFiles(partition, total, staged);
    int count = MoveTask.tasks(bytes, total, spark.defaultParallelism());
    for (int task = 0; task < count; task++) {
      List<MoveTask.Bucket> buckets = new ArrayList<>();
      for (int bucket = task; bucket < total; bucket += count) {
        buckets.add(new MoveTask.Bucket(bucket, states.firstSequenceNumber(partition, bucket)));
      }
      tasks.add(new MoveTask(source, buckets));
    }
  }

  private StagedSpec spec(Map<BinaryRow, List<DataFile>> staged) {
    Map<Long, TableSchema> fileSchemas = new HashMap<>();
    staged
        .values()
        .forEach(
            files ->
                files.forEach(
                    file ->
                        fileSchemas.computeIfAbsent(
                            file.schemaId(), place.storage().schemas()::load)));
    return new StagedSpec(
        place.name(),
        place.schema(),
        place.options().asMap(),
        fileSchemas,
        ColumnDefaults.ofOlderRows(place.schema()));
  }

  private Set<Location> folders(List<MoveTask> tasks) {
    Set<Location> folders = new LinkedHashSet<>();
    for (MoveTask task : tasks) {
      for (MoveTask.Bucket bucket : task.buckets()) {
        folders.add(addresses.bucketFolder(task.rows().partition(), bucket.number()));
      }
    }
    return folders;
  }
}
