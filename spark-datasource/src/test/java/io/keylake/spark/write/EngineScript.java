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

import io.keylake.spark.write.EngineTable.KindColumn;
import io.keylake.spark.write.EngineTable.Retracts;
import io.keylake.spark.write.HistoryValues.Value;
import io.keylake.spark.write.InlineCompaction.Extent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What happens to a table, one step after the other. Each key has rows of its own in the writes, so
 * that a script is as many histories as there are keys.
 */
final class EngineScript {
  /** Who does a step. */
  enum By {
    US,
    REFERENCE
  }

  /**
   * A written row.
   *
   * @param key number of the key
   * @param kind its change kind
   */
  record Change(int key, String kind, List<Value> values) {
    boolean isRetract() {
      return kind.equals("-U") || kind.equals("-D");
    }
  }

  /** A commit. */
  sealed interface Step {
    By by();
  }

  /** Rows are written. */
  record Write(By by, List<Change> rows) implements Step {}

  /** All buckets are compacted. */
  record Compaction(By by, Extent extent) implements Step {}

  private static final int MIN_STEPS = 5;

  private final EngineTable table;
  private final List<Step> steps;

  private EngineScript(EngineTable table, List<Step> steps) {
    this.table = table;
    this.steps = steps;
  }

  /** What happens to a table. */
  static EngineScript random(Random random, EngineTable table, int keys) {
    List<Step> steps = new ArrayList<>();
    int count = MIN_STEPS + random.nextInt(4);
    while (steps.size() < count) {
      By by = random.nextBoolean() ? By.US : By.REFERENCE;
      if (steps.isEmpty() || random.nextInt(5) < 3) {
        steps.add(new Write(by, rows(random, table, by, keys)));
      } else {
        steps.add(new Compaction(by, random.nextInt(5) < 3 ? Extent.MINOR : Extent.FULL));
      }
    }
    return new EngineScript(table, steps).legal();
  }

  private static List<Change> rows(Random random, EngineTable table, By by, int keys) {
    List<Change> rows = new ArrayList<>();
    int oneOf = 1 + random.nextInt(3);
    boolean once = by == By.US && table.isDescending() && !table.isSplittable();
    for (int key = 0; key < keys; key++) {
      if (random.nextInt(oneOf) == 0) {
        for (int count = once ? 1 : 1 + random.nextInt(3); count > 0; count--) {
          String kind = kind(random, table, by);
          rows.add(new Change(key, kind, table.row(key, kind)));
        }
      }
    }
    Collections.shuffle(rows, random);
    return rows;
  }

  private static String kind(Random random, EngineTable table, By by) {
    if (by == By.US && table.kindColumn() == KindColumn.NONE) {
      return "+I";
    }
    List<String> kinds =
        switch (table.retracts()) {
          case NONE -> List.of("+I", "+U");
          case DELETES -> List.of("+I", "+U", "+U", "-D");
          case ANY, OF_PRESENT -> List.of("+I", "+I", "+U", "+U", "-U", "-D");
        };
    return kinds.get(random.nextInt(kinds.size()));
  }

  /** Without rows that take back what was never added, when the table takes none. */
  private EngineScript legal() {
    if (table.retracts() != Retracts.OF_PRESENT) {
      return this;
    }
    Set<Integer> present = new HashSet<>();
    List<Step> kept = new ArrayList<>();
    for (Step step : steps) {
      kept.add(
          filtered(
              step,
              row -> {
                if (row.isRetract()) {
                  return present.contains(row.key());
                }
                present.add(row.key());
                return true;
              }));
    }
    return new EngineScript(table, kept);
  }

  private static Step filtered(Step step, Predicate<Change> filter) {
    return step instanceof Write write
        ? new Write(write.by(), write.rows().stream().filter(filter).toList())
        : step;
  }

  /** The first steps of this script, at most so many. */
  EngineScript upTo(int count) {
    return new EngineScript(table, steps.subList(0, Math.min(count, steps.size())));
  }

  EngineTable table() {
    return table;
  }

  List<Step> steps() {
    return steps;
  }

  /** The number of keys that are written: of histories. */
  int histories() {
    return keys().size();
  }

  private Set<Integer> keys() {
    Set<Integer> keys = new HashSet<>();
    rows().forEach(row -> keys.add(row.key()));
    return keys;
  }

  private List<Change> rows() {
    List<Change> rows = new ArrayList<>();
    for (Step step : steps) {
      if (step instanceof Write write) {
        rows.addAll(write.rows());
      }
    }
    return rows;
  }

  /** A part of this script for which {@code fails} is true, too; it is asked so many times. */
  EngineScript smallest(Predicate<EngineScript> fails, int attempts) {
    EngineScript best = this;
    int left = attempts;
    boolean isSmaller = true;
    while (isSmaller) {
      isSmaller = false;
      for (EngineScript part : best.parts()) {
        if (left-- <= 0) {
          return best;
        }
        if (fails.test(part)) {
          best = part;
          isSmaller = true;
          break;
        }
      }
    }
    return best;
  }

  /** Scripts with less in them, the smallest first. */
  private List<EngineScript> parts() {
    List<EngineScript> parts = new ArrayList<>();
    List<Integer> keys = new ArrayList<>(keys());
    int size = (keys.size() + 1) / 2;
    for (int from = 0; size < keys.size() && from < keys.size(); from += size) {
      Set<Integer> some = Set.copyOf(keys.subList(from, Math.min(from + size, keys.size())));
      parts.add(with(row -> some.contains(row.key())));
    }
    for (int i = steps.size() - 1; i >= 0; i--) {
      List<Step> fewer = new ArrayList<>(steps);
      fewer.remove(i);
      parts.add(new EngineScript(table, fewer).legal());
    }
    List<Change> rows = rows();
    for (Change dropped : rows.size() > 16 ? List.<Change>of() : rows) {
      parts.add(with(row -> !row.equals(dropped)));
    }
    return parts;
  }

  private EngineScript with(Predicate<Change> filter) {
    return new EngineScript(table, steps.stream().map(step -> filtered(step, filter)).toList())
        .legal();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(table.toString());
    for (Step step : steps) {
      text.append(step.by());
      if (step instanceof Compaction compaction) {
        text.append(" compacts ").append(compaction.extent()).append('\n');
      } else if (step instanceof Write write) {
        text.append(" writes\n");
        for (Change row : write.rows().subList(0, Math.min(40, write.rows().size()))) {
          String line = HistoryModel.text(table.schema(), row.values(), "");
          text.append("  ").append(row.kind()).append(' ').append(line).append('\n');
        }
      }
    }
    return text.toString();
  }
}
