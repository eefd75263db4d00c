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

package io.keylake.spark.read;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.ColumnDefaults;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.read.layout.KeyedTasks;
import io.keylake.spark.read.layout.ReportedLayout;
import io.keylake.spark.read.layout.TableLayout;
import io.keylake.spark.read.layout.TaskKey;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import io.keylake.table.scan.ReadRange;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.scan.ScanPlan;
import io.keylake.table.scan.ScanPlanner;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitPlanner;
import io.keylake.table.split.SplitSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Plans reads of one pinned version: which files, which splits, what each task gets. Keeps nothing
 * but what the metadata plane keeps in memory.
 */
final class ReadPlanner {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final ReadTarget target;
  private final TableOptions options;
  private final ScanPlanner scans;
  private final SplitPlanner splits;

  ReadPlanner(ReadTarget target) {
    this.target = target;
    this.options = target.options();
    this.scans = new ScanPlanner(target.storage(), target.schema(), options);
    this.splits =
        new SplitPlanner(
            target.schema(),
            options,
            FileAddresses.of(target.storage().layout(), target.schema(), options.fileLayout()));
  }

  ReadTarget target() {
    return target;
  }

  /** Whether rows of a key may be folded into rows that no file has. */
  boolean foldsRows() {
    return target.schema().hasPrimaryKey()
        && switch (options.merge().engine()) {
          case DEDUPLICATE, FIRST_ROW -> false;
          case PARTIAL_UPDATE, AGGREGATION -> true;
        };
  }

  /** A schema of the table. */
  TableSchema schema(long id) {
    return target.storage().schemas().load(id);
  }

  /** The tasks of a scan. */
  PlannedRead plan(ScanRequest request) {
    long start = System.nanoTime();
    ScanPlan files = wantedFiles(request);
    SplitSize size = size(files);
    List<List<Split>> tasks =
        TaskNumber.atMost(
            LimitedTasks.keep(splits.plan(files, size).tasks(), request.limit()), tasks());
    return planned(request, files, size, KeyedTasks.withoutKeys(tasks), start);
  }

  /** The files that a scan under these conditions reads. */
  ScanPlan filesFor(ScanFilters filters) {
    return files(filter(filters), filters);
  }

  /**
   * The splits of these files, each file by itself or in parts: cut by the table's options alone,
   * so the same each time.
   */
  List<List<Split>> pieces(ScanPlan files) {
    long target = SplitSize.of(options.scan()).targetBytes();
    return splits.plan(files, new SplitSize(target, target)).tasks();
  }

  /** The same files, cut into tasks each of which has one key. */
  PlannedRead keyed(PlannedRead plan, ScanRequest request, ReportedLayout layout) {
    long start = System.nanoTime() - plan.planningMillis() * NANOS_PER_MILLI;
    return planned(
        request, plan.files(), plan.size(), keyed(plan.files(), plan.size(), layout), start);
  }

  /** The tasks of a scan with more conditions than had {@code before}, keyed as its tasks are. */
  PlannedRead narrowed(PlannedRead before, ScanRequest request, ReportedLayout layout) {
    long start = System.nanoTime();
    ScanPlan files = wantedFiles(request);
    KeyedTasks work = keyed(files, before.size(), layout).within(before.work());
    return planned(request, files, before.size(), work, start);
  }

  private PlannedRead planned(
      ScanRequest request, ScanPlan files, SplitSize size, KeyedTasks work, long start) {
    return new PlannedRead(
        files,
        size,
        work,
        new BatchReaderFactory(spec(request, work.tasks()), request.shape(), hadoopConfiguration()),
        PlanCounts.of(work.tasks()),
        (System.nanoTime() - start) / NANOS_PER_MILLI);
  }

  private KeyedTasks keyed(ScanPlan files, SplitSize size, ReportedLayout layout) {
    return KeyedTasks.of(
        files.buckets(), keyOf(layout), buckets -> splits.plan(buckets, size).tasks());
  }

  /** The key that a layout gives to a bucket. */
  Function<BucketFiles, TaskKey> keyOf(ReportedLayout layout) {
    List<String> columns = target.schema().partitionKeys();
    PartitionRows rows = new PartitionRows(target.schema().partitionType());
    return bucket -> {
      InternalRow row = rows.rowToSpark(bucket.partition());
      Map<String, @Nullable Object> values = new HashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        values.put(columns.get(i), ((GenericInternalRow) row).genericGet(i));
      }
      return layout.keyOf(values, bucket);
    };
  }

  /** How files spread rows; rows that are staged are in no bucket yet. */
  Optional<TableLayout> layout(ScanPlan files) {
    return files.staged().isEmpty()
        ? TableLayout.of(target.schema(), options, files.buckets(), this::schema)
        : Optional.empty();
  }

  private ScanPlan wantedFiles(ScanRequest request) {
    checkFullScan(request.filters());
    return files(filter(request.filters()), request.filters());
  }

  /** The files of which a scan under these conditions may read rows. */
  List<BucketFiles> candidates(ScanFilters filters) {
    return files(filter(filters), filters).buckets();
  }

  /** The rows that a scan under these conditions looks for. */
  ReadRange readRange(ScanFilters filters) {
    return ReadRange.of(
        target.storage(),
        target.schema(),
        target.options(),
        new PartitionTest(target.schema().partitionType(), filters),
        filters.skipping());
  }

  private static ScanFilter filter(ScanFilters filters) {
    return ScanFilter.of(
        Stream.concat(filters.partition().stream(), filters.skipping().stream()).toList());
  }

  private void checkFullScan(ScanFilters filters) {
    TableSchema schema = target.schema();
    if (!schema.partitionKeys().isEmpty()
        && !target.conf().allowsFullScan()
        && !filters.chooseAmongPartitions(schema)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "The query reads all partitions of "
              + target.name().text()
              + ", which 'read.allow.fullScan' = 'false' forbids. Add a condition on one of "
              + schema.partitionKeys()
              + ".");
    }
  }

  private ScanPlan files(ScanFilter filter, ScanFilters filters) {
    Snapshot snapshot = target.snapshot();
    if (snapshot == null) {
      return ScanPlan.empty();
    }
    ScanPlan plan = scans.plan(snapshot, filter);
    if (!filters.partition().isEmpty() || !filters.asked().isEmpty()) {
      plan = plan.keepPartitions(new PartitionTest(target.schema().partitionType(), filters));
    }
    return switch (target.view()) {
      case MERGED -> plan;
      case COMPACTED -> TopLevel.aboveZero(plan, target.schema());
      case TOP_LEVEL -> TopLevel.of(plan, target.schema(), options);
    };
  }

  /**
   * Splits of at most the wanted size, and smaller ones where there would be fewer tasks than
   * cores. A given number of tasks gets splits of as much each.
   */
  private SplitSize size(ScanPlan files) {
    OptionalInt given = TaskNumber.given(options);
    if (given.isPresent()) {
      long cost = SplitSize.of(options.scan()).openCostBytes();
      return new SplitSize(Math.max(1, files.unitBytes() / given.getAsInt()), cost);
    }
    SplitSize wanted = SplitSize.of(options.scan());
    long fair = Math.max(wanted.openCostBytes(), files.unitBytes() / Math.max(1, cores()));
    long target = Math.max(1, Math.min(wanted.targetBytes(), fair));
    return new SplitSize(target, wanted.openCostBytes());
  }

  private OptionalInt tasks() {
    OptionalInt given = TaskNumber.given(options);
    return given.isPresent() ? given : TaskNumber.inferred(options, cores());
  }

  /** How many tasks run at once. */
  int cores() {
    return SparkSession.active().sparkContext().defaultParallelism();
  }

  /**
   * The files whose rows, but for deleted ones, are the rows of the table under these conditions,
   * with their statistics; empty when rows have to be merged or a deletion vector has no count.
   */
  Optional<List<StoredFile>> storedFiles(ScanFilters filters) {
    ScanPlan plan = files(filter(filters).keepingStats(), filters);
    if (splits.plan(plan, size(plan)).exactRowCount() == null) {
      return Optional.empty();
    }
    List<StoredFile> stored = new ArrayList<>();
    for (BucketFiles bucket : plan.buckets()) {
      for (DataFile file : bucket.units()) {
        IndexedVector vector = bucket.vectors().get(file.name());
        Long deleted = vector == null ? Long.valueOf(0) : vector.ref().cardinality();
        if (deleted == null) {
          return Optional.empty();
        }
        stored.add(new StoredFile(bucket.partition(), file, deleted));
      }
    }
    return Optional.of(stored);
  }

  ReadSpec spec(ScanRequest request, List<List<Split>> tasks) {
    Map<Long, TableSchema> fileSchemas = new HashMap<>();
    for (List<Split> task : tasks) {
      for (Split split : task) {
        split
            .dataFiles()
            .forEach(file -> fileSchemas.computeIfAbsent(file.schemaId(), this::schema));
      }
    }
    Optional<Predicate> predicate = Predicates.and(request.filters().skipping());
    return new ReadSpec(
        target.schema(),
        request.columns(),
        request.shape().flat(),
        fileSchemas,
        predicate.orElse(null),
        addedDefaults(),
        target.conf().batchRows(),
        target.conf().vectorMemory());
  }

  /** What rows that are older than a column have in it, by the column's id. */
  Map<Integer, Object> addedDefaults() {
    return ColumnDefaults.ofOlderRows(target.schema());
  }

  /** Tasks reach storage as the driver does. */
  TaskConfiguration hadoopConfiguration() {
    return TaskConfiguration.of(target.storage().io());
  }
}
