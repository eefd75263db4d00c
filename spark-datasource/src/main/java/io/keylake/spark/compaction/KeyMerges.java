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

package io.keylake.spark.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.KeyComparator;
import io.keylake.spark.merge.runs.MergeRun;
import io.keylake.spark.merge.runs.MergeSettings;
import io.keylake.spark.merge.runs.MergeTask;
import io.keylake.spark.merge.runs.RunCursor.Role;
import io.keylake.spark.merge.runs.RunMerge;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.compaction.CompactionStep.SpreadKeys;
import io.keylake.table.compaction.CompactionStep.Upgrade;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.options.MergeOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Carries out the steps of primary-key tables, by merging sorted runs. For one thread.
 *
 * <ol>
 *   <li>A rewrite writes the row that stands for each key, and marks older rows of its keys in
 *       files above the output level.
 *   <li>An upgrade writes nothing; with files above, its keys are merged with theirs for marks.
 *   <li>A spread writes the row that stands for each key into files of the key's new bucket.
 *   <li>More runs than may be open at a time are merged in passes, as {@link MergePasses} says:
 *       neighbouring runs become one run of temporary files, in which deletes stay. Files of a
 *       statement are merged at the end only.
 * </ol>
 */
final class KeyMerges {
  private final StepStorage storage;
  private final int maxOpenRuns;
  private final KeyParts parts;
  private final KeyComparator keys;

  /**
   * @param maxOpenRuns the most runs that are open at a time, at least 3
   * @param maxOpenBytes how much of the files of a merge may be in memory at a time
   */
  KeyMerges(StepStorage storage, int maxOpenRuns, long maxOpenBytes) {
    this.storage = storage;
    this.maxOpenRuns = maxOpenRuns;
    this.parts = new KeyParts(storage, maxOpenBytes);
    this.keys = KeyComparator.of(storage.spec().schema().keyType());
  }

  StepResult rewrite(CompactionPlan plan, Rewrite step) throws IOException {
    List<CompactionInput> records = step.incoming().records();
    long lowest =
        Stream.concat(step.inputs().stream(), records.stream())
            .mapToLong(input -> input.file().minSequenceNumber())
            .min()
            .orElse(Long.MAX_VALUE);
    List<MergeRun> incoming = new ArrayList<>(runs(records, Role.REWRITTEN, lowest));
    incoming.addAll(runs(step.incoming().overrides(), Role.OVERRIDING, Long.MAX_VALUE));
    List<MergeRun> upper = runs(step.upper(), Role.STAYING, lowest);
    List<MergeRun> runs = new ArrayList<>(runs(step.inputs(), Role.REWRITTEN, lowest));
    List<Location> temporary = new ArrayList<>();
    try {
      int openRuns = maxOpenRuns - incoming.size() - upper.size();
      MergePasses passes = new MergePasses(storage.spec(), Math.max(2, openRuns), upper);
      long rowsRead = combine(plan, step.keys(), runs, passes, temporary);
      List<MergeRun> all = new ArrayList<>(incoming);
      all.addAll(runs);
      all.addAll(upper);
      OutdatedRows outdated = new OutdatedRows();
      Written written = write(plan, step.keys(), all, step.deletes(), outdated);
      return new StepResult(written.files(), outdated.marks(), rowsRead + written.rowsRead());
    } finally {
      storage.delete(temporary);
    }
  }

  /**
   * Merges neighbouring runs until so many are left as may be open, where the engine allows it;
   * returns by how much the rows read differ from those that the runs which are left will count.
   */
  private long combine(
      CompactionPlan plan,
      KeyRange range,
      List<MergeRun> runs,
      MergePasses passes,
      List<Location> temporary)
      throws IOException {
    long rowsRead = 0;
    for (MergePasses.Pass pass = passes.next(runs); pass != null; pass = passes.next(runs)) {
      List<MergeRun> part = runs.subList(pass.begin(), pass.end());
      Written written = write(plan, range, part, Deletes.KEPT, new OutdatedRows());
      rowsRead += written.rowsRead();
      int rank = part.get(0).rank();
      int level = part.get(part.size() - 1).level();
      List<CompactionInput> files = new ArrayList<>();
      for (DataFile file : written.files()) {
        Location place = storage.addresses().dataFile(plan.partition(), plan.bucket(), file);
        temporary.add(place);
        files.add(new CompactionInput(place.path(), file, rank, null));
        rowsRead -= file.rowCount();
      }
      part.clear();
      runs.add(pass.begin(), new MergeRun(rank, Role.REWRITTEN, true, level, files));
    }
    return rowsRead;
  }

  private record Written(List<DataFile> files, long rowsRead) {}

  private Written write(
      CompactionPlan plan,
      KeyRange range,
      List<MergeRun> runs,
      Deletes deletes,
      OutdatedRows outdated)
      throws IOException {
    try (BucketOutput output = new BucketOutput(storage, plan)) {
      long rowsRead =
          merge(plan, range, runs, new RewrittenFiles(output, deletes, storage.spec()), outdated);
      return new Written(output.finish(), rowsRead);
    }
  }

  /** Merges runs into {@code files}; the number of rows read. */
  private long merge(
      CompactionPlan plan,
      KeyRange range,
      List<MergeRun> runs,
      RewrittenFiles files,
      OutdatedRows outdated)
      throws IOException {
    long rowsRead = 0;
    for (KeyRange part : parts.of(range, runs)) {
      files.beginMerge();
      MergeTask task = task(plan, part, runs.size());
      try (RunMerge merge = new RunMerge(task, runs, List.of(files, outdated), files)) {
        merge.run();
        rowsRead += merge.rowsRead();
      }
    }
    return rowsRead;
  }

  /** Merges files of several buckets into files of others. */
  StepResult spread(CompactionPlan plan, SpreadKeys step) throws IOException {
    long lowest =
        step.inputs().stream()
            .mapToLong(input -> input.file().minSequenceNumber())
            .min()
            .orElse(Long.MAX_VALUE);
    List<MergeRun> runs = new ArrayList<>(runs(step.inputs(), Role.REWRITTEN, lowest));
    List<Location> temporary = new ArrayList<>();
    try (SpreadOutput output = new SpreadOutput(storage, plan, step.to())) {
      MergePasses passes = new MergePasses(storage.spec(), maxOpenRuns, List.of());
      long rowsRead = combine(plan, step.keys(), runs, passes, temporary);
      rowsRead +=
          merge(
              plan,
              step.keys(),
              runs,
              new RewrittenFiles(output, step.deletes(), storage.spec()),
              new OutdatedRows());
      return new StepResult(List.of(), Map.of(), rowsRead, output.finish());
    } finally {
      storage.delete(temporary);
    }
  }

  StepResult upgrade(CompactionPlan plan, Upgrade step) throws IOException {
    CompactionInput input = step.input();
    DataFile moved = input.file().withLevel(plan.outputLevel());
    List<CompactionInput> upper = overlapping(step.upper(), input.file());
    if (upper.isEmpty()) {
      return new StepResult(List.of(moved), Map.of(), 0);
    }
    List<MergeRun> runs =
        new ArrayList<>(runs(upper, Role.STAYING, input.file().minSequenceNumber()));
    boolean compares = runs.stream().anyMatch(MergeRun::comparesSequence);
    int level = input.file().level();
    runs.add(0, new MergeRun(input.runRank(), Role.STAYING, compares, level, List.of(input)));
    OutdatedRows outdated = new OutdatedRows();
    MergeTask task = task(plan, KeyRange.ALL, runs.size());
    try (RunMerge merge = new RunMerge(task, runs, List.of(outdated))) {
      merge.run();
    }
    return new StepResult(List.of(moved), outdated.marks(), 0);
  }

  private List<CompactionInput> overlapping(List<CompactionInput> files, DataFile other) {
    return files.stream()
        .filter(
            input ->
                keys.compare(input.file().maxKey(), other.minKey()) >= 0
                    && keys.compare(input.file().minKey(), other.maxKey()) <= 0)
        .toList();
  }

  /** The runs of some files, newest run first. */
  private List<MergeRun> runs(List<CompactionInput> inputs, Role role, long lowestSequence) {
    TreeMap<Integer, List<CompactionInput>> byRank = new TreeMap<>();
    for (CompactionInput input : inputs) {
      byRank.computeIfAbsent(input.runRank(), rank -> new ArrayList<>()).add(input);
    }
    MergeOptions merge = storage.spec().merge();
    boolean hasFields = !merge.sequenceFields().isEmpty();
    boolean levelDecides = merge.engine() == MergeOptions.Engine.FIRST_ROW;
    List<MergeRun> runs = new ArrayList<>();
    byRank.forEach(
        (rank, files) -> {
          files.sort(Comparator.comparing(input -> input.file().minKey(), keys));
          boolean mayBeNewer =
              files.stream().anyMatch(input -> input.file().maxSequenceNumber() >= lowestSequence);
          int level = files.get(0).file().level();
          boolean compares = hasFields || mayBeNewer && !levelDecides;
          runs.add(new MergeRun(rank, role, compares, level, files));
        });
    return runs;
  }

  private MergeTask task(CompactionPlan plan, KeyRange range, int openFiles) {
    CompactionSpec spec = storage.spec();
    return new MergeTask(
        new MergeSettings(
            spec.table(),
            spec.schema(),
            spec.merge(),
            spec.fileSchemas(),
            spec.addedDefaults(),
            plan.partition(),
            range),
        storage.environment().io(),
        openFiles,
        storage.environment().stop());
  }
}
