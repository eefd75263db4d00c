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

import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.SortedRun;
import java.util.List;
import java.util.Optional;

/**
 * Picks the runs of a bucket to compact. The first rule that holds decides; T is the trigger.
 *
 * <ol>
 *   <li>Early full: more than one run, and a new writer starts full, or the total size is below its
 *       threshold, or what is below the top level is above its own: all runs, to the top.
 *   <li>Size amplification: at least T runs, and all but the last are larger than the given percent
 *       of the last: all runs, to the top.
 *   <li>Size ratio: at least T runs: the first, and each next as long as what is collected, raised
 *       by the ratio, is not smaller than it; if more than one was collected.
 *   <li>Run count: more than T runs: the first (runs - T + 1), extended by the size-ratio rule.
 *   <li>Forced: all runs of level 0, extended by the size-ratio rule, even a single one.
 * </ol>
 *
 * The output level is the level of the first run that is left, less one; where that would be 0,
 * further runs are taken up to and with the first above level 0 (and others of that level, should
 * files of it overlap), and its level is the output. All runs go to the top. A pick of one file
 * that is on its output level already is none.
 *
 * <p>Rule source: table behaviour, picking (universal compaction); pinned by {@code
 * UniversalCompactionTest}.
 */
final class UniversalCompaction {
  private final CompactionRules rules;

  /** A picker by these rules. */
  UniversalCompaction(CompactionRules rules) {
    this.rules = rules;
  }

  /** What to compact in a bucket, if anything. */
  Optional<CompactionPick> pick(Levels levels) {
    List<SortedRun> runs = levels.runs();
    if (runs.isEmpty()) {
      return Optional.empty();
    }
    if (startsEarly(runs) || isAmplified(runs)) {
      return full(levels);
    }
    int count = 0;
    if (runs.size() >= rules.trigger()) {
      int collected = extend(runs, 1);
      count = collected > 1 ? collected : 0;
    }
    if (count == 0 && runs.size() > rules.trigger()) {
      count = extend(runs, runs.size() - rules.trigger() + 1);
    }
    if (count == 0 && rules.forceUpLevelZero()) {
      int levelZero = (int) runs.stream().filter(run -> run.level() == 0).count();
      count = levelZero == 0 ? 0 : extend(runs, levelZero);
    }
    return count == 0 ? Optional.empty() : useful(withLevel(runs, count));
  }

  /** All runs, to the top level. */
  Optional<CompactionPick> full(Levels levels) {
    return levels.runs().isEmpty()
        ? Optional.empty()
        : useful(new CompactionPick(top(levels.runs()), levels.runs()));
  }

  private boolean startsEarly(List<SortedRun> runs) {
    if (runs.size() <= 1) {
      return false;
    }
    Long total = rules.totalBytesThreshold();
    Long incremental = rules.incrementalBytesThreshold();
    int top = top(runs);
    long below = runs.stream().filter(run -> run.level() != top).mapToLong(SortedRun::size).sum();
    return rules.startsFull()
        || (total != null && size(runs, runs.size()) < total)
        || (incremental != null && below > incremental);
  }

  private boolean isAmplified(List<SortedRun> runs) {
    if (runs.size() < rules.trigger() || runs.size() < 2) {
      return false;
    }
    double newer = size(runs, runs.size() - 1);
    double oldest = runs.get(runs.size() - 1).size();
    return newer * 100 > rules.maxSizeAmplificationPercent() * oldest;
  }

  private int extend(List<SortedRun> runs, int start) {
    int count = start;
    long collected = size(runs, count);
    while (count < runs.size()) {
      long next = runs.get(count).size();
      if (collected * (100.0 + rules.sizeRatioPercent()) / 100.0 < next) {
        break;
      }
      collected += next;
      count++;
    }
    return count;
  }

  private CompactionPick withLevel(List<SortedRun> runs, int wanted) {
    int count = wanted;
    int level = count == runs.size() ? top(runs) : Math.max(0, runs.get(count).level() - 1);
    while (count < runs.size() && (level == 0 || runs.get(count).level() == level)) {
      level = runs.get(count++).level();
    }
    return count == runs.size()
        ? new CompactionPick(top(runs), runs)
        : new CompactionPick(level, runs.subList(0, count));
  }

  /** The top level; a tree with files above the configured one is that much higher. */
  int top(List<SortedRun> runs) {
    return Math.max(rules.maxLevel(), runs.stream().mapToInt(SortedRun::level).max().orElse(0));
  }

  private static Optional<CompactionPick> useful(CompactionPick pick) {
    boolean done =
        pick.runs().size() == 1
            && pick.runs().get(0).files().size() == 1
            && pick.runs().get(0).level() == pick.outputLevel();
    return done ? Optional.empty() : Optional.of(pick);
  }

  private static long size(List<SortedRun> runs, int count) {
    return runs.subList(0, count).stream().mapToLong(SortedRun::size).sum();
  }
}
