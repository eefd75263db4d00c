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
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.convert.ColumnDefaults;
import io.keylake.spark.file.write.BucketFileNames;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.HadoopOutputs;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.spark.write.WriterPlan.Numbering;
import io.keylake.spark.write.cross.BaseKeys;
import io.keylake.spark.write.cross.CrossRules;
import io.keylake.spark.write.cross.KeyLoader;
import io.keylake.spark.write.cross.KeyRouting;
import io.keylake.spark.write.partial.CurrentRows;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.bucket.BucketStates;
import io.keylake.table.bucket.DynamicBuckets;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.ScanOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.HashIndexFiles;
import io.keylake.table.scan.ScanPlanner;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitPlanner;
import io.keylake.table.split.SplitSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a task sees of the table's storage: new files, and the state of the buckets. */
final class TaskStorage implements Router.Buckets {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStorage.class);

  private final WriterPlan plan;
  private final HadoopFileIO io;
  private final TableStorage storage;
  private final BucketStates states;
  private final BaseBuckets base;
  private final FileAddresses addresses;
  private final HashIndexFiles indexes;
  private final Ids ids;
  private final Clock clock;
  private final @Nullable WrittenBuckets compactions;
  private @Nullable Map<BinaryRow, List<IndexEntry>> liveIndexes;

  TaskStorage(WriterPlan plan, Configuration configuration, Ids ids, Clock clock) {
    this.plan = plan;
    this.io = HadoopFileIO.of(configuration);
    this.ids = ids;
    this.clock = clock;
    TableLayout layout = TableLayout.of(plan.root()).onBranch(plan.branch());
    this.storage = TableStorage.of(plan.root().path(), io, layout);
    this.states = BucketStates.shared(storage, plan.base());
    this.addresses = FileAddresses.of(layout, plan.schema(), plan.layout());
    this.base =
        new BaseBuckets(
            new ScanPlanner(storage, plan.schema(), committed()),
            plan.numbering() == Numbering.CONTINUED ? plan.base() : null,
            StatsProjection.SKIP);
    this.indexes = new HashIndexFiles(io, addresses, ids);
    WriteCompaction compaction = plan.compaction();
    this.compactions =
        compaction == null ? null : new WrittenBuckets(plan, compaction, storage, clock);
  }

  /**
   * The number of the first new row of a bucket. Staged rows of its partition are put into buckets
   * before, and get the numbers below.
   */
  long firstSequenceNumber(Router.Group group) {
    return plan.numbering() == Numbering.FROM_ZERO
        ? 0
        : states.firstSequenceNumber(group.partition(), group.bucket())
            + states.stagedRows(group.partition());
  }

  /** The number of buckets of a partition; what is replaced does not count. */
  @Override
  public int totalBuckets(BinaryRow partition) {
    BucketMode mode = plan.bucketMode();
    boolean isContinued =
        mode instanceof BucketMode.Fixed && plan.numbering() == Numbering.CONTINUED;
    return isContinued
        ? states.totalBuckets(partition).orElse(mode.totalBuckets())
        : mode.totalBuckets();
  }

  /** The dynamic buckets of a partition; what is replaced does not count. */
  @Override
  public DynamicBuckets dynamicBuckets(BinaryRow partition) {
    return new DynamicBuckets(
        plan.assigners(), liveIndexes().getOrDefault(partition, List.of()), indexes::read);
  }

  private synchronized Map<BinaryRow, List<IndexEntry>> liveIndexes() {
    Map<BinaryRow, List<IndexEntry>> known = liveIndexes;
    if (known == null) {
      Snapshot base = plan.numbering() == Numbering.CONTINUED ? plan.base() : null;
      List<IndexEntry> entries = base == null ? List.of() : storage.indexEntries(base);
      known =
          entries.stream()
              .filter(entry -> entry.file().type().equals(IndexFile.HASH))
              .collect(Collectors.groupingBy(IndexEntry::partition));
      liveIndexes = known;
    }
    return known;
  }

  /** All rows of a bucket as of the snapshot that the write started from. */
  List<Split> splits(Router.Group group) {
    base.list(Set.of(group.partition()));
    return new SplitPlanner(plan.schema(), committed(), addresses)
            .plan(
                base.scan(group.partition(), group.bucket(), group.totalBuckets()),
                new SplitSize(Long.MAX_VALUE, 0))
            .tasks()
            .stream()
            .flatMap(List::stream)
            .toList();
  }

  /** The options with which every committed row is seen. */
  private TableOptions committed() {
    return TableOptions.of(
        plan.schema(),
        Map.of(
            ScanKeys.VISIBILITY.name(),
            ScanKeys.VISIBILITY.print(ScanOptions.Visibility.COMMITTED)));
  }

  /** Finds rows of the table by their keys. */
  CurrentRows currentRows() {
    return new CurrentRows(
        plan.schema(),
        storage.schemas()::load,
        ColumnDefaults.ofOlderRows(plan.schema()),
        io.configuration());
  }

  /** The hash indexes of the table. */
  HashIndexFiles indexes() {
    return indexes;
  }

  /** Sends rows where their keys are; empty where keys do not move between partitions. */
  Optional<KeyRouting> keyRouting(KeyRouting.Target target) {
    CrossRules rules = plan.cross();
    return rules == null
        ? Optional.empty()
        : Optional.of(
            new KeyRouting(rules, plan.changes(), plan.schema(), () -> loadKeys(rules), target));
  }

  private BaseKeys loadKeys(CrossRules rules) throws IOException {
    TaskContext task = TaskContext.get();
    String disk = Utils.getLocalDir(SparkEnv.get().conf());
    return new KeyLoader(storage, plan.schema(), addresses, rules, io.configuration())
        .load(
            Utils.createTempDir(disk, "keylake-keys").toPath(),
            () -> {
              if (task != null) {
                task.killTaskIfInterrupted();
              }
            });
  }

  /**
   * The compactions of a task; empty when writes to the table make none.
   *
   * @param owner tells which buckets no other task may be taken as the owner of
   */
  Optional<TaskCompaction> compaction(BiPredicate<BinaryRow, Integer> owner, TaskContext context) {
    WrittenBuckets buckets = compactions;
    return buckets == null
        ? Optional.empty()
        : Optional.of(
            new TaskCompaction(
                buckets,
                StepEnvironment.ofTask(
                    plan.root(), plan.branch(), io.configuration(), ids, context),
                change ->
                    buckets.isOwnedBy(context.partitionId(), change)
                        && owner.test(change.partition(), change.bucket())));
  }

  /** Names for the new files of a bucket. */
  private NewDataFiles newFiles(Router.Group group) {
    return BucketFileNames.of(
        addresses.bucketFolder(group.partition(), group.bucket()),
        plan.layout(),
        plan.files(),
        ids);
  }

  /** Names for the new changelog files of a bucket. */
  private NewDataFiles newChangelogFiles(DataFileSpec files, Router.Group group) {
    return BucketFileNames.ofChangelog(
        addresses.bucketFolder(group.partition(), group.bucket()), plan.layout(), files, ids);
  }

  /**
   * The task's data files. Row groups are bounded so that those of {@code writers} writers fit the
   * heap together.
   */
  TaskFiles newTaskFiles(int writers) {
    return new TaskFiles(this, newWriter(plan.files(), writers), this::newFiles);
  }

  /** The same of the task's changelog; empty where the write makes none. */
  Optional<TaskFiles> newChangelog(int writers) {
    DataFileSpec files = plan.changelog();
    return files == null
        ? Optional.empty()
        : Optional.of(
            new TaskFiles(
                this, newWriter(files, writers), group -> newChangelogFiles(files, group)));
  }

  private DataFileWriter newWriter(DataFileSpec files, int writers) {
    return new DataFileWriter(
        files.boundedFor(writers),
        new HadoopOutputs(io.configuration()),
        io.configuration(),
        clock);
  }

  /** Deletes files of a task that failed. One that cannot be deleted is left to orphan removal. */
  void delete(List<Location> files) {
    for (Location file : files) {
      try {
        io.delete(file);
      } catch (UncheckedIOException e) {
        LOG.warn("Cannot delete {} of a failed task of a write to {}", file, plan.table(), e);
      }
    }
  }
}
