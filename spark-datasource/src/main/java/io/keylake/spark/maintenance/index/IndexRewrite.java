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
import io.keylake.format.fileio.Ids;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.maintenance.JobFiles;
import io.keylake.spark.maintenance.JobIds;
import io.keylake.spark.maintenance.JobLabels;
import io.keylake.spark.maintenance.PartitionBatches;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.spark.maintenance.TaskJob;
import io.keylake.spark.maintenance.sorting.SortInput;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionPlanner;
import io.keylake.table.maintenance.ManifestMerging;
import io.keylake.table.scan.BucketFiles;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;

/**
 * Gives the files of a table the file indexes that its options ask for, without writing rows anew:
 * each changed file is taken from the table and put back with its new index, by COMPACT snapshots.
 * A bucket whose files another commit took away meanwhile is looked at again, {@value #REDOS} times
 * at most. Lives on the driver, for one thread. Pinned by {@code RewriteFileIndexSparkTest}.
 */
public final class IndexRewrite {
  static final int REDOS = 3;

  private final SparkContext spark;
  private final LakeTable table;
  private final Clock clock;
  private final Ids ids;
  private final TableCommitter committer;
  private long filesChecked;
  private long filesIndexed;
  private long indexFilesWritten;
  private long indexBytes;
  private long bucketsDropped;

  /** A rewrite of {@code table}, with the options of the call over its own. */
  public IndexRewrite(SparkContext spark, LakeTable table, Clock clock, Ids ids) {
    this.spark = spark;
    this.table = table;
    this.clock = clock;
    this.ids = ids;
    this.committer = table.committer(CommitEnvironment.system());
  }

  private record Bucket(BinaryRow partition, int bucket) {}

  /** Indexes the files of some partitions. */
  public IndexSummary run(PartitionChoice partitions) {
    forgetRemovedFiles();
    rewrite(partitions);
    return summary();
  }

  /**
   * A file is told from others by its name and its index. One that gets an index back which it had
   * before must not be taken for the one that was removed then: readers drop what some manifest
   * says is removed.
   */
  private void forgetRemovedFiles() {
    new ManifestMerging(
            new CommitTable(table.storage(), table.schema(), table.options()),
            CommitEnvironment.system(),
            table.newCommitUser(ids))
        .run();
  }

  /** How many files there are to look at; the rest is known only when they are read. */
  public IndexSummary look(PartitionChoice partitions) {
    Optional<Snapshot> newest = table.storage().snapshots().latest();
    for (Set<BinaryRow> batch : batches(partitions)) {
      plans(newest.orElseThrow(), batch).forEach(plan -> filesChecked += plan.inputs().size());
    }
    return summary();
  }

  private IndexSummary summary() {
    return new IndexSummary(
        filesChecked, filesIndexed, indexFilesWritten, indexBytes, bucketsDropped);
  }

  private List<Set<BinaryRow>> batches(PartitionChoice partitions) {
    return table
        .storage()
        .snapshots()
        .latest()
        .map(newest -> PartitionBatches.of(table.storage(), newest, partitions))
        .orElse(List.of());
  }

  private void rewrite(PartitionChoice partitions) {
    try (JobLabels labels = new JobLabels(spark, "keylake-index-" + ids.next())) {
      labels.describe("index files of " + table.name());
      for (Set<BinaryRow> batch : batches(partitions)) {
        rewrite(batch);
      }
    }
  }

  private void rewrite(Set<BinaryRow> partitions) {
    Set<Bucket> again = Set.of();
    for (int round = 0; round <= REDOS; round++) {
      Optional<Snapshot> snapshot = table.storage().snapshots().latest();
      if (snapshot.isEmpty()) {
        return;
      }
      List<CompactionPlan> plans = plans(snapshot.get(), partitions);
      if (round == 0) {
        plans.forEach(plan -> filesChecked += plan.inputs().size());
      } else {
        Set<Bucket> wanted = again;
        plans = plans.stream().filter(plan -> wanted.contains(bucket(plan))).toList();
      }
      again = plans.isEmpty() ? Set.of() : carryOut(snapshot.get(), plans);
      if (again.isEmpty()) {
        return;
      }
    }
    bucketsDropped += again.size();
  }

  private static Bucket bucket(CompactionPlan plan) {
    return new Bucket(plan.partition(), plan.bucket());
  }

  /** One plan a bucket, with all its files as they are in the manifests. */
  private List<CompactionPlan> plans(Snapshot snapshot, Set<BinaryRow> partitions) {
    CompactionPlanner planner = table.compactionPlanner(clock);
    List<CompactionPlan> plans = new ArrayList<>();
    for (BucketFiles bucket :
        table.planner().ofEveryLevel().buckets(snapshot, partitions, StatsProjection.SKIP)) {
      planner.whole(bucket).ifPresent(plans::add);
    }
    return plans;
  }

  private Set<Bucket> carryOut(Snapshot snapshot, List<CompactionPlan> plans) {
    CompactionSpec spec =
        CompactionSpec.ofReading(
            table.name(),
            table.schema(),
            table.options(),
            table.storage().schemas()::load,
            plans,
            Optional.empty());
    JobFiles files =
        new JobFiles(
            spec,
            table.storage().layout(),
            TaskConfiguration.hadoop(table.storage().io()),
            JobIds.of(ids));
    List<SortInput> inputs = SortInput.of(plans, spark.defaultParallelism());
    RDD<SortInput> tasks =
        JavaSparkContext.fromSparkContext(spark).parallelize(inputs, inputs.size()).rdd();
    String user = table.newCommitUser(ids);
    List<BucketChange> changes = List.of();
    boolean isDone = false;
    try {
      List<FileIndexJob.Indexed> indexed =
          TaskJob.run(
                  spark,
                  files.ids().half(),
                  tasks,
                  new FileIndexJob(files, table.options().fileIndex()))
              .stream()
              .flatMap(List::stream)
              .toList();
      if (indexed.isEmpty()) {
        isDone = true;
        return Set.of();
      }
      changes = changes(snapshot, plans, indexed);
      CommitResult result = committer.commit(CommitRequest.batch(user, changes).basedOn(snapshot));
      isDone = true;
      return count(plans, indexed, result);
    } finally {
      if (!isDone && changes.isEmpty()) {
        Uninterrupted.run(() -> files.discard(plans));
      } else if (!isDone) {
        CommitRequest failed = CommitRequest.batch(user, changes).basedOn(snapshot);
        Uninterrupted.run(() -> committer.abort(failed));
      }
    }
  }

  /** New entries store the statistics again, which did not travel with the files. */
  private List<BucketChange> changes(
      Snapshot snapshot, List<CompactionPlan> plans, List<FileIndexJob.Indexed> indexed) {
    Map<Integer, List<FileIndexJob.Indexed>> byPlan = new HashMap<>();
    Set<BinaryRow> partitions = new HashSet<>();
    for (FileIndexJob.Indexed file : indexed) {
      byPlan.computeIfAbsent(file.plan(), plan -> new ArrayList<>()).add(file);
      partitions.add(plans.get(file.plan()).partition());
    }
    Map<String, DataFile> whole = new HashMap<>();
    for (BucketFiles bucket :
        table.planner().ofEveryLevel().buckets(snapshot, partitions, StatsProjection.KEEP)) {
      bucket.files().forEach(file -> whole.put(file.name(), file));
    }
    List<BucketChange> changes = new ArrayList<>();
    byPlan.forEach(
        (plan, ofPlan) -> {
          CompactionPlan bucket = plans.get(plan);
          List<DataFile> removed = new ArrayList<>();
          List<DataFile> added = new ArrayList<>();
          for (FileIndexJob.Indexed file : ofPlan) {
            DataFile before = Objects.requireNonNull(whole.get(file.before().name()));
            removed.add(before);
            added.add(before.withIndexes(file.after().extraFiles(), file.after().embeddedIndex()));
          }
          changes.add(
              new BucketChange(
                  bucket.partition(),
                  bucket.bucket(),
                  bucket.totalBuckets(),
                  FileChanges.NONE,
                  new FileChanges(added, removed, List.of(), List.of(), List.of())));
        });
    return changes;
  }

  private Set<Bucket> count(
      List<CompactionPlan> plans, List<FileIndexJob.Indexed> indexed, CommitResult result) {
    Set<Bucket> dropped = new HashSet<>();
    for (BucketChange change : result.dropped()) {
      dropped.add(new Bucket(change.partition(), change.bucket()));
    }
    for (FileIndexJob.Indexed file : indexed) {
      if (!dropped.contains(bucket(plans.get(file.plan())))) {
        Bytes embedded = file.after().embeddedIndex();
        filesIndexed++;
        indexFilesWritten += file.sideBytes() > 0 ? 1 : 0;
        indexBytes += file.sideBytes() + (embedded == null ? 0 : embedded.length());
      }
    }
    return dropped;
  }
}
