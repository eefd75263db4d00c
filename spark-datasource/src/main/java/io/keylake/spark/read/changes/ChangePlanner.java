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

package io.keylake.spark.read.changes;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.changelog.ChangeColumn;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.spark.changelog.ChangeSplit;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.ColumnDefaults;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.read.PartitionTest;
import io.keylake.table.changes.ChangeLog;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.scan.FileTest;
import io.keylake.table.split.SplitSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Plans reads of changes: which commits, which splits, what each task gets. A stream plans each of
 * its batches by the same steps.
 */
public final class ChangePlanner {
  private final ChangeTarget target;
  private final ChangeRequest request;
  private final List<Predicate> keyConditions;

  ChangePlanner(ChangeTarget target, ChangeRequest request) {
    this.target = target;
    this.request = request;
    RowType key = target.schema().keyType();
    this.keyConditions =
        request.filters().table().skipping().stream()
            .filter(
                condition ->
                    Predicates.fieldIds(condition).stream().allMatch(id -> key.indexOfId(id) >= 0))
            .toList();
  }

  /** The table's history, of the partitions that conditions select. */
  public ChangeLog log() {
    PartitionTest partitions =
        new PartitionTest(target.schema().partitionType(), request.filters().table());
    EntryFilter wanted =
        new EntryFilter() {
          @Override
          public boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets) {
            return partitions.test(partition);
          }

          @Override
          public boolean keepsLevel(int level) {
            return true;
          }
        };
    return new ChangeLog(target.storage(), target.schema(), target.conf().options(), wanted);
  }

  /** The work of a batch read. */
  PlannedChanges plan() {
    long start = System.nanoTime();
    ChangeFilters filters = request.filters();
    List<CommitChanges> commits =
        target.extent().commits(target, log(), filters::mayWant).stream()
            .filter(commit -> filters.wants(commit.version(), commit.timeMillis()))
            .toList();
    List<ChangeSplit> splits = splits(commits);
    return new PlannedChanges(
        limited(tasks(splits)),
        readerFactory(splits, kinds(commits)),
        splits.stream().flatMap(ChangeSplit::dataFiles).count(),
        splits.stream().mapToLong(ChangeSplit::rowCount).sum(),
        (System.nanoTime() - start) / 1_000_000L);
  }

  private Set<ChangeKind> kinds(List<CommitChanges> commits) {
    Set<ChangeKind> kinds = new HashSet<>(target.extent().kinds(target.form(), commits));
    kinds.retainAll(request.filters().kinds());
    return kinds;
  }

  /** The splits of commits, those of one commit after those of the commit before. */
  public List<ChangeSplit> splits(List<CommitChanges> commits) {
    ChangeSplits splits =
        new ChangeSplits(
            target,
            new FileTest(
                target.schema(),
                target.storage().schemas()::load,
                target.form() == ChangeForm.BINLOG
                    ? keyConditions
                    : request.filters().table().skipping()));
    List<ChangeSplit> all = new ArrayList<>();
    commits.forEach(commit -> all.addAll(splits.of(commit)));
    return all;
  }

  /**
   * The splits as tasks: all changes of a bucket of a table with a primary key are in one task, in
   * their order; of an append table each split goes where there is room.
   */
  public List<List<ChangeSplit>> tasks(List<ChangeSplit> splits) {
    record Bucket(BinaryRow partition, int number) {}

    Map<Object, List<ChangeSplit>> groups = new LinkedHashMap<>();
    for (ChangeSplit split : splits) {
      Object group =
          target.schema().hasPrimaryKey() ? new Bucket(split.partition(), split.bucket()) : split;
      groups.computeIfAbsent(group, id -> new ArrayList<>()).add(split);
    }
    SplitSize size = size(splits);
    List<List<ChangeSplit>> tasks = new ArrayList<>();
    List<ChangeSplit> task = new ArrayList<>();
    long bytes = 0;
    for (List<ChangeSplit> group : groups.values()) {
      long more =
          group.stream().mapToLong(split -> Math.max(split.size(), size.openCostBytes())).sum();
      if (!task.isEmpty() && bytes + more > size.targetBytes()) {
        tasks.add(List.copyOf(task));
        task.clear();
        bytes = 0;
      }
      task.addAll(group);
      bytes += more;
    }
    if (!task.isEmpty()) {
      tasks.add(List.copyOf(task));
    }
    return tasks;
  }

  private SplitSize size(List<ChangeSplit> splits) {
    SplitSize wanted = SplitSize.of(target.conf().scan());
    int cores = SparkSession.active().sparkContext().defaultParallelism();
    long all = splits.stream().mapToLong(ChangeSplit::size).sum();
    long fair = Math.max(wanted.openCostBytes(), all / Math.max(1, cores));
    return new SplitSize(Math.max(1, Math.min(wanted.targetBytes(), fair)), wanted.openCostBytes());
  }

  private List<List<ChangeSplit>> limited(List<List<ChangeSplit>> tasks) {
    boolean isCountable =
        request.limit() != ChangeRequest.NO_LIMIT
            && request.filters().table().skipping().isEmpty()
            && request.filters().kinds().equals(ChangeSpec.ALL_KINDS);
    if (!isCountable) {
      return tasks;
    }
    List<List<ChangeSplit>> kept = new ArrayList<>();
    long rows = 0;
    for (List<ChangeSplit> task : tasks) {
      if (rows >= request.limit()) {
        return kept;
      }
      kept.add(task);
      rows += task.stream().mapToLong(ChangeSplits::certainRows).sum();
    }
    return kept;
  }

  /** What opens these splits, with every kind of row that conditions leave. */
  public ChangeReaderFactory readerFactory(List<ChangeSplit> splits) {
    return readerFactory(splits, request.filters().kinds());
  }

  private ChangeReaderFactory readerFactory(List<ChangeSplit> splits, Set<ChangeKind> kinds) {
    return new ChangeReaderFactory(
        new ChangeSpec(data(splits), request.columns(), flatOutput(), kinds),
        target.form() == ChangeForm.BINLOG ? request.output() : null,
        configuration());
  }

  private StructType flatOutput() {
    if (target.form() != ChangeForm.BINLOG) {
      return request.output();
    }
    StructField[] fields = request.output().fields().clone();
    for (int i = 0; i < fields.length; i++) {
      if (request.columns().get(i) instanceof ChangeColumn.Data data) {
        fields[i] = request.dataOutput().fields()[data.index()];
      }
    }
    return new StructType(fields);
  }

  private ReadSpec data(List<ChangeSplit> splits) {
    Map<Long, TableSchema> schemas = new HashMap<>();
    splits.stream()
        .flatMap(ChangeSplit::dataFiles)
        .forEach(
            file ->
                schemas.computeIfAbsent(
                    file.schemaId(), id -> target.storage().schemas().load(id)));
    List<Predicate> skipping =
        target.form() == ChangeForm.BINLOG ? keyConditions : request.filters().table().skipping();
    return new ReadSpec(
        target.schema(),
        request.data(),
        request.dataOutput(),
        schemas,
        Predicates.and(skipping).orElse(null),
        ColumnDefaults.ofOlderRows(target.schema()),
        target.conf().batchRows(),
        target.conf().vectorMemory());
  }

  /** Tasks reach storage as the driver does. */
  private TaskConfiguration configuration() {
    return TaskConfiguration.of(target.storage().io());
  }
}
