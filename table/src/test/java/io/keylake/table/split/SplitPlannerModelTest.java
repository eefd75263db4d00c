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

  private record Winner(String file, Row row) {}

  private final Map<String, Map<Integer, Row>> rows = new HashMap<>();
  private final List<DataFile> files = new ArrayList<>();

  @Test
  void maskedUnitsEqualAMergeOfAllRows() {
    long seed = Long.getLong("keylake.seed", new Random().nextLong());
    for (int round = 0; round < ROUNDS; round++) {
      check(seed + round);
    }
  }

  private void check(long seed) {
    Random random = new Random(seed);
    rows.clear();
    files.clear();
    boolean userSequence = random.nextInt(4) == 0;
    makeBucket(random);
    Set<String> probesOnly = new HashSet<>();
    files.forEach(
        file -> {
          if (random.nextInt(5) == 0) {
            probesOnly.add(file.name());
          }
        });
    Map<String, String> options =
        userSequence ? Map.of("bucket", "1", "sequence.field", "v") : Map.of("bucket", "1");
    SplitPlan plan =
        PlanTables.planner(PlanTables.keyed(options))
            .plan(
                List.of(PlanTables.bucket(0, files, Map.of(), probesOnly)),
                new SplitSize(1 + random.nextInt(3000), random.nextInt(200)));

    Map<String, ScanUnit> units = wholeUnits(plan, seed);
    Map<Integer, Winner> masked = new TreeMap<>();
    units.values().forEach(unit -> scan(unit, userSequence, masked, seed));
    Map<Integer, Winner> merged = merge(units, userSequence);
    merged.values().removeIf(winner -> probesOnly.contains(winner.file()));
    assertThat(masked).as("-Dkeylake.seed=%d", seed).isEqualTo(merged);
  }

  private void makeBucket(Random random) {
    int levelZero = random.nextInt(5);
    for (int i = 0; i < levelZero; i++) {
      makeFile(random, 0, 0, KEYS);
    }
    for (int level = 1; level <= 5; level++) {
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

  private void scan(
      ScanUnit unit, boolean userSequence, Map<Integer, Winner> survivors, long seed) {
    for (Row row : rows.get(unit.file().name()).values()) {
      boolean hidden =
          unit.probes().stream().anyMatch(probe -> hides(probe, unit, row, userSequence));
      if (!hidden && !row.isDelete()) {
        Winner before = survivors.put(row.key(), new Winner(unit.file().name(), row));
        assertThat(before).as("two versions of a key, seed %d", seed).isNull();
      }
    }
  }

  private boolean hides(Probe probe, ScanUnit unit, Row row, boolean userSequence) {
    Row other = rows.get(probe.file().name()).get(row.key());
    if (other == null) {
      return false;
    }
    if (!probe.compareSequence()) {
      return true;
    }
    int order = order(userSequence).compare(other, row);
    return order > 0 || (order == 0 && probe.runRank() < unit.runRank());
  }

  private static Comparator<Row> order(boolean userSequence) {
    Comparator<Row> bySequence = Comparator.comparingLong(Row::sequence);
    return userSequence
        ? Comparator.comparingInt(Row::userSequence).thenComparing(bySequence)
        : bySequence;
  }

  private Map<Integer, Winner> merge(Map<String, ScanUnit> units, boolean userSequence) {
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
        if (best == null || order(userSequence).compare(row, best.row()) > 0) {
          winners.put(row.key(), new Winner(file.name(), row));
        }
      }
    }
    winners.values().removeIf(winner -> winner.row().isDelete());
    assertThat(units.keySet()).isSubsetOf(rows.keySet());
    return winners;
  }
}
