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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.compaction.CompactedBucket;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.StepRunner;
import io.keylake.spark.compaction.VectorIndexes;
import io.keylake.spark.compaction.changes.ChangelogSpec;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionPlanner;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.compaction.RewriteSlices;
import io.keylake.table.scan.BucketFiles;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compacts tables inside the calling task: plans, carries out all steps and commits. */
final class InlineCompaction {
  /** How much is compacted. */
  enum Extent {
    MINOR,
    FULL
  }

  private final LakeTable table;
  private final CompactionPlanner planner;
  private final RewriteSlices slices;
  private final CompactionSpec spec;
  private final StepEnvironment environment;

  private InlineCompaction(LakeTable table, long sliceBytes) {
    TableSchema schema = table.schema();
    Map<Long, TableSchema> fileSchemas = new HashMap<>();
    table
        .storage()
        .schemas()
        .ids()
        .forEach(id -> fileSchemas.put(id, table.storage().schemas().load(id)));
    this.table = table;
    this.planner =
        new CompactionPlanner(schema, table.options(), table.addresses(), Clock.systemUTC());
    this.slices = new RewriteSlices(schema, sliceBytes);
    this.spec =
        new CompactionSpec(
            table.name(),
            table.options().merge(),
            DataFileSpec.ofWrite(schema, table.options()),
            table.options().fileLayout(),
            fileSchemas,
            Map.of(),
            planner.expiry().orElse(null),
            ChangelogSpec.of(schema, table.options()).orElse(null));
    this.environment =
        new StepEnvironment(
            table.storage().layout().root(),
            table.branch(),
            (HadoopFileIO) table.storage().io(),
            Ids.random(),
            Clock.systemUTC(),
            2,
            () -> {});
  }

  /** Compacts all buckets; how many were changed. */
  static int run(WriteTarget target, Extent extent, long sliceBytes) throws IOException {
    LakeTable table = LakeTable.find(target.storage()).orElseThrow();
    Optional<Snapshot> snapshot = table.storage().snapshots().latest();
    return snapshot.isEmpty()
        ? 0
        : new InlineCompaction(table, sliceBytes).run(partitions(target), snapshot.get(), extent);
  }

  private static Set<BinaryRow> partitions(WriteTarget target) {
    Set<BinaryRow> partitions = new LinkedHashSet<>();
    WriteFixture.files(target).stream().map(ManifestEntry::partition).forEach(partitions::add);
    return partitions;
  }

  private int run(Set<BinaryRow> partitions, Snapshot snapshot, Extent extent) throws IOException {
    List<BucketChange> changes = new ArrayList<>();
    for (BucketFiles bucket :
        table.planner().ofEveryLevel().buckets(snapshot, partitions, StatsProjection.KEEP)) {
      Optional<CompactionPlan> plan =
          extent == Extent.FULL ? planner.full(bucket) : planner.minor(bucket);
      if (plan.isPresent()) {
        changes.add(compacted(slices.of(plan.get())));
      }
    }
    if (!changes.isEmpty()) {
      CommitResult result =
          table
              .committer(CommitEnvironment.system())
              .commit(CommitRequest.batch(Ids.random().next(), changes).basedOn(snapshot));
      assertThat(result.compaction()).isEqualTo(CommitResult.Compaction.COMMITTED);
    }
    return changes.size();
  }

  private BucketChange compacted(CompactionPlan plan) throws IOException {
    List<StepResult> results = new ArrayList<>();
    try (StepRunner runner = StepRunner.of(spec, environment)) {
      for (CompactionStep step : plan.steps()) {
        results.add(runner.run(plan, step));
      }
    }
    return new BucketChange(
        plan.partition(),
        plan.bucket(),
        plan.totalBuckets(),
        FileChanges.NONE,
        CompactedBucket.changes(plan, results, new VectorIndexes(spec, environment)));
  }
}
