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
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.ExpiredRows.Presence;
import io.keylake.table.options.DataFileOptions;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;

/**
 * Which files may not be moved to another level as they are.
 *
 * <ol>
 *   <li>To the top level: one with deletes (an unknown number counts).
 *   <li>Any when {@code compaction.force-rewrite-all-files} is set.
 *   <li>One that may hold expired rows, where these are dropped.
 *   <li>In tables with one row of a key above level 0 (deletion vectors, engine first-row): one
 *       with deletes, since they have to mark older rows and are not kept.
 *   <li>In lookup mode: one from level 0 when the output level has another file format; one from
 *       level 0 that stays below the top, unless the newest row always wins.
 *   <li>Where rows are computed and vectors may be missing: any that stays below the top, since
 *       rows above may still be parts of its rows.
 * </ol>
 *
 * <p>Rule source: table behaviour, executing a compaction, and lookup mode; pinned by {@code
 * CompactionStepsTest} and {@code CompactionOracleTest}.
 */
final class MoveRules {
  private final MergeOptions merge;
  private final DataFileOptions files;
  private final ExpiredRows expired;
  private final int maxLevel;
  private final boolean rewritesAllFiles;
  private final boolean vectorsMayBeMissing;

  MoveRules(TableOptions options, ExpiredRows expired) {
    this.merge = options.merge();
    this.files = options.dataFile();
    this.expired = expired;
    this.maxLevel = options.compaction().levels() - 1;
    this.rewritesAllFiles = options.compaction().fullness().rewritesAllFiles();
    this.vectorsMayBeMissing = options.vectorsMayBeMissing();
  }

  /** The top level as the options say. */
  int maxLevel() {
    return maxLevel;
  }

  /** Whether steps have to know the files above the output level. */
  boolean looksUpKeys() {
    return merge.lookupMode();
  }

  /** Whether no delete is kept above level 0. */
  boolean dropsDeletes() {
    return merge.hasOneRowAbove();
  }

  /**
   * Where a file goes.
   *
   * @param level the output level
   * @param top the top level of the bucket
   * @param deletes what becomes of deletes there, and of expired rows, which go only where no older
   *     row of their key can be left
   */
  record Target(int level, int top, Deletes deletes) {
    boolean isTop() {
      return level == top;
    }
  }

  boolean mustRewrite(DataFile file, Target target) {
    return rewritesAllFiles
        || target.isTop() && file.mayHoldDeletes()
        || target.deletes() == Deletes.DROPPED && mayLoseExpired(file, target)
        || looksUpKeys() && isUnfitForLookup(file, target);
  }

  private boolean mayLoseExpired(DataFile file, Target target) {
    return switch (expired.in(file)) {
      case NONE -> false;
      case UNKNOWN -> file.level() != target.level();
      case SOME -> true;
    };
  }

  private boolean isUnfitForLookup(DataFile file, Target target) {
    return dropsDeletes() && file.mayHoldDeletes()
        || file.level() == 0 && isOtherFormat(target.level())
        || !target.isTop() && mayHoldParts(file);
  }

  /** Whether rows above may have a say in what stands for the keys of a file. */
  private boolean mayHoldParts(DataFile file) {
    return file.level() == 0 ? !newestWins() : vectorsMayBeMissing && merge.computesRows();
  }

  private boolean isOtherFormat(int outputLevel) {
    return files.format(0) != files.format(outputLevel);
  }

  private boolean newestWins() {
    return merge.engine() == MergeOptions.Engine.DEDUPLICATE && merge.sequenceFields().isEmpty();
  }

  /** Whether a file that is moved may hold newer rows of keys that no vector marks yet. */
  boolean marksOlderRows(DataFile file) {
    return merge.deletionVectors() && (file.level() == 0 || vectorsMayBeMissing);
  }

  /** Whether the changes that a file brings are written when it is moved to a level. */
  boolean recordsChanges(DataFile file, Target target) {
    return switch (merge.changelogProducer()) {
      case NONE, INPUT -> false;
      case LOOKUP -> file.level() == 0;
      case FULL_COMPACTION -> target.isTop() && file.level() < target.level();
    };
  }

  /** Whether a file on the top level is worth being rewritten where it is. */
  boolean isWorthRewriting(DataFile file) {
    return rewritesAllFiles || expired.in(file) == Presence.SOME;
  }
}
