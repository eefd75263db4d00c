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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.reference.ReferenceTable;
import io.keylake.table.LakeTable;
import io.keylake.table.compaction.CompactionStep.Upgrade;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanFilter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What we plan is what the reference does to the same files: which are rewritten, which are moved,
 * and to which level. The seed is part of every failure; -Dkeylake.seed=... runs it again.
 */
final class CompactionOracleTest {
  private static final FileIO IO = HadoopFileIO.of(new Configuration(false));
  private static final int ROUNDS = 2;
  private static final int STEPS = 8;

  @TempDir Path warehouse;

  @Test
  void plansAreThoseOfTheReference() throws Exception {
    long seed = Long.getLong("keylake.seed", 14);
    for (int round = 0; round < ROUNDS; round++) {
      run(seed + round, "t" + round);
    }
  }

  private void run(long seed, String name) throws Exception {
    Random random = new Random(seed);
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", name);
    Map<String, String> options = options(random);
    Schema.Builder schema =
        Schema.newBuilder()
            .column("k", DataTypes.INT().notNull())
            .column("v", DataTypes.STRING())
            .primaryKey("k");
    options.forEach(schema::option);
    reference.create(schema.build());
    for (int step = 0; step < STEPS; step++) {
      reference.write(rows(random));
      boolean fully = random.nextInt(3) == 0;
      String where =
          "seed " + seed + ", step " + step + ", " + (fully ? "full" : "minor") + " of " + options;
      Map<String, Integer> before = levels(name);
      Optional<CompactionPlan> plan = plan(name, fully);
      if (fully) {
        reference.compactFully();
      } else {
        reference.compactIfDue();
      }
      assertThat(plan.map(CompactionOracleTest::text).orElse("nothing"))
          .as("%s, files before: %s", where, before)
          .isEqualTo(expected(plan, before, levels(name)));
    }
  }

  /**
   * What the reference did. It picks once when asked and once more at the commit, so that the
   * output of the first may be an input of the second; then nothing is left on the level of the
   * first, and only what the plan names is compared.
   */
  private static String expected(
      Optional<CompactionPlan> plan, Map<String, Integer> before, Map<String, Integer> after) {
    boolean compactedTwice =
        plan.isPresent() && !after.containsValue(plan.orElseThrow().outputLevel());
    if (!compactedTwice) {
      return text(before, after);
    }
    Map<String, Integer> planned = new TreeMap<>(before);
    planned.keySet().retainAll(inputs(plan.orElseThrow()));
    return text(planned, after);
  }

  private static List<String> inputs(CompactionPlan plan) {
    return plan.steps().stream()
        .flatMap(step -> step.inputs().stream())
        .map(input -> input.file().name())
        .toList();
  }

  private static Map<String, String> options(Random random) {
    Map<String, String> options = new TreeMap<>();
    options.put("bucket", "1");
    options.put("write-only", "true");
    options.put("target-file-size", "8 kb");
    options.put("num-sorted-run.compaction-trigger", String.valueOf(2 + random.nextInt(4)));
    options.put("compaction.size-ratio", String.valueOf(1 + random.nextInt(60)));
    options.put("deletion-vectors.enabled", String.valueOf(random.nextInt(3) == 0));
    options.put("compaction.force-up-level-0", String.valueOf(random.nextInt(3) == 0));
    options.put("compaction.force-rewrite-all-files", String.valueOf(random.nextInt(5) == 0));
    if (random.nextInt(4) == 0) {
      options.put("compaction.incremental-size-threshold", "30 kb");
    }
    if (random.nextInt(4) == 0) {
      options.put("file.format.per.level", "0:avro");
    }
    return options;
  }

  private static List<String> rows(Random random) {
    List<String> rows = new ArrayList<>();
    int count = random.nextInt(3) == 0 ? 1500 : 1 + random.nextInt(300);
    int from = random.nextInt(10_000);
    int every = 1 + random.nextInt(3);
    boolean deletes = random.nextInt(3) == 0;
    for (int i = 0; i < count; i++) {
      String kind = deletes && random.nextInt(4) == 0 ? "-D" : "+I";
      rows.add(
          "{\"_kind\":\"%s\",\"k\":%d,\"v\":\"%016x\"}"
              .formatted(kind, from + i * every, random.nextLong()));
    }
    return rows;
  }

  private LakeTable load(String name) {
    return LakeTable.load(
        "db." + name,
        IO,
        new Location(warehouse.resolve("db.db").resolve(name).toUri().toString()));
  }

  private List<BucketFiles> buckets(LakeTable table) {
    return table
        .planner()
        .ofEveryLevel()
        .plan(table.snapshot().orElseThrow(), ScanFilter.NONE.keepingStats())
        .buckets();
  }

  private Map<String, Integer> levels(String name) {
    Map<String, Integer> levels = new TreeMap<>();
    for (BucketFiles bucket : buckets(load(name))) {
      bucket.files().forEach(file -> levels.put(file.name(), file.level()));
    }
    return levels;
  }

  private Optional<CompactionPlan> plan(String name, boolean fully) {
    LakeTable table = load(name);
    CompactionPlanner planner = table.compactionPlanner(Clock.systemUTC());
    BucketFiles bucket = buckets(table).get(0);
    return fully ? planner.full(bucket) : planner.minor(bucket);
  }

  private static String text(CompactionPlan plan) {
    TreeSet<String> changes = new TreeSet<>();
    for (CompactionStep step : plan.steps()) {
      for (CompactionInput input : step.inputs()) {
        DataFile file = input.file();
        changes.add(
            file.name() + (step instanceof Upgrade ? " to " + plan.outputLevel() : " rewritten"));
      }
    }
    return String.join("\n", changes);
  }

  private static String text(Map<String, Integer> before, Map<String, Integer> after) {
    TreeSet<String> changes = new TreeSet<>();
    before.forEach(
        (file, level) -> {
          Integer now = after.get(file);
          if (now == null) {
            changes.add(file + " rewritten");
          } else if (!now.equals(level)) {
            changes.add(file + " to " + now);
          }
        });
    return changes.isEmpty() ? "nothing" : String.join("\n", changes);
  }
}
