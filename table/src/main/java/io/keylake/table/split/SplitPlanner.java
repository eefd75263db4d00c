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

package io.keylake.table.split;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.Sections;
import io.keylake.table.lsm.Sections.Section;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.ScanPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the files of a scan into splits and packs these into tasks. Immutable.
 *
 * <ol>
 *   <li>A unit larger than the target is cut into equal byte ranges, so one large bucket is read by
 *       several tasks; each row is still scanned by exactly one. Below 1 MiB a range is only as
 *       small as 64 ranges of the unit make it, whatever the target: the number of ranges stays
 *       bounded.
 *   <li>Units are packed in order, buckets one after another, units of a bucket by key: a task
 *       covers a contiguous range of keys and opens few probes. A new task starts when the next
 *       unit would exceed the target; every unit counts at least as much as opening a file costs.
 *   <li>Inside a task, units of a bucket that need no check are a raw split, the others a merge
 *       split.
 *   <li>Partitions with staged rows have splits of their own, see {@link StagedSplit}.
 *   <li>Where an engine computes rows, a section with several runs becomes fold splits of about the
 *       target's size; each of their files counts at least as much as opening it costs.
 * </ol>
 *
 * <p>Rule source: table behaviour, splits; pinned by {@code SplitPlannerTest} and {@code
 * SplitPlannerModelTest}.
 */
public final class SplitPlanner {
  private static final long SMALL_PART_BYTES = 1L << 20;
  private static final long MAX_SMALL_PARTS = 64;

  private final MergeRules rules;
  private final KeyComparator keys;
  private final UnitPlanner units;
  private final FoldPlanner folds;
  private final FileAddresses addresses;

  /**
   * A planner.
   *
   * @param schema the schema that is read
   * @param options the table's options with those of the query over them
   * @param addresses where the table's files are
   */
  public SplitPlanner(TableSchema schema, TableOptions options, FileAddresses addresses) {
    this.addresses = addresses;
    this.rules = MergeRules.of(schema, options);
    this.keys = KeyComparator.of(schema.keyType());
    this.units = new UnitPlanner(rules, keys, addresses);
    this.folds = new FoldPlanner(rules, keys, addresses);
  }

  /** The splits of a scan. */
  public SplitPlan plan(ScanPlan files, SplitSize size) {
    SplitPlan inBuckets = plan(files.buckets(), size);
    if (files.staged().isEmpty()) {
      return inBuckets;
    }
    List<List<Split>> tasks = new ArrayList<>(inBuckets.tasks());
    tasks.addAll(new StagedSplits(addresses, size).tasks(files.staged()));
    return new SplitPlan(tasks, null);
  }

  /** The splits of these buckets. */
  public SplitPlan plan(List<BucketFiles> buckets, SplitSize size) {
    Tasks tasks = new Tasks(size);
    for (BucketFiles bucket : buckets) {
      switch (rules.merging()) {
        case APPEND, NEVER -> units.units(bucket).forEach(unit -> tasks.add(bucket, unit));
        case LAST_ROW, FIRST_ROW, COMPUTED -> {
          for (Section section : Sections.of(Levels.of(bucket.files(), keys), keys)) {
            if (folds.folds(section)) {
              folds.splits(bucket, section, size.targetBytes()).forEach(tasks::add);
            } else {
              units.units(bucket, section).forEach(unit -> tasks.add(bucket, unit));
            }
          }
        }
      }
    }
    return tasks.finish();
  }

  private static List<ScanUnit> parts(ScanUnit unit, long targetBytes) {
    long wanted = (unit.length() - 1) / targetBytes + 1;
    long count = Math.min(wanted, Math.max(MAX_SMALL_PARTS, unit.length() / SMALL_PART_BYTES));
    if (count <= 1) {
      return List.of(unit);
    }
    List<ScanUnit> parts = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      long start = unit.length() * i / count;
      long end = unit.length() * (i + 1) / count;
      parts.add(
          new ScanUnit(
              unit.path(),
              unit.file(),
              start,
              end - start,
              unit.runRank(),
              unit.vector(),
              unit.probes()));
    }
    return parts;
  }

  /** The tasks so far. */
  private static final class Tasks {
    private final SplitSize size;
    private final List<List<Split>> finished = new ArrayList<>();
    private final Task task;
    private @Nullable Long exactRows = 0L;

    Tasks(SplitSize size) {
      this.size = size;
      this.task = new Task(size);
    }

    void add(BucketFiles bucket, ScanUnit unit) {
      count(unit);
      for (ScanUnit part : parts(unit, size.targetBytes())) {
        makeRoom(task.weightOf(part));
        task.add(bucket, part);
      }
    }

    void add(FoldSplit fold) {
      exactRows = null;
      makeRoom(task.weightOf(fold));
      task.add(fold);
    }

    private void makeRoom(long weight) {
      if (!task.accepts(weight)) {
        finished.add(task.finish());
      }
    }

    private void count(ScanUnit unit) {
      StoredVector vector = unit.vector();
      Long deleted = vector == null ? Long.valueOf(0) : vector.ref().cardinality();
      exactRows =
          exactRows == null || deleted == null || !unit.isRaw()
              ? null
              : Long.valueOf(exactRows + unit.file().rowCount() - deleted);
    }

    SplitPlan finish() {
      List<Split> last = task.finish();
      if (!last.isEmpty()) {
        finished.add(last);
      }
      return new SplitPlan(finished, exactRows);
    }
  }

  /** The task in the making. */
  private static final class Task {
    private final SplitSize size;
    private final List<Split> splits = new ArrayList<>();
    private final List<ScanUnit> raw = new ArrayList<>();
    private final List<ScanUnit> merge = new ArrayList<>();
    private @Nullable BucketFiles bucket;
    private long weight;

    Task(SplitSize size) {
      this.size = size;
    }

    long weightOf(ScanUnit unit) {
      return Math.max(unit.length(), size.openCostBytes());
    }

    long weightOf(FoldSplit fold) {
      return Math.max(fold.size(), fold.files().size() * size.openCostBytes());
    }

    boolean accepts(long more) {
      return weight == 0 || weight + more <= size.targetBytes();
    }

    void add(FoldSplit fold) {
      endBucket();
      splits.add(fold);
      weight += Math.max(1, weightOf(fold));
    }

    @SuppressWarnings("ReferenceEquality") // units of one bucket come one after the other
    void add(BucketFiles of, ScanUnit unit) {
      if (of != bucket) {
        endBucket();
        bucket = of;
      }
      (unit.isRaw() ? raw : merge).add(unit);
      weight += Math.max(1, weightOf(unit));
    }

    private void endBucket() {
      if (bucket == null) {
        return;
      }
      BinaryRow partition = bucket.partition();
      if (!raw.isEmpty()) {
        splits.add(new RawSplit(partition, bucket.bucket(), raw));
      }
      if (!merge.isEmpty()) {
        splits.add(new MergeSplit(partition, bucket.bucket(), merge));
      }
      raw.clear();
      merge.clear();
      bucket = null;
    }

    List<Split> finish() {
      endBucket();
      List<Split> finished = List.copyOf(splits);
      splits.clear();
      weight = 0;
      return finished;
    }
  }
}
