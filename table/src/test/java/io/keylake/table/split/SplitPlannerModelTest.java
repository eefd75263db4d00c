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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.golden.DataFiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random buckets: what units masked by their probes leave is what merging all rows leaves. The seed
 * is part of every failure; -Dkeylake.seed=... runs it again.
 */
final class SplitPlannerModelTest {
  private static final int ROUNDS = 400;
  private static final int KEYS = 40;

  private record Row(int key, int userSequence, long sequence, boolean isDelete) {}

  private enum Mode {
    LAST_ROW,
    USER_SEQUENCE,
    FIRST_ROW
  }

  private record Winner(String file, Row row) {}

  private final Map<String, Map<Integer, Row>> rows = new HashMap<>();
  private final List<DataFile> files = new ArrayList<>();

  @Test
  void maskedUnitsEqualAMergeOfAllRows() {
    long seed = Long.getLong("keylake.seed", 14);
    for (int round = 0; round < ROUNDS; round++) {
      check(seed + round);
    }
  }

  private void check(long seed) {
    Random random = new Random(seed);
    rows.clear();
    files.clear();
    Mode mode = Mode.values()[random.nextInt(3)];
    makeBucket(random, mode == Mode.FIRST_ROW ? 5 : 1);
    Set<String> probesOnly = someFiles(random);
    Map<String, String> options =
        switch (mode) {
          case LAST_ROW -> Map.of("bucket", "1");
          case USER_SEQUENCE -> Map.of("bucket", "1", "sequence.field", "v");
          case FIRST_ROW -> Map.of("bucket", "1", "merge-engine", "first-row");
        };
    SplitPlan plan = plan(random, options, probesOnly);

    Map<String, ScanUnit> units = wholeUnits(plan, seed);
    Map<Integer, Winner> masked = new TreeMap<>();
    units.values().forEach(unit -> scan(unit, mode, masked, seed));
    Map<Integer, Winner> merged = merge(units, mode);
    merged.values().removeIf(winner -> probesOnly.contains(winner.file()));
    assertThat(masked).as("-Dkeylake.seed=%d", seed).isEqualTo(merged);
  }

  @Test
  void foldsHaveAllRowsOfTheirKeys() {
    long seed = Long.getLong("keylake.seed", 14);
    for (int round = 0; round < ROUNDS; round++) {
      checkFolds(seed + round);
    }
  }

  private void checkFolds(long seed) {
    Random random = new Random(seed);
    rows.clear();
    files.clear();
    makeBucket(random, 1);
    Set<String> probesOnly = someFiles(random);
    Map<String, String> options = Map.of("bucket", "1", "merge-engine", "aggregation");
    List<Split> splits =
        plan(random, options, probesOnly).tasks().stream().flatMap(List::stream).toList();
    Set<String> units = new HashSet<>();
    splits.forEach(split -> split.units().forEach(unit -> units.add(unit.file().name())));
    List<FoldSplit> folds =
        splits.stream().filter(FoldSplit.class::isInstance).map(FoldSplit.class::cast).toList();

    assertThat(folds.stream().mapToLong(FoldSplit::size).sum())
        .as("seed %d", seed)
        .isLessThanOrEqualTo(files.stream().mapToLong(DataFile::size).sum() + folds.size());
    for (int key = 0; key < KEYS; key++) {
      checkKey(key, folds, units, probesOnly, seed);
    }
  }

  private void checkKey(
      int key, List<FoldSplit> folds, Set<String> units, Set<String> probesOnly, long seed) {
    Set<String> holders = new HashSet<>();
    rows.forEach(
        (file, content) -> {
          if (content.containsKey(key)) {
            holders.add(file);
          }
        });
    if (holders.isEmpty()) {
      return;
    }
    List<FoldSplit> here = folds.stream().filter(fold -> contains(fold, key)).toList();
    if (here.isEmpty()) {
      assertThat(holders).as("key %d, seed %d", key, seed).hasSizeLessThanOrEqualTo(1);
      holders.removeAll(probesOnly);
      assertThat(units).as("key %d, seed %d", key, seed).containsAll(holders);
      return;
    }
    assertThat(here).as("key %d, seed %d", key, seed).hasSize(1);
    List<FoldFile> newestFirst =
        here.get(0).files().stream().filter(file -> holders.contains(file.file().name())).toList();
    assertThat(newestFirst)
        .extracting(file -> file.file().name())
        .as("key %d, seed %d", key, seed)
        .containsExactlyInAnyOrderElementsOf(holders);
    assertThat(units).as("key %d, seed %d", key, seed).doesNotContainAnyElementsOf(holders);
    if (!here.get(0).comparesSequence()) {
      assertThat(newestFirst)
          .extracting(file -> rows.get(file.file().name()).get(key).sequence())
          .as("key %d, seed %d", key, seed)
          .isSortedAccordingTo(Comparator.reverseOrder())
          .doesNotHaveDuplicates();
    }
  }

  private static boolean contains(FoldSplit fold, int key) {
    BinaryRow from = fold.keys().from();
    BinaryRow to = fold.keys().to();
    boolean inSection =
        fold.files().stream()
            .anyMatch(
                file ->
                    compare(file.file().minKey(), key) <= 0
                        && compare(file.file().maxKey(), key) >= 0);
    return inSection
        && (from == null || compare(from, key) <= 0)
        && (to == null || compare(to, key) > 0);
  }

  private static int compare(BinaryRow left, int right) {
    return KeyComparator.of(PlanTables.keyed(Map.of()).keyType())
        .compare(left, PlanTables.key(right));
  }

  private SplitPlan plan(Random random, Map<String, String> options, Set<String> probesOnly) {
    return PlanTables.planner(PlanTables.keyed(options))
        .plan(
            List.of(PlanTables.bucket(0, files, Map.of(), probesOnly)),
            new SplitSize(1 + random.nextInt(3000), random.nextInt(200)));
  }

  private Set<String> someFiles(Random random) {
    Set<String> some = new HashSet<>();
    files.forEach(
        file -> {
          if (random.nextInt(5) == 0) {
            some.add(file.name());
          }
        });
    return some;
  }

  private void makeBucket(Random random, int lowest) {
    int levelZero = random.nextInt(5);
    for (int i = 0; i < levelZero; i++) {
      makeFile(random, 0, 0, KEYS);
    }
    for (int level = lowest; level <= 5; level++) {
      int from = 0;
      while (random.nextInt(3) > 0 && from < KEYS) {
        int to = from + 1 + random.nextInt(KEYS - from);
        makeFile(random, level, from, to);
        from = to;
      }
    }
  }

  private void makeFile(Random random, int level, int fromKey, int toKey) {
    String name = "f" + files.size();
    TreeMap<Integer, Row> content = new TreeMap<>();
    long base = random.nextInt(60);
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      int key = fromKey + random.nextInt(toKey - fromKey);
      content.put(
          key, new Row(key, random.nextInt(5), base + random.nextInt(15), random.nextInt(6) == 0));
    }
    long deletes = content.values().stream().filter(Row::isDelete).count();
    files.add(
        DataFiles.named(name)
            .level(level)
            .keys(PlanTables.key(content.firstKey()), PlanTables.key(content.lastKey()))
            .sequence(
                content.values().stream().mapToLong(Row::sequence).min().orElseThrow(),
                content.values().stream().mapToLong(Row::sequence).max().orElseThrow())
            .rows(content.size())
            .size(1 + random.nextInt(5000))
            .deletes(random.nextInt(8) == 0 ? null : Long.valueOf(deletes))
            .build());
    rows.put(name, content);
  }

  /** One unit per file, after checking that the parts of a file cover it without gap or overlap. */
  private static Map<String, ScanUnit> wholeUnits(SplitPlan plan, long seed) {
    Map<String, ScanUnit> units = new HashMap<>();
    Map<String, Long> covered = new HashMap<>();
    for (Split split : plan.tasks().stream().flatMap(List::stream).toList()) {
      boolean raw = split instanceof RawSplit;
      for (ScanUnit unit : raw ? ((RawSplit) split).units() : ((MergeSplit) split).units()) {
        String name = unit.file().name();
        assertThat(unit.isRaw()).as("seed %d", seed).isEqualTo(raw);
        assertThat(unit.start()).as("seed %d", seed).isEqualTo(covered.getOrDefault(name, 0L));
        covered.merge(name, unit.length(), Long::sum);
        units.put(name, unit);
      }
    }
    units.forEach(
        (name, unit) ->
            assertThat(covered.get(name)).as("seed %d", seed).isEqualTo(unit.file().size()));
    return units;
  }

  private void scan(ScanUnit unit, Mode mode, Map<Integer, Winner> survivors, long seed) {
    for (Row row : rows.get(unit.file().name()).values()) {
      boolean hidden = unit.probes().stream().anyMatch(probe -> hides(probe, unit, row, mode));
      if (!hidden && !row.isDelete()) {
        Winner before = survivors.put(row.key(), new Winner(unit.file().name(), row));
        assertThat(before).as("two versions of a key, seed %d", seed).isNull();
      }
    }
  }

  private boolean hides(Probe probe, ScanUnit unit, Row row, Mode mode) {
    Row other = rows.get(probe.file().name()).get(row.key());
    if (other == null || (mode == Mode.FIRST_ROW && other.isDelete())) {
      return false;
    }
    if (!probe.compareSequence()) {
      return true;
    }
    int order = order(mode).compare(other, row);
    order = order == 0 ? Integer.compare(unit.runRank(), probe.runRank()) : order;
    return mode == Mode.FIRST_ROW ? order < 0 : order > 0;
  }

  private static Comparator<Row> order(Mode mode) {
    Comparator<Row> bySequence = Comparator.comparingLong(Row::sequence);
    return mode == Mode.USER_SEQUENCE
        ? Comparator.comparingInt(Row::userSequence).thenComparing(bySequence)
        : bySequence;
  }

  private Map<Integer, Winner> merge(Map<String, ScanUnit> units, Mode mode) {
    List<DataFile> newestFirst = new ArrayList<>(files);
    newestFirst.sort(
        Comparator.comparingInt(DataFile::level)
            .thenComparing(Comparator.comparingLong(DataFile::maxSequenceNumber).reversed())
            .thenComparingLong(DataFile::minSequenceNumber)
            .thenComparing(DataFile::name));
    Map<Integer, Winner> winners = new TreeMap<>();
    for (DataFile file : newestFirst) {
      for (Row row : rows.get(file.name()).values()) {
        Winner best = winners.get(row.key());
        if (mode == Mode.FIRST_ROW) {
          boolean above = best != null && file.level() > 0;
          if (!row.isDelete()
              && (best == null || above || order(mode).compare(row, best.row()) <= 0)) {
            winners.put(row.key(), new Winner(file.name(), row));
          }
        } else if (best == null || order(mode).compare(row, best.row()) > 0) {
          winners.put(row.key(), new Winner(file.name(), row));
        }
      }
    }
    winners.values().removeIf(winner -> winner.row().isDelete());
    assertThat(units.keySet()).isSubsetOf(rows.keySet());
    return winners;
  }
}
