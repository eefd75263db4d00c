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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.compaction.CompactionStep.Upgrade;
import io.keylake.table.compaction.MoveRules.Target;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.Sections;
import io.keylake.table.lsm.Sections.RankedFile;
import io.keylake.table.lsm.Sections.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Decides what of a pick is rewritten and what is moved by metadata alone.
 *
 * <ol>
 *   <li>Sections of more than one run are collected, and so are files of other sections that are
 *       small ({@code compaction.small-file-ratio}), to be rewritten with their neighbours.
 *   <li>A large file of a single-run section ends what was collected and is moved; a file that is
 *       on the output level already stays.
 *   <li>What was collected and is one section of one run is moved, too.
 *   <li>A file that may not be moved as it is ({@link MoveRules}) is rewritten instead.
 *   <li>Deletes are dropped when the output level is the highest that holds files, or higher, and
 *       in tables with one row of a key above level 0 (deletion vectors, engine first-row), where
 *       older rows are marked instead; else they are kept.
 *   <li>In lookup mode a step names the files above the output level that may hold older rows of
 *       its keys.
 * </ol>
 *
 * <p>Example: small file [1,3] on level 0, [2,9] on level 0, large [20,30] on level 5, output 5:
 * the first two are rewritten together, the third stays.
 *
 * <p>Rule source: table behaviour, executing a compaction; pinned by {@code CompactionStepsTest}.
 */
final class CompactionSteps {
  private final KeyComparator keys;
  private final long smallBytes;
  private final MoveRules moves;

  /**
   * A decider.
   *
   * @param keys the order of keys
   * @param smallBytes size below which a file is small
   * @param moves which files may not be moved as they are
   */
  CompactionSteps(KeyComparator keys, long smallBytes, MoveRules moves) {
    this.keys = keys;
    this.smallBytes = smallBytes;
    this.moves = moves;
  }

  /** The steps for a pick of the bucket's levels, by key. */
  List<CompactionStep> of(CompactionPick pick, Levels levels, BucketInputs inputs) {
    Walk walk = new Walk(pick.outputLevel(), levels, inputs);
    for (Section section : Sections.of(new Levels(pick.runs()), keys)) {
      if (section.isSingleRun()) {
        section.files().forEach(walk::single);
      } else {
        walk.collect(section);
      }
    }
    walk.end();
    return walk.steps;
  }

  /**
   * The steps that rewrite some files of the only run of a bucket, which is on the top level; files
   * next to each other are rewritten together.
   */
  List<CompactionStep> onTop(Levels levels, BucketInputs inputs, Predicate<DataFile> wanted) {
    Walk walk = new Walk(levels.highestLevel(), levels, inputs);
    for (Section section : Sections.of(levels, keys)) {
      for (RankedFile file : section.files()) {
        if (wanted.test(file.file())) {
          walk.collect(new Section(List.of(file)));
        } else {
          walk.endRewriting();
        }
      }
    }
    walk.endRewriting();
    return walk.steps;
  }

  /** The sections in the order of keys, with what is collected of them. */
  private final class Walk {
    private final int outputLevel;
    private final Levels levels;
    private final BucketInputs inputs;
    private final List<Section> collected = new ArrayList<>();
    private final List<CompactionStep> steps = new ArrayList<>();

    Walk(int outputLevel, Levels levels, BucketInputs inputs) {
      this.outputLevel = outputLevel;
      this.levels = levels;
      this.inputs = inputs;
    }

    void collect(Section section) {
      collected.add(section);
    }

    void single(RankedFile file) {
      if (file.file().size() < smallBytes) {
        collected.add(new Section(List.of(file)));
      } else {
        end();
        move(file);
      }
    }

    void end() {
      if (collected.size() == 1 && collected.get(0).isSingleRun()) {
        List<RankedFile> alone = collected.get(0).files();
        collected.clear();
        alone.forEach(this::move);
      } else {
        endRewriting();
      }
    }

    void endRewriting() {
      List<RankedFile> files = collected.stream().flatMap(s -> s.files().stream()).toList();
      collected.clear();
      if (!files.isEmpty()) {
        rewrite(files);
      }
    }

    private void move(RankedFile file) {
      DataFile data = file.file();
      Target target = new Target(outputLevel, top(), deletes());
      if (moves.mustRewrite(data, target)) {
        rewrite(List.of(file));
      } else if (data.level() != outputLevel) {
        CompactionInput input = inputs.moved(data, file.runRank());
        boolean looks = moves.marksOlderRows(data) || moves.recordsChanges(data, target);
        steps.add(new Upgrade(input, looks ? upper(data.minKey(), data.maxKey()) : List.of()));
      }
    }

    private void rewrite(List<RankedFile> files) {
      List<CompactionInput> read =
          files.stream().map(file -> inputs.read(file.file(), file.runRank())).toList();
      BinaryRow from = files.get(0).file().minKey();
      BinaryRow to = files.stream().map(f -> f.file().maxKey()).max(keys).orElse(from);
      steps.add(
          new Rewrite(
              read, moves.looksUpKeys() ? upper(from, to) : List.of(), deletes(), KeyRange.ALL));
    }

    private Deletes deletes() {
      boolean dropped =
          outputLevel != 0 && (outputLevel >= levels.highestLevel() || moves.dropsDeletes());
      return dropped ? Deletes.DROPPED : Deletes.KEPT;
    }

    private int top() {
      return Math.max(moves.maxLevel(), levels.highestLevel());
    }

    private List<CompactionInput> upper(BinaryRow from, BinaryRow to) {
      List<CompactionInput> upper = new ArrayList<>();
      for (int rank = 0; rank < levels.runs().size(); rank++) {
        for (DataFile file : levels.runs().get(rank).files()) {
          if (file.level() > outputLevel
              && keys.compare(file.maxKey(), from) >= 0
              && keys.compare(file.minKey(), to) <= 0) {
            upper.add(inputs.read(file, rank));
          }
        }
      }
      return upper;
    }
  }
}
