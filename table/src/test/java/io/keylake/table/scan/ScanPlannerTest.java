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

package io.keylake.table.scan;

import static io.keylake.table.scan.WrittenTable.K;
import static io.keylake.table.scan.WrittenTable.P;
import static io.keylake.table.scan.WrittenTable.V;
import static io.keylake.table.scan.WrittenTable.add;
import static io.keylake.table.scan.WrittenTable.files;
import static io.keylake.table.scan.WrittenTable.units;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataTypes;
import io.keylake.golden.DataFiles;
import io.keylake.table.options.TableOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScanPlannerTest {
  private static final Predicate IN_A = Predicates.equal(P, "a");

  @TempDir Path folder;

  private WrittenTable append() {
    return new WrittenTable(folder, List.of(), Map.of("bucket", "-1"));
  }

  private WrittenTable keyed(Map<String, String> options) {
    return new WrittenTable(folder, List.of("p", "k"), options);
  }

  private static ScanFilter where(Predicate... conjuncts) {
    return ScanFilter.of(List.of(conjuncts));
  }

  private static Predicate valueAbove(int bound) {
    return Predicates.compare(V, Operator.GREATER, bound);
  }

  /** A file with keys and values in these ranges. */
  private static DataFile file(
      WrittenTable table, String name, int level, int minKey, int maxKey, int minValue) {
    return DataFiles.named(name)
        .level(level)
        .keys(table.key(minKey), table.key(maxKey))
        .keyStats(table.keyStats(minKey, maxKey))
        .valueStats(table.valueStats(minKey, maxKey, minValue, minValue + 9))
        .build();
  }

  @Test
  void manifestsOfOtherPartitionsAreNotRead() {
    WrittenTable table = append();
    for (String value : List.of("a", "b", "c")) {
      table.commit(add(table.partition(value), 0, -1, DataFiles.named("in-" + value).build()));
    }

    ScanPlan plan = table.plan(where(IN_A));

    assertThat(units(plan)).containsExactly("in-a");
    assertThat(plan.statistics().manifestsRead()).isEqualTo(1);
    assertThat(plan.statistics().manifestsSkipped()).isEqualTo(2);
    assertThat(plan.statistics().filesBeforePruning()).isEqualTo(1);
    assertThat(units(table.plan(ScanFilter.NONE))).containsExactly("in-a", "in-b", "in-c");
  }

  @Test
  void partitionsAreFilteredExactly() {
    WrittenTable table = append();
    table.commit(
        add(table.partition("a"), 0, -1, DataFiles.named("in-a").build()),
        add(table.partition("b"), 0, -1, DataFiles.named("in-b").build()),
        add(table.partition("c"), 0, -1, DataFiles.named("in-c").build()));

    Predicate notB = Predicates.compare(P, Operator.NOT_EQUAL, "b");

    assertThat(units(table.plan(where(notB)))).containsExactly("in-a", "in-c");
    BinaryRow c = table.partition("c");
    assertThat(units(table.plan(ScanFilter.NONE).keepPartitions(c::equals)))
        .containsExactly("in-c");
  }

  @Test
  void deletedAndMovedFilesAreResolvedAcrossManifests() {
    WrittenTable table = keyed(Map.of("bucket", "1"));
    ManifestEntry a = add(table.partition("a"), 0, 1, file(table, "a", 0, 1, 2, 0));
    ManifestEntry b = add(table.partition("a"), 0, 1, file(table, "b", 0, 1, 2, 0));
    table.commit(a, b);
    table.commit(a.asDelete(), b.asDelete(), add(a.partition(), 0, 1, a.file().withLevel(5)));

    ScanPlan plan = table.plan(ScanFilter.NONE);

    assertThat(files(plan)).containsExactly("a");
    assertThat(plan.buckets().get(0).files().get(0).level()).isEqualTo(5);
  }

  @Test
  void valuesPruneFilesOfAppendTables() {
    WrittenTable table = append();
    table.commit(
        add(table.partition("a"), 0, -1, file(table, "low", 0, 1, 9, 0)),
        add(table.partition("a"), 0, -1, file(table, "high", 0, 1, 9, 50)),
        add(table.partition("b"), 0, -1, file(table, "low-b", 0, 1, 9, 0)));

    ScanPlan plan = table.plan(where(valueAbove(20)));

    assertThat(files(plan)).containsExactly("high");
    assertThat(plan.statistics().filesBeforePruning()).isEqualTo(3);
    assertThat(plan.statistics().filesAfterPruning()).isEqualTo(1);
  }

  @Test
  void aConditionOnPartitionOrValueUsesBoth() {
    WrittenTable table = append();
    table.commit(
        add(table.partition("a"), 0, -1, file(table, "low-a", 0, 1, 9, 0)),
        add(table.partition("b"), 0, -1, file(table, "low-b", 0, 1, 9, 0)),
        add(table.partition("b"), 0, -1, file(table, "high-b", 0, 1, 9, 50)));

    ScanPlan plan = table.plan(where(Predicates.or(IN_A, valueAbove(20))));

    assertThat(files(plan)).containsExactly("low-a", "high-b");
  }

  @Test
  void valuesNeverRemoveAFileThatMayHideRows() {
    WrittenTable table = keyed(Map.of("bucket", "1"));
    table.commit(
        add(table.partition("a"), 0, 1, file(table, "base", 5, 1, 9, 50)),
        add(table.partition("a"), 0, 1, file(table, "newer", 0, 1, 9, 0)));

    ScanPlan plan = table.plan(where(valueAbove(20)));

    assertThat(units(plan)).containsExactly("base");
    assertThat(files(plan)).containsExactly("base", "newer");
  }

  @Test
  void aBucketWithoutWantedRowsIsLeftOut() {
    WrittenTable table = keyed(Map.of("bucket", "2"));
    table.commit(
        add(table.partition("a"), 0, 2, file(table, "low", 0, 1, 9, 0)),
        add(table.partition("a"), 1, 2, file(table, "high", 0, 1, 9, 50)));

    assertThat(table.plan(where(valueAbove(20))).buckets())
        .extracting(BucketFiles::bucket)
        .containsExactly(1);
  }

  @Test
  void valuesLeaveOutNoBucketWhereRowsAreFolded() {
    WrittenTable table = keyed(Map.of("bucket", "2", "merge-engine", "aggregation"));
    table.commit(
        add(table.partition("a"), 0, 2, file(table, "old", 0, 1, 9, 0)),
        add(table.partition("a"), 0, 2, file(table, "new", 0, 1, 9, 11)));

    ScanPlan plan = table.plan(where(valueAbove(25)));

    assertThat(files(plan)).containsExactly("old", "new");
    assertThat(units(plan)).isEmpty();
  }

  @Test
  void keysRemoveFilesAltogether() {
    WrittenTable table = keyed(Map.of("bucket", "1"));
    table.commit(
        add(table.partition("a"), 0, 1, file(table, "base", 5, 1, 9, 0)),
        add(table.partition("a"), 0, 1, file(table, "newer", 0, 5, 9, 0)));

    ScanPlan plan = table.plan(where(Predicates.compare(K, Operator.LESS, 3)));

    assertThat(files(plan)).containsExactly("base");
  }

  @Test
  void vectorsLetValuesPruneTheCompactedView() {
    WrittenTable table = keyed(Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
    table.commit(
        add(table.partition("a"), 0, 1, file(table, "base", 5, 1, 9, 50)),
        add(table.partition("a"), 0, 1, file(table, "low", 4, 1, 9, 0)),
        add(table.partition("a"), 0, 1, file(table, "fresh", 0, 1, 9, 50)));

    ScanPlan compacted =
        table
            .planner(Map.of("scan.visibility", "compacted"))
            .plan(table.storage().snapshots().load(1), where(valueAbove(20)));

    assertThat(files(compacted)).containsExactly("base");
    assertThat(files(table.plan(where(valueAbove(20))))).containsExactly("base", "low", "fresh");
    assertThat(units(table.plan(where(valueAbove(20))))).containsExactly("base", "fresh");
  }

  @Test
  void compactionSeesEveryLevelOfTheWantedPartitionsWithStatistics() {
    WrittenTable table = keyed(Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
    table.commit(
        add(table.partition("a"), 0, 1, file(table, "top", 5, 1, 9, 50)),
        add(table.partition("a"), 0, 1, file(table, "fresh", 0, 1, 9, 50)),
        add(table.partition("a"), -2, -2, file(table, "staged", 0, 1, 9, 50)),
        add(table.partition("b"), 0, 1, file(table, "other", 0, 1, 9, 50)));
    ScanPlanner planner = table.planner(Map.of("scan.visibility", "compacted")).ofEveryLevel();
    Snapshot snapshot = table.storage().snapshots().load(1);

    List<BucketFiles> buckets =
        planner.buckets(
            snapshot, Set.of(table.partition("a"), table.partition("none")), StatsProjection.KEEP);

    assertThat(buckets).hasSize(1);
    assertThat(buckets.get(0).files()).extracting(DataFile::name).containsExactly("top", "fresh");
    assertThat(buckets.get(0).files().get(0).valueStats().minValues().arity()).isEqualTo(3);
    assertThat(planner.buckets(snapshot, Set.of(), StatsProjection.SKIP)).isEmpty();
  }

  @Test
  void equalityOnTheKeyLeavesOneBucketOfEachBucketCount() {
    WrittenTable table = keyed(Map.of("bucket", "16"));
    for (int bucket = 0; bucket < 16; bucket++) {
      table.commit(
          add(table.partition("new"), bucket, 16, file(table, "n" + bucket, 0, 0, 99, 0)),
          add(table.partition("old"), bucket % 5, 5, file(table, "o" + bucket, 0, 0, 99, 0)));
    }

    ScanPlan plan = table.plan(where(Predicates.equal(K, 1)));

    assertThat(plan.buckets())
        .extracting(BucketFiles::totalBuckets, BucketFiles::bucket)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(16, 14), org.assertj.core.groups.Tuple.tuple(5, 3));
    assertThat(table.plan(where(Predicates.in(K, List.of(1, -7)))).buckets())
        .extracting(BucketFiles::bucket)
        .containsExactlyInAnyOrder(14, 11, 3, 2);
  }

  @Test
  void aKeyColumnThatChangedItsTypePrunesNoBuckets() {
    WrittenTable table =
        new WrittenTable(folder, List.of(), Map.of("bucket", "2", "bucket-key", "v"));
    table.commit(
        add(table.partition("a"), 0, 2, DataFiles.named("b0").build()),
        add(table.partition("a"), 1, 2, DataFiles.named("b1").build()));
    TableSchema wider =
        WrittenTable.schema(
            1, List.of(), Map.of("bucket", "2", "bucket-key", "v"), V.withType(DataTypes.BIGINT));
    table.storage().schemas().publish(wider);
    ScanPlanner planner = new ScanPlanner(table.storage(), wider, TableOptions.of(wider));

    Predicate equal = Predicates.equal(V.withType(DataTypes.BIGINT), 5L);

    assertThat(units(table.plan(where(Predicates.equal(V, 5))))).hasSize(1);
    assertThat(units(planner.plan(table.storage().snapshots().load(1), where(equal)))).hasSize(2);
  }

  @Test
  void statisticsOfAnOlderSchemaAreMappedByFieldId() {
    WrittenTable table = append();
    table.commit(
        add(table.partition("a"), 0, -1, file(table, "low", 0, 1, 9, 0)),
        add(table.partition("a"), 0, -1, file(table, "high", 0, 1, 9, 50)));
    var renamed = V.withName("w").withType(DataTypes.BIGINT);
    var text = V.withType(DataTypes.STRING);
    TableSchema wide = WrittenTable.schema(1, List.of(), Map.of("bucket", "-1"), renamed);
    TableSchema cast = WrittenTable.schema(2, List.of(), Map.of("bucket", "-1"), text);
    table.storage().schemas().publish(wide);
    table.storage().schemas().publish(cast);

    ScanPlan wider =
        new ScanPlanner(table.storage(), wide, TableOptions.of(wide))
            .plan(
                table.storage().snapshots().load(1),
                where(Predicates.compare(renamed, Operator.GREATER, 20L)));
    ScanPlan asText =
        new ScanPlanner(table.storage(), cast, TableOptions.of(cast))
            .plan(
                table.storage().snapshots().load(1),
                where(Predicates.compare(text, Operator.GREATER, "6")));

    assertThat(files(wider)).containsExactly("high");
    assertThat(files(asText)).containsExactly("low", "high");
  }

  @Test
  void missingStatisticsKeepTheFile() {
    WrittenTable table = append();
    table.commit(add(table.partition("a"), 0, -1, DataFiles.named("none").build()));

    assertThat(files(table.plan(where(valueAbove(20))))).containsExactly("none");
  }

  @Test
  void aPlanIsNarrowedByConditionsThatCameLater() {
    WrittenTable table = keyed(Map.of("bucket", "16"));
    table.commit(
        add(table.partition("a"), 14, 16, file(table, "a14", 0, 0, 5, 0)),
        add(table.partition("a"), 14, 16, file(table, "a14-far", 0, 7, 9, 0)),
        add(table.partition("a"), 3, 16, file(table, "a3", 0, 0, 9, 0)),
        add(table.partition("b"), 14, 16, file(table, "b14", 0, 0, 9, 0)));
    ScanPlanner planner = table.planner(Map.of());
    ScanPlan plan = table.plan(ScanFilter.NONE.keepingStats());

    ScanPlan narrowed = planner.narrow(plan, List.of(IN_A, Predicates.equal(K, 1)));

    assertThat(files(narrowed)).containsExactly("a14");
    assertThat(narrowed.statistics().filesAfterPruning()).isEqualTo(1);
    assertThat(narrowed.snapshot()).isEqualTo(plan.snapshot());
  }

  @Test
  void statisticsAreLeftOutUnlessAskedFor() {
    WrittenTable table = append();
    table.commit(add(table.partition("a"), 0, -1, file(table, "f", 0, 1, 9, 0)));

    assertThat(table.plan(ScanFilter.NONE).buckets().get(0).files().get(0).valueStats())
        .isEqualTo(ColumnStats.EMPTY);
    assertThat(
            table.plan(ScanFilter.NONE.keepingStats()).buckets().get(0).files().get(0).valueStats())
        .isNotEqualTo(ColumnStats.EMPTY);
  }

  @Test
  void fileIndexesPruneWhatStatisticsCannot() {
    for (String name : List.of("bloom_embedded")) {
      GoldenStorage golden = GoldenStorage.open(name, folder.resolve(name));
      var text = golden.schema().rowType().field("s").orElseThrow();
      ScanFilter present = where(Predicates.equal(text, "str10"));
      ScanFilter absent = where(Predicates.equal(text, "str10-absent"));

      assertThat(units(golden.plan("committed", present))).isNotEmpty();
      assertThat(units(golden.plan("committed", absent))).isEmpty();
      TableOptions off =
          TableOptions.of(golden.schema(), Map.of("file-index.read.enabled", "false"));
      assertThat(
              units(
                  new ScanPlanner(golden.storage(), golden.schema(), off)
                      .plan(golden.storage().snapshots().latest().orElseThrow(), absent)))
          .isNotEmpty();
    }
  }

  @Test
  void everyKeyOfARescaledTableIsInTheBucketsThatAreLeft() {
    GoldenStorage golden = GoldenStorage.open("rescaled", folder.resolve("g"));
    var key = golden.schema().rowType().field("k").orElseThrow();
    int all = units(golden.plan("committed", ScanFilter.NONE)).size();

    for (int k = 0; k < 8; k++) {
      ScanPlan plan = golden.plan("committed", where(Predicates.equal(key, k)));
      assertThat(units(plan)).as("key %d", k).isNotEmpty().hasSizeLessThan(all);
    }
  }
}
