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

package io.keylake.spark.write.bucket;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.Ids;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.maintenance.StepJob;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.bucket.BucketStates;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.RescalePlanner;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits rows that were added, although another commit may have changed the number of buckets of
 * their partitions after they were written: their files are then written once more, into the
 * buckets that are valid now, and the commit is tried again, {@value #TRIES} times.
 *
 * <p>This is for rows that are simply added. What was computed from rows of the table is not
 * written again: the commit fails, and the statement has to be run again. For one thread, on the
 * driver. Pinned by {@code RescaleConcurrencySparkTest}.
 *
 * @param committer commits
 * @param storage the table
 * @param schema the schema that rows were written with
 * @param options the table's options with those of the statement
 * @param configuration where file systems are configured
 */
public record ReroutedCommit(
    TableCommitter committer,
    TableStorage storage,
    TableSchema schema,
    TableOptions options,
    Configuration configuration) {
  private static final Logger LOG = LoggerFactory.getLogger(ReroutedCommit.class);
  static final int TRIES = 5;

  /**
   * Commits. When it fails, the files of {@code request} stay; all others that were made for it are
   * deleted, unless they may have been committed.
   */
  public CommitResult commit(CommitRequest request) {
    CommitRequest current = request;
    for (int round = 1; ; round++) {
      try {
        CommitResult result = committer.commit(current);
        discard(onlyIn(request, current), request);
        return result;
      } catch (CommitConflictException e) {
        if (e.condition() != Condition.KEYLAKE_CONCURRENT_MODIFICATION) {
          throw e;
        }
        Optional<CommitRequest> next = round > TRIES ? Optional.empty() : rerouted(current);
        List<BucketChange> used = new ArrayList<>(request.changes());
        next.ifPresent(found -> used.addAll(found.changes()));
        discard(onlyIn(current, request.withChanges(used)), request);
        current = next.orElseThrow(() -> e);
        LOG.info("Rows for {} go to other buckets: {}", storage.name(), e.getMessage());
      }
    }
  }

  /** The changes of one request that another lacks. */
  private static List<BucketChange> onlyIn(CommitRequest request, CommitRequest other) {
    Set<BucketChange> others = new HashSet<>(other.changes());
    return request.changes().stream().filter(change -> !others.contains(change)).toList();
  }

  /** Deletes files that are known not to have been committed. */
  private void discard(List<BucketChange> changes, CommitRequest request) {
    if (!changes.isEmpty()) {
      CommitRequest never =
          CommitRequest.batch(Ids.random().next(), changes).basedOn(request.base());
      Uninterrupted.run(() -> committer.abort(never));
    }
  }

  /** The same request with the rows in valid buckets; empty when that is not what is in the way. */
  private Optional<CommitRequest> rerouted(CommitRequest request) {
    BucketMode mode = BucketMode.of(schema, options.bucket());
    Optional<Snapshot> latest = storage.snapshots().latest();
    boolean isPlain =
        (mode instanceof BucketMode.Fixed || mode instanceof BucketMode.Postpone)
            && request.overwrite() == null
            && !request.checks().contains(CommitRequest.Check.KEYS_UNCHANGED)
            && request.changes().stream().allMatch(change -> isAddition(change.written()));
    if (!isPlain || latest.isEmpty()) {
      return Optional.empty();
    }
    BucketStates states = BucketStates.shared(storage, latest.get());
    Map<BinaryRow, List<BucketChange>> outdated = new LinkedHashMap<>();
    List<BucketChange> changes = new ArrayList<>();
    for (BucketChange change : request.changes()) {
      OptionalInt total = states.totalBuckets(change.partition());
      if (change.totalBuckets() > 0
          && total.isPresent()
          && total.getAsInt() != change.totalBuckets()) {
        outdated.computeIfAbsent(change.partition(), p -> new ArrayList<>()).add(change);
      } else {
        changes.add(change);
      }
    }
    if (outdated.isEmpty()) {
      return Optional.empty();
    }
    changes.addAll(moved(outdated, states));
    return Optional.of(request.withChanges(changes));
  }

  private boolean isAddition(FileChanges files) {
    return files.removed().isEmpty()
        && files.changelog().isEmpty()
        && files.addedIndexes().isEmpty()
        && files.removedIndexes().isEmpty()
        && files.added().stream().allMatch(file -> file.level() == 0);
  }

  private List<BucketChange> moved(
      Map<BinaryRow, List<BucketChange>> outdated, BucketStates states) {
    RescalePlanner planner =
        new RescalePlanner(
            schema,
            options,
            FileAddresses.of(storage.layout(), schema, options.fileLayout()),
            storage.schemas()::load);
    List<CompactionPlan> plans = new ArrayList<>();
    outdated.forEach(
        (partition, changes) -> {
          int total = states.totalBuckets(partition).orElseThrow();
          long next = 0;
          for (int bucket = 0; bucket < total; bucket++) {
            next = Math.max(next, states.firstSequenceNumber(partition, bucket));
          }
          List<BucketFiles> buckets = changes.stream().map(ReroutedCommit::files).toList();
          plans.addAll(planner.later(buckets, total, next));
        });
    return run(plans);
  }

  private static BucketFiles files(BucketChange change) {
    return new BucketFiles(
        change.partition(),
        change.bucket(),
        change.totalBuckets(),
        change.written().added(),
        Map.of(),
        List.of(),
        Set.of());
  }

  private List<BucketChange> run(List<CompactionPlan> plans) {
    SparkContext spark = SparkContext.getOrCreate();
    Ids ids = Ids.random();
    CompactionSpec spec =
        CompactionSpec.of(
            storage.name(), schema, options, storage.schemas()::load, plans, Optional.empty());
    StepJob job = new StepJob(spark, spec, plans, storage.layout(), configuration, ids);
    String text = "write rows of " + storage.name() + " into other buckets";
    StepJob.JobLabel label = StepJob.label(spark, "keylake-reroute-" + ids.next(), text);
    List<List<StepResult>> results = List.of();
    try (label) {
      results = job.run();
      return changes(plans, results);
    } finally {
      if (results.isEmpty()) {
        Uninterrupted.run(job::discard);
      }
    }
  }

  private static List<BucketChange> changes(
      List<CompactionPlan> plans, List<List<StepResult>> results) {
    List<BucketChange> changes = new ArrayList<>();
    for (int i = 0; i < plans.size(); i++) {
      CompactionPlan plan = plans.get(i);
      Map<Integer, List<DataFile>> made = new TreeMap<>();
      for (StepResult result : results.get(i)) {
        result
            .spread()
            .forEach(
                (bucket, files) ->
                    made.computeIfAbsent(bucket, number -> new ArrayList<>()).addAll(files));
      }
      made.forEach(
          (bucket, files) ->
              changes.add(
                  new BucketChange(
                      plan.partition(),
                      bucket,
                      plan.totalBuckets(),
                      FileChanges.added(files),
                      FileChanges.NONE)));
    }
    return changes;
  }
}
