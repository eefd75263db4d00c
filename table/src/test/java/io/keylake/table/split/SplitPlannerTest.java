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

import static io.keylake.table.split.PlanTables.bucket;
import static io.keylake.table.split.PlanTables.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.schema.TableSchema;
import io.keylake.golden.DataFiles;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.IndexedVector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SplitPlannerTest {
  private static final SplitSize SIZE = new SplitSize(1000, 100);
  private static final TableSchema KEYED = PlanTables.keyed(Map.of("bucket", "1"));
  private static final TableSchema AGGREGATED =
      PlanTables.keyed(Map.of("bucket", "1", "merge-engine", "aggregation"));
  private static final TableSchema APPEND = PlanTables.append(Map.of());

  private static SplitPlan plan(TableSchema schema, BucketFiles... buckets) {
    return PlanTables.planner(schema).plan(List.of(buckets), SIZE);
  }

  private static DataFiles file(String name, int min, int max) {
    return DataFiles.named(name).keys(key(min), key(max)).size(10);
  }

  private static List<ScanUnit> units(SplitPlan plan) {
    return plan.tasks().stream()
        .flatMap(List::stream)
        .flatMap(split -> split.units().stream())
        .toList();
  }

  private static ScanUnit unit(SplitPlan plan, String name) {
    return units(plan).stream().filter(u -> u.file().name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> probes(ScanUnit unit) {
    return unit.probes().stream().map(probe -> probe.file().name()).toList();
  }

  @Test
  void smallFilesShareATask() {
    SplitPlan plan =
        plan(
            APPEND,
            bucket(0, List.of(file("b", 0, 0).sequence(5, 5).build(), file("a", 0, 0).build())));

    assertThat(plan.tasks()).hasSize(1);
    assertThat(units(plan)).extracting(u -> u.file().name()).containsExactly("a", "b");
    assertThat(units(plan)).allMatch(ScanUnit::isRaw);
    assertThat(units(plan).get(0).path()).isEqualTo("file:/wh/t/bucket-0/a");
    assertThat(plan.exactRowCount()).isEqualTo(20);
  }

  @Test
  void openingAFileCountsAgainstTheTarget() {
    List<DataFile> files =
        java.util.stream.IntStream.range(0, 25).mapToObj(i -> file("f" + i, 0, 0).build()).toList();

    assertThat(plan(APPEND, bucket(0, files)).tasks()).hasSize(3);
  }

  @Test
  void aLargeFileIsCutIntoByteRanges() {
    SplitPlan plan = plan(APPEND, bucket(0, List.of(file("big", 0, 0).size(2500).build())));

    assertThat(plan.tasks()).hasSize(3);
    assertThat(units(plan)).extracting(ScanUnit::start).containsExactly(0L, 833L, 1666L);
    assertThat(units(plan)).extracting(ScanUnit::length).containsExactly(833L, 833L, 834L);
    assertThat(plan.size()).isEqualTo(2500);
  }

  @Test
  void aTinyTargetDoesNotCutAFileIntoItsBytes() {
    for (long size : List.of(5_000L, 1L << 30)) {
      SplitPlan plan =
          PlanTables.planner(APPEND)
              .plan(
                  List.of(bucket(0, List.of(file("big", 0, 0).size(size).build()))),
                  new SplitSize(1, 1));

      assertThat(units(plan)).hasSize(size == 5_000L ? 64 : 1024);
      assertThat(plan.size()).isEqualTo(size);
    }
  }

  @Test
  void bucketsShareATaskInSplitsOfTheirOwn() {
    SplitPlan plan =
        plan(
            KEYED,
            bucket(0, List.of(file("a", 0, 5).build(), file("b", 3, 9).sequence(5, 9).build())),
            bucket(1, List.of(file("c", 0, 5).build())));

    assertThat(plan.tasks()).hasSize(1);
    assertThat(plan.tasks().get(0)).extracting(Split::bucket).containsExactly(0, 0, 1);
    assertThat(plan.rawSplits()).isEqualTo(2);
    assertThat(plan.mergeSplits()).isEqualTo(1);
    assertThat(plan.exactRowCount()).isNull();
  }

  @Test
  void onlyNewerOverlappingFilesAreProbes() {
    SplitPlan plan =
        plan(
            KEYED,
            bucket(
                0,
                List.of(
                    file("base", 0, 50).level(5).sequence(0, 50).build(),
                    file("newer", 40, 60).sequence(51, 60).build(),
                    file("apart", 55, 90).sequence(61, 70).build())));

    ScanUnit base = unit(plan, "base");
    assertThat(probes(base)).containsExactly("newer");
    assertThat(base.probes().get(0).compareSequence()).isFalse();
    assertThat(base.probes().get(0).runRank()).isLessThan(base.runRank());
    assertThat(probes(unit(plan, "newer"))).containsExactly("apart");
    assertThat(unit(plan, "apart").isRaw()).isTrue();
  }

  @Test
  void equalSequenceNumbersOnTwoLevelsAreCompared() {
    SplitPlan plan =
        plan(
            KEYED,
            bucket(
                0,
                List.of(
                    file("l5", 0, 50).level(5).sequence(7, 7).build(),
                    file("l1", 40, 60).level(1).sequence(7, 7).build())));

    assertThat(probes(unit(plan, "l5"))).containsExactly("l1");
    assertThat(unit(plan, "l5").probes().get(0).compareSequence()).isTrue();
  }

  @Test
  void withUserSequenceFieldsEveryOverlappingFileIsAProbe() {
    SplitPlan plan =
        plan(
            PlanTables.keyed(Map.of("bucket", "1", "sequence.field", "v")),
            bucket(
                0,
                List.of(
                    file("old", 0, 50).level(5).sequence(0, 50).build(),
                    file("new", 40, 60).sequence(51, 60).build())));

    assertThat(probes(unit(plan, "new"))).containsExactly("old");
    assertThat(probes(unit(plan, "old"))).containsExactly("new");
    assertThat(unit(plan, "old").probes().get(0).compareSequence()).isTrue();
  }

  @Test
  void aFileWithoutWantedRowsStillHidesOthers() {
    SplitPlan plan =
        plan(
            KEYED,
            bucket(
                0,
                List.of(
                    file("base", 0, 50).level(5).sequence(0, 50).build(),
                    file("newer", 40, 60).sequence(51, 60).build()),
                Map.of(),
                Set.of("newer")));

    assertThat(units(plan)).extracting(u -> u.file().name()).containsExactly("base");
    assertThat(probes(unit(plan, "base"))).containsExactly("newer");
  }

  @Test
  void deletesMakeAMergeSplit() {
    SplitPlan plan =
        plan(
            KEYED,
            bucket(
                0,
                List.of(
                    file("some", 0, 5).deletes(1L).build(),
                    file("unknown", 7, 9).deletes(null).build())));

    assertThat(plan.mergeSplits()).isEqualTo(1);
    assertThat(plan.rawSplits()).isZero();
    assertThat(plan.exactRowCount()).isNull();
  }

  @Test
  void anUnknownNumberOfDeletesIsNoneWhereRowsHaveNoKey() {
    SplitPlan plan = plan(APPEND, bucket(0, List.of(file("a", 0, 0).deletes(null).build())));

    assertThat(plan.rawSplits()).isEqualTo(1);
    assertThat(plan.exactRowCount()).isEqualTo(10);
  }

  @Test
  void deletionVectorsTravelAndAreCounted() {
    DeletionVectorRef ref = new DeletionVectorRef("base", 1, 24, 4L);
    TableSchema schema =
        PlanTables.keyed(Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
    List<DataFile> files =
        List.of(
            file("base", 0, 50).level(5).sequence(0, 50).build(),
            file("newer", 40, 60).level(4).sequence(51, 60).build());
    Map<String, IndexedVector> vectors = Map.of("base", new IndexedVector("file:/i", ref));

    SplitPlan plan = plan(schema, bucket(0, files, vectors, Set.of()));

    assertThat(unit(plan, "base").vector()).isEqualTo(new StoredVector("file:/i", ref));
    assertThat(plan.rawSplits()).isEqualTo(1);
    assertThat(plan.exactRowCount()).isEqualTo(16);
  }

  @Test
  void levelZeroOfATableWithDeletionVectorsHidesHigherLevels() {
    TableSchema schema =
        PlanTables.keyed(Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
    List<DataFile> files =
        List.of(
            file("base", 0, 50).level(5).sequence(0, 50).build(),
            file("l4", 40, 60).level(4).sequence(51, 60).build(),
            file("l0", 40, 60).sequence(61, 70).build());

    SplitPlan plan = plan(schema, bucket(0, files));

    assertThat(probes(unit(plan, "base"))).containsExactly("l0");
    assertThat(probes(unit(plan, "l4"))).containsExactly("l0");
  }

  @Test
  void theFirstRowIsLookedForAboveLevelZeroAndInOlderFiles() {
    SplitPlan plan =
        plan(
            PlanTables.keyed(Map.of("bucket", "1", "merge-engine", "first-row")),
            bucket(
                0,
                List.of(
                    file("l5", 0, 50).level(5).sequence(0, 50).build(),
                    file("l4", 0, 60).level(4).sequence(51, 90).build(),
                    file("old", 40, 60).sequence(61, 70).build(),
                    file("mixed", 40, 60).sequence(65, 80).build(),
                    file("new", 55, 60).sequence(81, 90).build())));

    assertThat(unit(plan, "l5").isRaw()).isTrue();
    assertThat(unit(plan, "l4").isRaw()).isTrue();
    assertThat(probes(unit(plan, "old"))).containsExactly("mixed", "l4", "l5");
    assertThat(probes(unit(plan, "mixed"))).containsExactly("old", "l4", "l5");
    assertThat(probes(unit(plan, "new"))).containsExactly("mixed", "old", "l4");
    assertThat(unit(plan, "new").probes()).noneMatch(Probe::compareSequence);
    assertThat(unit(plan, "mixed").probes())
        .extracting(Probe::compareSequence)
        .containsExactly(true, false, false);
    assertThat(plan.exactRowCount()).isNull();
  }

  private static List<FoldSplit> folds(SplitPlan plan) {
    return plan.tasks().stream()
        .flatMap(List::stream)
        .filter(FoldSplit.class::isInstance)
        .map(FoldSplit.class::cast)
        .toList();
  }

  @Test
  void sectionsOfSeveralRunsAreFoldedAndOthersScanned() {
    SplitPlan plan =
        plan(
            AGGREGATED,
            bucket(
                0,
                List.of(
                    file("base", 0, 50).level(5).sequence(0, 50).build(),
                    file("newer", 40, 60).sequence(51, 60).build(),
                    file("apart", 61, 90).sequence(61, 70).build(),
                    file("unwanted", 91, 92).sequence(71, 72).build()),
                Map.of(),
                Set.of("base", "unwanted")));

    assertThat(units(plan)).extracting(u -> u.file().name()).containsExactly("apart");
    FoldSplit fold = folds(plan).get(0);
    assertThat(fold.files()).extracting(f -> f.file().name()).containsExactly("newer", "base");
    assertThat(fold.comparesSequence()).isFalse();
    assertThat(fold.size()).isEqualTo(20);
    assertThat(fold.rowCount()).isEqualTo(20);
    assertThat(plan.foldSplits()).isEqualTo(1);
    assertThat(plan.exactRowCount()).isNull();
  }

  @Test
  void runsWhoseNumbersMixAreCompared() {
    List<DataFile> files =
        List.of(
            file("base", 0, 50).level(5).sequence(0, 51).build(),
            file("newer", 40, 60).sequence(51, 60).build());

    assertThat(folds(plan(AGGREGATED, bucket(0, files))).get(0).comparesSequence()).isTrue();
  }

  @Test
  void aLargeFoldIsCutByKeyAtTheFilesOfItsLongestRun() {
    SplitPlan plan =
        plan(
            AGGREGATED,
            bucket(
                0,
                List.of(
                    file("a", 0, 9).level(5).sequence(0, 9).size(900).build(),
                    file("b", 10, 19).level(5).sequence(0, 9).size(900).build(),
                    file("across", 5, 15).sequence(10, 20).size(400).build())));

    List<FoldSplit> folds = folds(plan);
    assertThat(folds)
        .extracting(FoldSplit::keys)
        .containsExactly(new KeyRange(null, key(10)), new KeyRange(key(10), null));
    assertThat(folds).extracting(FoldSplit::size).containsExactly(1100L, 1100L);
    assertThat(folds.get(1).files())
        .extracting(f -> f.file().name())
        .containsExactly("across", "b");
    assertThat(plan.tasks()).hasSize(2);
  }

  @Test
  void filesWhoseDeletionVectorsTellAreNotFolded() {
    TableSchema schema =
        PlanTables.keyed(
            Map.of(
                "bucket", "1", "merge-engine", "aggregation", "deletion-vectors.enabled", "true"));
    List<DataFile> files =
        List.of(
            file("l5", 0, 20).level(5).sequence(0, 50).build(),
            file("l4", 10, 30).level(4).sequence(51, 60).build(),
            file("base", 40, 50).level(5).sequence(0, 50).build(),
            file("l0", 40, 60).sequence(61, 70).build());

    SplitPlan plan = plan(schema, bucket(0, files));

    assertThat(units(plan)).extracting(u -> u.file().name()).containsExactly("l5", "l4");
    assertThat(units(plan)).allMatch(ScanUnit::isRaw);
    assertThat(folds(plan).get(0).files())
        .extracting(f -> f.file().name())
        .containsExactly("l0", "base");
  }

  @Test
  void splitsTravel() throws Exception {
    SplitPlan plan =
        plan(
            KEYED,
            bucket(0, List.of(file("a", 0, 5).build(), file("b", 3, 9).sequence(5, 9).build())));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(plan.tasks());
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(plan.tasks());
    }
  }
}
