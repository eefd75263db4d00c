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

import static io.keylake.table.compaction.PlannedTable.file;
import static io.keylake.table.compaction.PlannedTable.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.stats.ColumnStats;
import io.keylake.golden.DataFiles;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the files of a pick; the files are small below 700 bytes. */
final class CompactionStepsTest {
  private static final String[] FORCED = {"compaction.force-up-level-0", "true"};
  private static final String[] VECTORS = {"deletion-vectors.enabled", "true"};

  private static DataFiles times(DataFiles file, long min, long max) {
    BinaryRowCodec codec = BinaryRowCodec.of(keyed().schema().rowType());
    return file.valueStats(
        new ColumnStats(
            codec.encode(Arrays.asList(null, min)),
            codec.encode(Arrays.asList(null, max)),
            Arrays.asList(null, 0L)));
  }

  @Test
  void largeFilesThatOverlapNothingAreMoved() {
    assertThat(
            keyed()
                .full(
                    file("a", 0, 1, 3).build(),
                    file("b", 0, 10, 13).sequence(1, 1).build(),
                    file("c", 5, 20, 29).build()))
        .containsExactly("L5 upgrade a", "L5 upgrade b");
  }

  @Test
  void overlappingAndSmallNeighboursAreRewrittenTogether() {
    assertThat(
            keyed()
                .full(
                    file("small", 5, 0, 0).size(699).build(),
                    file("new", 0, 1, 5).build(),
                    file("old", 5, 4, 9).build(),
                    file("large", 5, 10, 20).size(700).build(),
                    file("end", 0, 21, 22).size(1).build()))
        .containsExactly("L5 rewrite small new old drop", "L5 upgrade end");
  }

  @Test
  void rangesThatTouchOverlap() {
    assertThat(keyed().full(file("a", 0, 1, 4).build(), file("b", 5, 4, 9).build()))
        .containsExactly("L5 rewrite a b drop");
  }

  @Test
  void smallFileAloneIsMovedOrStays() {
    assertThat(
            keyed()
                .full(
                    file("a", 0, 1, 2).size(5).build(),
                    file("b", 5, 3, 9).build(),
                    file("c", 5, 10, 11).size(5).build()))
        .containsExactly("L5 upgrade a");
  }

  @Test
  void deletesKeepAFileFromBeingMovedToTheTop() {
    assertThat(keyed(FORCED).minor(file("a", 0, 1, 2).deletes(1L).build()))
        .containsExactly("L5 rewrite a drop");
    assertThat(keyed(FORCED).minor(file("a", 0, 1, 2).deletes(null).build()))
        .as("unknown number")
        .containsExactly("L5 rewrite a drop");
    assertThat(
            keyed(FORCED)
                .minor(file("a", 0, 1, 2).deletes(1L).size(1).build(), file("b", 5, 0, 9).build()))
        .containsExactly("L4 upgrade a");
  }

  @Test
  void deletesAreKeptWhileAHigherLevelMayHoldOlderRows() {
    DataFile first = file("a", 0, 1, 5).size(10).sequence(9, 9).build();
    DataFile second = file("b", 0, 2, 6).size(10).deletes(1L).build();
    assertThat(keyed(FORCED).minor(first, second, file("c", 5, 0, 9).build()))
        .containsExactly("L4 rewrite a b keep");
    assertThat(keyed(FORCED).minor(first, second)).containsExactly("L5 rewrite a b drop");
  }

  @Test
  void fileOfAnotherFormatIsMovedAllTheSame() {
    assertThat(
            keyed("file.format.per.level", "0:avro", "compaction.force-up-level-0", "true")
                .minor(file("a", 0, 1, 2).build()))
        .containsExactly("L5 upgrade a");
    assertThat(
            keyed("file.format.per.level", "0:avro", "deletion-vectors.enabled", "true")
                .minor(file("a", 0, 1, 2).build()))
        .as("with deletion vectors")
        .containsExactly("L5 rewrite a drop");
  }

  @Test
  void vectorsNameTheOverlappingFilesAbove() {
    DataFile inside = file("inside", 5, 5, 6).build();
    DataFile touching = file("touching", 5, 9, 11).build();
    DataFile beyond = file("beyond", 5, 12, 14).build();
    assertThat(keyed(VECTORS).minor(file("a", 0, 4, 9).size(1).build(), inside, touching, beyond))
        .containsExactly("L4 upgrade a above inside touching");
    assertThat(
            keyed(VECTORS)
                .minor(file("a", 0, 4, 9).size(1).deletes(2L).build(), inside, touching, beyond))
        .containsExactly("L4 rewrite a drop above inside touching");
    assertThat(keyed(FORCED).minor(file("a", 0, 4, 9).size(1).build(), inside))
        .as("without vectors")
        .containsExactly("L4 upgrade a");
  }

  @Test
  void firstRowLooksForTheKeysOfLevelZeroAbove() {
    PlannedTable table = keyed("merge-engine", "first-row");
    DataFile fresh = file("a", 0, 4, 9).size(1).build();
    DataFile top = file("top", 5, 5, 6).build();
    assertThat(table.planner().afterWrite(table.bucket(fresh, top)))
        .map(PlannedTable::text)
        .contains(List.of("L4 rewrite a drop above top"));
    assertThat(table.planner().fewestRuns()).isEqualTo(1);
    assertThat(table.minor(fresh)).as("nothing above").containsExactly("L5 upgrade a");
    PlannedTable writeOnly = keyed("merge-engine", "first-row", "write-only", "true");
    assertThat(writeOnly.planner().afterWrite(writeOnly.bucket(fresh, top))).isEmpty();
  }

  @Test
  void filesBelowTheTopAreRewrittenWhereRowsAboveMayBePartOfTheirs() {
    DataFile fresh = file("a", 0, 1, 3).build();
    DataFile lower = file("b", 3, 4, 9).build();
    DataFile top = file("top", 5, 0, 20).size(9000).build();
    String[] engine = {"merge-engine", "aggregation", "deletion-vectors.enabled", "true"};
    assertThat(keyed(engine).minor(fresh, lower, top))
        .containsExactly("L4 rewrite a drop above top", "L4 upgrade b");
    String[] modifiable = Arrays.copyOf(engine, 6);
    modifiable[4] = "deletion-vectors.modifiable";
    modifiable[5] = "true";
    assertThat(keyed(modifiable).minor(fresh, lower, top))
        .as("vectors may be missing")
        .containsExactly("L4 rewrite a drop above top", "L4 rewrite b drop above top");
  }

  @Test
  void movedFileKeepsItsVectorAndStatistics() {
    PlannedTable table = keyed(VECTORS).vector("i", "a", 3L);
    DataFile moved = times(file("a", 4, 1, 2), 1, 2).build();
    CompactionPlan plan =
        table.planner().full(table.bucket(moved, file("c", 5, 20, 30).build())).orElseThrow();
    CompactionInput input = plan.inputs().get(0);
    assertThat(plan.inputs()).hasSize(1);
    assertThat(input.file()).isEqualTo(moved);
    assertThat(input.vector()).isNotNull();
    assertThat(input.path()).isEqualTo("file:/wh/t/bucket-0/a");
  }

  @Test
  void inputsAreRankedFromNewToOld() {
    PlannedTable table = keyed();
    CompactionPlan plan =
        table
            .planner()
            .full(
                table.bucket(
                    file("old", 0, 1, 9).sequence(1, 1).build(),
                    file("top", 5, 2, 9).build(),
                    file("new", 0, 3, 9).sequence(2, 2).build()))
            .orElseThrow();
    assertThat(plan.inputs())
        .extracting(input -> input.file().name() + input.runRank())
        .containsExactly("old1", "top2", "new0");
  }

  @Test
  void topRunIsRewrittenOnlyWhereItHasVectors() {
    DataFile a = file("a", 5, 1, 2).build();
    DataFile b = file("b", 5, 3, 4).build();
    DataFile c = file("c", 5, 5, 6).build();
    DataFile d = file("d", 5, 7, 8).build();
    assertThat(keyed(VECTORS).full(a, b, c, d)).isEmpty();
    assertThat(
            keyed(VECTORS)
                .vector("i", "a", 1L)
                .vector("i", "b", 1L)
                .vector("i", "d", 1L)
                .full(a, b, c, d))
        .containsExactly("L5 rewrite a b drop", "L5 rewrite d drop");
  }

  @Test
  void everyFileIsRewrittenWhenForced() {
    String[] all = {"compaction.force-rewrite-all-files", "true"};
    DataFile top = file("b", 5, 3, 4).build();
    assertThat(keyed(all).full(top)).containsExactly("L5 rewrite b drop");
    assertThat(keyed(all).full(file("a", 0, 1, 2).build(), top))
        .containsExactly("L5 rewrite a drop", "L5 rewrite b drop");
    assertThat(
            keyed(
                    "compaction.force-rewrite-all-files", "true",
                    "compaction.force-up-level-0", "true")
                .minor(file("a", 0, 1, 2).size(1).build(), top))
        .as("below the top, too")
        .containsExactly("L4 rewrite a keep");
    assertThat(keyed().full(top)).isEmpty();
  }

  @Test
  void filesWithExpiredRowsAreRewritten() {
    long now = PlannedTable.NOON.getEpochSecond();
    PlannedTable table =
        keyed("record-level.expire-time", "1 h", "record-level.time-field", "time");
    DataFile old = times(file("old", 5, 1, 2), now - 3601, now).build();
    DataFile fresh = times(file("fresh", 5, 3, 4), now - 3600, now).build();
    DataFile millis = times(file("millis", 5, 5, 6), (now - 3601) * 1000, now * 1000).build();
    DataFile unknown = file("unknown", 5, 7, 8).build();
    DataFile otherSchema = times(file("other", 5, 9, 9), now, now).schema(7).build();
    assertThat(table.full(old, fresh, millis, unknown, otherSchema))
        .containsExactly("L5 rewrite old drop", "L5 rewrite millis drop", "L5 rewrite other drop");
    assertThat(
            table.full(
                times(file("a", 0, 20, 21), now, now).build(), file("b", 0, 30, 31).build(), fresh))
        .as("one without statistics is read when it moves")
        .containsExactly("L5 upgrade a", "L5 rewrite b drop");
    assertThat(
            table.full(
                times(file("a", 0, 20, 21), Long.MIN_VALUE, now).build(),
                file("b", 5, 30, 31).build()))
        .containsExactly("L5 rewrite a drop");
    PlannedTable forced =
        keyed(
            "record-level.expire-time", "1 h",
            "record-level.time-field", "time",
            "compaction.force-up-level-0", "true");
    assertThat(
            forced.minor(
                times(file("a", 0, 20, 21), 0, now).size(1).build(), file("b", 5, 0, 31).build()))
        .as("older rows may be left above, so nothing expires yet")
        .containsExactly("L4 upgrade a");
    assertThat(table.planner().expiry()).contains(new RecordExpiry("time", (now - 3600) * 1000));
    assertThat(keyed().planner().expiry()).isEmpty();
  }

  @Test
  void writersCompactWhatTheOptionsSay() {
    DataFile fresh = file("a", 0, 1, 2).size(1).build();
    DataFile top = file("b", 5, 2, 9).build();
    PlannedTable due = keyed(FORCED);
    assertThat(due.planner().afterWrite(due.bucket(fresh, top)))
        .map(PlannedTable::text)
        .contains(List.of("L4 upgrade a"));
    PlannedTable leaves = keyed("compaction.force-up-level-0", "true", "write-only", "true");
    assertThat(leaves.planner().afterWrite(leaves.bucket(fresh, top))).isEmpty();
    assertThat(leaves.planner().minor(leaves.bucket(fresh, top))).isPresent();
    PlannedTable full = keyed("full-compaction.delta-commits", "3");
    assertThat(full.planner().afterWrite(full.bucket(fresh, top)))
        .map(PlannedTable::text)
        .contains(List.of("L5 rewrite a b drop"));
    assertThat(full.planner().afterWrite(full.bucket())).isEmpty();
  }

  @Test
  void freshFilesJoinThoseOfTheSnapshot() {
    PlannedTable table = keyed("full-compaction.delta-commits", "1");
    var bucket = table.bucket(file("b", 5, 2, 9).build());
    assertThat(table.planner().afterWrite(bucket.withAdded(List.of(file("a", 0, 9, 9).build()))))
        .map(PlannedTable::text)
        .contains(List.of("L5 rewrite b a drop"));
  }
}
