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
import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.KeyComparator;
import io.keylake.spark.compaction.changes.HitKeys;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.runs.MergeRun;
import io.keylake.spark.merge.runs.MergeSettings;
import io.keylake.spark.merge.runs.MergeSink;
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
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of primary-key tables, by merging sorted runs. For one thread.
 *
 * <ol>
 *   <li>A rewrite writes the row that stands for each key, and marks older rows of its keys in
 *       files above the output level.
 *   <li>An upgrade writes nothing; with files above, its keys are merged with theirs for marks.
 *   <li>Where the plan writes a changelog, what became of the keys goes there, too: of those of a
 *       rewrite in the same merge, of those of an upgrade in a merge that writes nothing else.
 *   <li>A spread writes the row that stands for each key into files of the key's new bucket.
 *   <li>More runs than may be open at a time are merged in passes, as {@link MergePasses} says:
 *       neighbouring runs become one run of temporary files, in which deletes stay. Files of a
 *       statement are merged at the end only.
 * </ol>
 */
final class KeyMerges {
  private static final int KEY_BATCH_ROWS = 4096;

  private final StepStorage storage;
  private final int maxOpenRuns;
  private final KeyParts parts;
  private final KeyComparator keys;
  private final HitKeys hitKeys;

  /**
   * @param maxOpenRuns the most runs that are open at a time, at least 3
   * @param maxOpenBytes how much of the files of a merge may be in memory at a time
   */
  KeyMerges(StepStorage storage, int maxOpenRuns, long maxOpenBytes) {
    this.storage = storage;
    this.maxOpenRuns = maxOpenRuns;
    this.parts = new KeyParts(storage, maxOpenBytes);
    CompactionSpec spec = storage.spec();
    this.keys = KeyComparator.of(spec.schema().keyType());
    this.hitKeys =
        new HitKeys(
            spec.schema().keyType(),
            new DataFiles(
                storage.environment().io().configuration(),
                new VectorAllocation(KEY_BATCH_ROWS, VectorMemory.ON_HEAP),
                spec.addedDefaults()),
            spec::fileSchema,
            storage.environment().stop());
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
    List<CompactionInput> ofLevelZero =
        step.inputs().stream().filter(input -> input.file().level() == 0).toList();
    List<MergeRun> upper = above(step.upper(), ofLevelZero, lowest);
    List<MergeRun> runs = new ArrayList<>(runs(step.inputs(), Role.REWRITTEN, lowest));
    List<Location> temporary = new ArrayList<>();
    int oldLevel = storage.spec().oldLevel(plan.outputLevel());
    try (StepChangelog changelog = StepChangelog.of(storage, plan)) {
      int openRuns = maxOpenRuns - incoming.size() - upper.size();
      MergePasses passes = new MergePasses(storage.spec(), Math.max(2, openRuns), upper, oldLevel);
      long rowsRead = combine(plan, step.keys(), runs, passes, temporary);
      List<MergeRun> all = new ArrayList<>(incoming);
      all.addAll(runs);
      all.addAll(upper);
      OutdatedRows outdated = new OutdatedRows();
      Written written = write(plan, step.keys(), all, step.deletes(), outdated, changelog);
      return new StepResult(
          written.files(),
          outdated.marks(),
          rowsRead + written.rowsRead(),
          Map.of(),
          changelog == null ? List.of() : changelog.finish());
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
      Written written = write(plan, range, part, Deletes.KEPT, new OutdatedRows(), null);
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
      OutdatedRows outdated,
      @Nullable StepChangelog changelog)
      throws IOException {
    int oldLevel = changelog == null ? 0 : storage.spec().oldLevel(plan.outputLevel());
    try (BucketOutput output = new BucketOutput(storage, plan, changelog == null ? 1 : 2)) {
      RewrittenFiles files = new RewrittenFiles(output, deletes, storage.spec(), oldLevel);
      List<MergeSink> sinks = new ArrayList<>(List.of(files));
      if (marksOutdated()) {
        sinks.add(outdated);
      }
      if (changelog != null) {
        sinks.add(changelog.sink(files));
      }
      long rowsRead = merge(settings(plan, range, oldLevel), runs, files, sinks);
      return new Written(output.finish(), rowsRead);
    }
  }

  /** In lookup mode reads know outdated rows by their levels, unless vectors mark them. */
  private boolean marksOutdated() {
    MergeOptions merge = storage.spec().merge();
    return merge.deletionVectors() || !merge.lookupMode();
  }

  /** Merges runs into {@code files} and other sinks; the number of rows read. */
  private long merge(
      MergeSettings settings, List<MergeRun> runs, RewrittenFiles files, List<MergeSink> sinks)
      throws IOException {
    long rowsRead = 0;
    for (KeyRange part : parts.of(settings.keys(), runs)) {
      files.beginMerge();
      MergeTask task = task(settings.of(part), runs.size());
      try (RunMerge merge = new RunMerge(task, runs, sinks, files)) {
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
      MergePasses passes = new MergePasses(storage.spec(), maxOpenRuns, List.of(), 0);
      long rowsRead = combine(plan, step.keys(), runs, passes, temporary);
      RewrittenFiles files = new RewrittenFiles(output, step.deletes(), storage.spec(), 0);
      rowsRead += merge(settings(plan, step.keys(), 0), runs, files, List.of(files));
      return StepResult.spread(output.finish(), rowsRead);
    } finally {
      storage.delete(temporary);
    }
  }

  StepResult upgrade(CompactionPlan plan, Upgrade step) throws IOException {
    CompactionInput input = step.input();
    DataFile moved = input.file().withLevel(plan.outputLevel());
    List<CompactionInput> overlapping = overlapping(step.upper(), input.file());
    List<MergeRun> upper = above(overlapping, List.of(input), input.file().minSequenceNumber());
    int oldLevel = storage.spec().oldLevel(plan.outputLevel());
    boolean tells = input.file().level() < oldLevel;
    boolean compares = upper.stream().anyMatch(MergeRun::comparesSequence);
    boolean marks = !upper.isEmpty() && marksOutdated();
    OutdatedRows outdated = new OutdatedRows();
    List<DataFile> changelog = List.of();
    if (tells) {
      List<MergeSink> further = marks && !compares ? List.of(outdated) : List.of();
      changelog = tell(plan, ofMoved(input, Role.REWRITTEN, compares, upper), further);
    }
    if (marks && (compares || !tells)) {
      List<MergeRun> runs = ofMoved(input, Role.STAYING, compares, upper);
      merge(task(settings(plan, KeyRange.ALL, 0), runs.size()), runs, List.of(outdated));
    }
    return new StepResult(List.of(moved), outdated.marks(), 0, Map.of(), changelog);
  }

  /** The run of a file that is moved, before the runs above its new level. */
  private static List<MergeRun> ofMoved(
      CompactionInput input, Role role, boolean compares, List<MergeRun> upper) {
    List<MergeRun> runs = new ArrayList<>();
    int level = input.file().level();
    runs.add(new MergeRun(input.runRank(), role, compares, level, List.of(input)));
    runs.addAll(upper);
    return runs;
  }

  /** Writes the changes that a file brings which is moved as it is. */
  private List<DataFile> tell(CompactionPlan plan, List<MergeRun> runs, List<MergeSink> further)
      throws IOException {
    try (StepChangelog changelog = StepChangelog.of(storage, plan)) {
      if (changelog == null) {
        return List.of();
      }
      List<MergeSink> sinks = new ArrayList<>(further);
      sinks.add(changelog.sink((source, row) -> false));
      int oldLevel = storage.spec().oldLevel(plan.outputLevel());
      merge(task(settings(plan, KeyRange.ALL, oldLevel), runs.size()), runs, sinks);
      return changelog.finish();
    }
  }

  private static void merge(MergeTask task, List<MergeRun> runs, List<MergeSink> sinks)
      throws IOException {
    try (RunMerge merge = new RunMerge(task, runs, sinks)) {
      merge.run();
    }
  }

  /**
   * The runs of files that stay, of which only the rows of these new keys matter: what is known of
   * other keys has been found when they were new, unless deletion vectors may be missing.
   */
  private List<MergeRun> above(
      List<CompactionInput> files, List<CompactionInput> newFiles, long lowest) throws IOException {
    if (files.isEmpty() || TableOptions.of(storage.spec().schema()).vectorsMayBeMissing()) {
      return runs(files, Role.STAYING, lowest);
    }
    if (newFiles.isEmpty()) {
      return List.of();
    }
    Predicate hit = hitKeys.of(newFiles, files);
    return runs(files, Role.STAYING, lowest).stream().map(run -> run.where(hit)).toList();
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

  private MergeSettings settings(CompactionPlan plan, KeyRange range, int oldLevel) {
    CompactionSpec spec = storage.spec();
    return new MergeSettings(
        spec.table(),
        spec.schema(),
        spec.merge(),
        spec.fileSchemas(),
        spec.addedDefaults(),
        plan.partition(),
        range,
        oldLevel);
  }

  private MergeTask task(MergeSettings settings, int openFiles) {
    return new MergeTask(
        settings, storage.environment().io(), openFiles, storage.environment().stop());
  }
}
