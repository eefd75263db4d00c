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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.compaction.CompactionStep.Upgrade;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.IndexedVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random histories of one bucket, written and compacted in memory as the plans say: whatever is
 * planned, the bucket reads as a map would, levels stay levels, and vectors mark what is outdated.
 * The seed is part of every failure; -Dkeylake.seed=... runs it again.
 */
final class CompactionModelTest {
  private static final int ROUNDS = 150;
  private static final int STEPS = 25;
  private static final int KEYS = 60;
  private static final int BYTES_PER_ROW = 100;
  private static final int ROWS_PER_FILE = 10;

  private record Row(long sequence, boolean isDelete) {}

  private record Content(int level, TreeMap<Integer, Row> rows) {}

  private PlannedTable table = PlannedTable.keyed();
  private boolean vectors;
  private final Map<String, Content> files = new HashMap<>();
  private final Map<String, Set<Integer>> marked = new HashMap<>();
  private final Map<Integer, Row> expected = new HashMap<>();
  private long sequence;
  private int names;

  @Test
  void plansKeepEveryRowWhateverTheyPick() {
    long seed = Long.getLong("keylake.seed", 14);
    for (int round = 0; round < ROUNDS; round++) {
      run(seed + round);
    }
  }

  private void run(long seed) {
    Random random = new Random(seed);
    files.clear();
    marked.clear();
    expected.clear();
    sequence = 0;
    vectors = random.nextBoolean();
    table = table(random);
    for (int step = 0; step < STEPS; step++) {
      String where = "seed " + seed + ", step " + step;
      write(random);
      int choice = random.nextInt(4);
      Optional<CompactionPlan> plan =
          switch (choice) {
            case 0 -> Optional.empty();
            case 1 -> table.planner().full(bucket());
            default -> table.planner().afterWrite(bucket());
          };
      if (plan.isPresent()) {
        CompactionPlan cut =
            new RewriteSlices(table.schema(), 100 + random.nextInt(4000)).of(plan.get());
        assertSound(where, cut);
        carryOut(cut);
        assertLevelsDoNotOverlap(where);
        if (choice == 1) {
          assertFullyCompacted(where);
        }
      }
      assertThat(rows(where)).as(where).isEqualTo(live());
    }
  }

  private PlannedTable table(Random random) {
    return PlannedTable.keyed(
        "deletion-vectors.enabled", String.valueOf(vectors),
        "num-sorted-run.compaction-trigger", String.valueOf(1 + random.nextInt(5)),
        "num-levels", String.valueOf(2 + random.nextInt(5)),
        "compaction.size-ratio", String.valueOf(random.nextInt(100)),
        "compaction.max-size-amplification-percent", String.valueOf(50 + random.nextInt(400)),
        "compaction.force-up-level-0", String.valueOf(random.nextBoolean()),
        "compaction.small-file-ratio", random.nextBoolean() ? "0.7" : "0.2",
        "lookup-compact", random.nextBoolean() ? "gentle" : "radical");
  }

  private void write(Random random) {
    TreeMap<Integer, Row> rows = new TreeMap<>();
    int width = 1 + random.nextInt(KEYS);
    int from = random.nextInt(KEYS);
    int count = 1 + random.nextInt(2 * ROWS_PER_FILE);
    boolean deletes = random.nextInt(3) == 0;
    for (int i = 0; i < count; i++) {
      int key = from + random.nextInt(width);
      Row row = new Row(sequence++, deletes && random.nextBoolean());
      rows.put(key, row);
      expected.put(key, row);
    }
    files.put("f" + names++, new Content(0, rows));
  }

  private BucketFiles bucket() {
    BucketFiles plain = table.bucket(files.keySet().stream().map(this::dataFile).toList());
    Map<String, IndexedVector> known = new HashMap<>();
    marked.forEach(
        (name, rows) ->
            known.put(
                name,
                new IndexedVector("/i", new DeletionVectorRef(name, 1, 1, (long) rows.size()))));
    return new BucketFiles(plain.partition(), 0, 1, plain.files(), known, List.of(), Set.of());
  }

  private DataFile dataFile(String name) {
    Content content = files.get(name);
    TreeMap<Integer, Row> rows = content.rows();
    long min = rows.values().stream().mapToLong(Row::sequence).min().orElseThrow();
    long max = rows.values().stream().mapToLong(Row::sequence).max().orElseThrow();
    return PlannedTable.file(name, content.level(), rows.firstKey(), rows.lastKey())
        .rows(rows.size())
        .size((long) rows.size() * BYTES_PER_ROW)
        .sequence(min, max)
        .deletes(rows.values().stream().filter(Row::isDelete).count())
        .build();
  }

  /** Each row is taken once: by one step, or by one of the slices of a rewrite. */
  private void assertSound(String where, CompactionPlan plan) {
    assertThat(plan.outputLevel()).as(where).isPositive();
    Map<String, List<KeyRange>> taken = new HashMap<>();
    for (CompactionStep step : plan.steps()) {
      assertThat(step.inputs()).as(where).isNotEmpty();
      KeyRange keys = step instanceof Rewrite rewrite ? rewrite.keys() : KeyRange.ALL;
      for (CompactionInput input : step.inputs()) {
        taken.computeIfAbsent(input.file().name(), name -> new ArrayList<>()).add(keys);
      }
    }
    taken.forEach(
        (name, ranges) -> {
          for (int key : files.get(name).rows().keySet()) {
            BinaryRow row = PlannedTable.key(key);
            if (ranges.stream().filter(range -> isIn(range, row)).count() != 1) {
              fail("%s: key %d of %s is in not one of %s", where, key, name, ranges);
            }
          }
        });
  }

  private boolean isIn(KeyRange range, BinaryRow key) {
    @Nullable BinaryRow from = range.from();
    @Nullable BinaryRow to = range.to();
    return (from == null || PlannedTable.KEYS.compare(key, from) >= 0)
        && (to == null || PlannedTable.KEYS.compare(key, to) < 0);
  }

  private void carryOut(CompactionPlan plan) {
    Map<String, Content> added = new HashMap<>();
    Set<String> moved = new HashSet<>();
    Map<String, Set<Integer>> marks = new HashMap<>();
    for (CompactionStep step : plan.steps()) {
      if (step instanceof Upgrade upgrade) {
        String name = upgrade.input().file().name();
        Content content = files.get(name);
        added.put(name, new Content(plan.outputLevel(), content.rows()));
        moved.add(name);
        mark(upgrade.upper(), content.rows().keySet(), marks);
      } else {
        rewrite((Rewrite) step, plan.outputLevel(), added, marks);
      }
    }
    for (CompactionInput input : plan.inputs()) {
      files.remove(input.file().name());
      if (!moved.contains(input.file().name())) {
        marked.remove(input.file().name());
      }
    }
    files.putAll(added);
    marks.forEach((name, keys) -> marked.computeIfAbsent(name, n -> new HashSet<>()).addAll(keys));
  }

  private void rewrite(
      Rewrite step, int level, Map<String, Content> added, Map<String, Set<Integer>> marks) {
    TreeMap<Integer, Row> merged = new TreeMap<>();
    for (CompactionInput input : step.inputs()) {
      String name = input.file().name();
      files
          .get(name)
          .rows()
          .forEach(
              (key, row) -> {
                if (isIn(step.keys(), PlannedTable.key(key)) && !isMarked(name, key)) {
                  merged.merge(key, row, (a, b) -> a.sequence() > b.sequence() ? a : b);
                }
              });
    }
    mark(step.upper(), merged.keySet(), marks);
    if (step.deletes() == Deletes.DROPPED) {
      merged.values().removeIf(Row::isDelete);
    }
    TreeMap<Integer, Row> file = new TreeMap<>();
    for (Map.Entry<Integer, Row> row : merged.entrySet()) {
      file.put(row.getKey(), row.getValue());
      if (file.size() == ROWS_PER_FILE) {
        added.put("f" + names++, new Content(level, file));
        file = new TreeMap<>();
      }
    }
    if (!file.isEmpty()) {
      added.put("f" + names++, new Content(level, file));
    }
  }

  private void mark(
      List<CompactionInput> upper, Collection<Integer> keys, Map<String, Set<Integer>> marks) {
    if (!vectors) {
      assertThat(upper).isEmpty();
    }
    for (CompactionInput input : upper) {
      String name = input.file().name();
      for (int key : keys) {
        if (files.get(name).rows().containsKey(key)) {
          marks.computeIfAbsent(name, n -> new HashSet<>()).add(key);
        }
      }
    }
  }

  private boolean isMarked(String name, int key) {
    return marked.getOrDefault(name, Set.of()).contains(key);
  }

  private void assertLevelsDoNotOverlap(String where) {
    Map<Integer, TreeMap<Integer, String>> levels = new HashMap<>();
    files.forEach(
        (name, content) -> {
          if (content.level() > 0) {
            TreeMap<Integer, String> level =
                levels.computeIfAbsent(content.level(), l -> new TreeMap<>());
            int from = content.rows().firstKey();
            int to = content.rows().lastKey();
            level.putIfAbsent(from, name);
            level.putIfAbsent(to, name);
            assertThat(level.subMap(from, true, to, true).values())
                .as("%s: files of level %d in [%d, %d]", where, content.level(), from, to)
                .containsOnly(name);
          }
        });
  }

  private void assertFullyCompacted(String where) {
    int top = TableOptions.of(table.schema()).compaction().levels() - 1;
    assertThat(files.values()).as(where).allMatch(content -> content.level() == top);
    assertThat(files.values().stream().flatMap(content -> content.rows().values().stream()))
        .as(where)
        .noneMatch(Row::isDelete);
  }

  private Map<Integer, Row> live() {
    Map<Integer, Row> live = new HashMap<>(expected);
    live.values().removeIf(Row::isDelete);
    return live;
  }

  /** By sequence number; with vectors also level by level, as other engines read. */
  private Map<Integer, Row> rows(String where) {
    Map<Integer, Row> newest = new HashMap<>();
    Set<Integer> seenAbove = new HashSet<>();
    files.forEach(
        (name, content) ->
            content
                .rows()
                .forEach(
                    (key, row) -> {
                      if (isMarked(name, key)) {
                        return;
                      }
                      boolean isAbove = vectors && content.level() > 0;
                      if (isAbove && (!seenAbove.add(key) || row.isDelete())) {
                        fail("%s: key %d is above level 0 twice, or as a delete", where, key);
                      }
                      newest.merge(key, row, (a, b) -> a.sequence() > b.sequence() ? a : b);
                    }));
    newest.values().removeIf(Row::isDelete);
    return newest;
  }
}
