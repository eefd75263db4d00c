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

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.compaction.changes.ChangelogSpec;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionPlanner;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Compacts all buckets of a table fully, in this thread, and commits. */
final class FullCompaction {
  private final HadoopFileIO io = HadoopFileIO.of(new Configuration());
  private final Path folder;
  private Map<String, String> options = Map.of();
  private Map<Integer, Object> addedDefaults = Map.of();
  private Clock clock = Clock.systemUTC();

  private FullCompaction(Path folder) {
    this.folder = folder;
  }

  /** Of the table in {@code folder}. */
  static FullCompaction of(Path folder) {
    return new FullCompaction(folder);
  }

  FullCompaction withOptions(Map<String, String> newOptions) {
    options = newOptions;
    return this;
  }

  FullCompaction withAddedDefaults(Map<Integer, Object> newDefaults) {
    addedDefaults = newDefaults;
    return this;
  }

  FullCompaction at(Clock newClock) {
    clock = newClock;
    return this;
  }

  /** Compacts; the results of all steps. */
  List<StepResult> run() throws IOException {
    Location root = new Location(folder.toString());
    LakeTable table =
        LakeTable.load(folder.getFileName().toString(), io, root).withOptions(options);
    CompactionPlanner planner = table.compactionPlanner(clock);
    Map<Long, TableSchema> schemas = new HashMap<>();
    for (long id : table.storage().schemas().ids()) {
      schemas.put(id, table.storage().schemas().load(id));
    }
    CompactionSpec spec =
        new CompactionSpec(
            table.name(),
            table.options().merge(),
            DataFileSpec.ofWrite(table.schema(), table.options()),
            table.options().fileLayout(),
            schemas,
            addedDefaults,
            planner.expiry().orElse(null),
            ChangelogSpec.of(table.schema(), table.options()).orElse(null));
    StepEnvironment environment =
        new StepEnvironment(root, table.branch(), io, Ids.random(), clock, 1, StopCheck.NEVER);
    Snapshot base = table.storage().snapshots().latest().orElseThrow();
    List<BucketChange> changes = new ArrayList<>();
    List<StepResult> all = new ArrayList<>();
    try (StepRunner runner = StepRunner.of(spec, environment)) {
      for (BucketFiles bucket :
          table
              .planner()
              .ofEveryLevel()
              .plan(base, new ScanFilter(List.of(), StatsProjection.KEEP))
              .buckets()) {
        CompactionPlan plan = planner.full(bucket).orElse(null);
        if (plan != null) {
          List<StepResult> results = new ArrayList<>();
          for (CompactionStep step : plan.steps()) {
            results.add(runner.run(plan, step));
          }
          all.addAll(results);
          changes.add(
              new BucketChange(
                  plan.partition(),
                  plan.bucket(),
                  plan.totalBuckets(),
                  FileChanges.NONE,
                  CompactedBucket.changes(plan, results, new VectorIndexes(spec, environment))));
        }
      }
    }
    if (!changes.isEmpty()) {
      table
          .committer(CommitEnvironment.system())
          .commit(CommitRequest.batch("compactor", changes).basedOn(base));
    }
    return all;
  }
}
