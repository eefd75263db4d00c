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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.compaction.MergedTable.Stored;
import io.keylake.spark.compaction.MergedTable.Written;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.lsm.KeyRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyMergesTest {
  private static final byte INSERT = 0;
  private static final byte UPDATE_BEFORE = 1;
  private static final byte UPDATE_AFTER = 2;
  private static final byte DELETE = 3;

  @TempDir private Path folder;

  private MergedTable table(Map<String, String> options) {
    TableSchema schema =
        TestRows.schema(
            List.of(
                DataField.of(0, "k", DataTypes.INT.asNotNull()),
                DataField.of(1, "v", DataTypes.STRING)),
            List.of(),
            List.of("k"),
            options);
    return new MergedTable(
        folder, schema, BinaryRow.EMPTY, spec -> MergedTable.small(spec, 20, 1 << 20));
  }

  /** Writes a file of one run. */
  private static Written file(MergedTable table, int rank, long sequence, byte kind, int... keys)
      throws IOException {
    return fileOf(table, 0, rank, sequence, kind, keys);
  }

  private static Written fileOf(
      MergedTable table, int level, int rank, long sequence, byte kind, int... keys)
      throws IOException {
    List<Row> rows = new ArrayList<>();
    List<Stored> shown = new ArrayList<>();
    for (int key : keys) {
      rows.add(RowFactory.create(key, "run " + rank));
      shown.add(table.stored(rows.get(rows.size() - 1), sequence, kind));
    }
    return table.write(level, rank, table.schema, rows, shown);
  }

  private static Rewrite rewrite(MergedTable table, Deletes deletes, List<Written> files)
      throws IOException {
    List<CompactionInput> inputs = new ArrayList<>();
    for (Written file : files) {
      inputs.add(table.input(file));
    }
    return new Rewrite(inputs, List.of(), deletes, KeyRange.ALL);
  }

  private static List<String> merged(MergedTable table, Deletes deletes, Written... files)
      throws IOException {
    Rewrite step = rewrite(table, deletes, List.of(files));
    List<String> rows = new ArrayList<>();
    try (StepRunner runner = StepRunner.of(table.spec(), table.environment(StopCheck.NEVER))) {
      for (DataFile file : runner.run(table.plan(1, List.of(step)), step).added()) {
        table.read(file).forEach(row -> rows.add(row.kind() + " " + row.text()));
      }
    }
    return rows;
  }

  @Test
  void updateBeforeAloneIsADelete() throws IOException {
    MergedTable table = table(Map.of());
    Written older = file(table, 1, 1, INSERT, 1, 2, 3);
    Written newer = file(table, 0, 2, UPDATE_BEFORE, 2);
    assertThat(merged(table, Deletes.DROPPED, newer, older))
        .containsExactly("0 {\"k\":1,\"v\":\"run 1\"}", "0 {\"k\":3,\"v\":\"run 1\"}");
    assertThat(merged(table, Deletes.KEPT, newer, older))
        .containsExactly(
            "0 {\"k\":1,\"v\":\"run 1\"}",
            "1 {\"k\":2,\"v\":\"run 0\"}",
            "0 {\"k\":3,\"v\":\"run 1\"}");
  }

  @Test
  void kindOfTheNewestRowIsKept() throws IOException {
    MergedTable table = table(Map.of());
    assertThat(
            merged(
                table,
                Deletes.DROPPED,
                file(table, 0, 2, UPDATE_AFTER, 1),
                file(table, 1, 1, INSERT, 1)))
        .containsExactly("2 {\"k\":1,\"v\":\"run 0\"}");
  }

  @Test
  void newerRunWinsWhenSequenceNumbersAreEqual() throws IOException {
    MergedTable table = table(Map.of());
    assertThat(
            merged(
                table,
                Deletes.DROPPED,
                file(table, 2, 5, INSERT, 1),
                file(table, 0, 5, INSERT, 1),
                file(table, 1, 5, INSERT, 1)))
        .containsExactly("0 {\"k\":1,\"v\":\"run 0\"}");
  }

  @Test
  void noFileIsWrittenWhenAllRowsVanish() throws IOException {
    MergedTable table = table(Map.of());
    assertThat(
            merged(
                table,
                Deletes.DROPPED,
                file(table, 0, 2, DELETE, 1, 2),
                file(table, 1, 1, INSERT, 1, 2)))
        .isEmpty();
  }

  @Test
  void hundredsOfRunsAreMergedInPasses() throws IOException {
    MergedTable table = table(Map.of());
    int runs = 300;
    List<Written> files = new ArrayList<>();
    for (int rank = 0; rank < runs; rank++) {
      byte kind = rank % 10 == 0 ? DELETE : INSERT;
      files.add(file(table, rank, runs - rank, kind, 1000, rank, rank + 1));
    }
    Rewrite step = rewrite(table, Deletes.DROPPED, files);
    try (StepRunner runner = StepRunner.of(table.spec(), table.environment(StopCheck.NEVER))) {
      StepResult result = runner.run(table.plan(1, List.of(step)), step);
      List<String> expected = new ArrayList<>();
      for (int key = 0; key <= runs; key++) {
        // The newest run that holds a key is the one of the smaller rank.
        int newest = Math.max(0, key - 1);
        if (newest % 10 != 0) {
          expected.add("{\"k\":" + key + ",\"v\":\"run " + newest + "\"}");
        }
      }
      assertThat(result.added()).hasSize(1);
      assertThat(table.read(result.added().get(0)))
          .extracting(Stored::text)
          .containsExactlyElementsOf(expected);
      assertThat(result.rowsRead()).isEqualTo(3L * runs);
      assertThat(runner.written().stream().filter(table.io::exists))
          .extracting(Location::name)
          .containsExactly(result.added().get(0).name());
    }
  }

  @Test
  void aTaskThatIsStoppedLeavesNothingOnceDiscarded() throws IOException {
    MergedTable table = table(Map.of());
    Rewrite step =
        rewrite(
            table,
            Deletes.DROPPED,
            List.of(file(table, 0, 2, INSERT, 1, 2, 3), file(table, 1, 1, INSERT, 4, 5, 6)));
    AtomicReference<StepRunner> running = new AtomicReference<>();
    StopCheck stop =
        () -> {
          if (!running.get().written().isEmpty()) {
            throw new CancellationException("stopped");
          }
        };
    try (StepRunner runner = StepRunner.of(table.spec(), table.environment(stop))) {
      running.set(runner);
      assertThatThrownBy(() -> runner.run(table.plan(1, List.of(step)), step))
          .isInstanceOf(CancellationException.class);
      assertThat(runner.written()).isNotEmpty().anyMatch(table.io::exists);
      runner.discard();
      assertThat(runner.written()).noneMatch(table.io::exists);
    }
  }

  @Test
  void firstRowOfLevelZeroWinsBySequenceNumber() throws IOException {
    MergedTable table = table(Map.of("merge-engine", "first-row"));
    assertThat(
            merged(
                table,
                Deletes.DROPPED,
                file(table, 0, 7, INSERT, 1, 2),
                file(table, 1, 9, INSERT, 1),
                file(table, 2, 3, INSERT, 2)))
        .containsExactly("0 {\"k\":1,\"v\":\"run 0\"}", "0 {\"k\":2,\"v\":\"run 2\"}");
  }

  @Test
  void rowAboveLevelZeroIsTheFirst() throws IOException {
    MergedTable table = table(Map.of("merge-engine", "first-row"));
    Written levelZero = file(table, 0, 7, INSERT, 1, 2, 3, 4);
    Written rewritten = fileOf(table, 3, 1, 20, INSERT, 2);
    Written staying = fileOf(table, 4, 2, 30, INSERT, 3);
    Rewrite step =
        new Rewrite(
            List.of(table.input(levelZero), table.input(rewritten)),
            List.of(table.input(staying)),
            Deletes.DROPPED,
            KeyRange.ALL);
    try (StepRunner runner = StepRunner.of(table.spec(), table.environment(StopCheck.NEVER))) {
      StepResult result = runner.run(table.plan(3, List.of(step)), step);
      assertThat(table.read(result.added().get(0)))
          .map(Stored::text)
          .containsExactly(
              "{\"k\":1,\"v\":\"run 0\"}",
              "{\"k\":2,\"v\":\"run 1\"}",
              "{\"k\":4,\"v\":\"run 0\"}");
      assertThat(result.marks()).isEmpty();
    }
  }

  @Test
  void firstRowRefusesRetracts() throws IOException {
    MergedTable table = table(Map.of("merge-engine", "first-row"));
    Written older = file(table, 1, 1, INSERT, 1);
    Written newer = file(table, 0, 2, DELETE, 1);
    assertThatThrownBy(() -> merged(table, Deletes.DROPPED, newer, older))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("first-row")
        .hasMessageContaining("'ignore-delete'");
  }

  @Test
  void firstRowPassesOverRetractsThatAreIgnored() throws IOException {
    MergedTable table = table(Map.of("merge-engine", "first-row", "ignore-delete", "true"));
    assertThat(
            merged(
                table, Deletes.DROPPED, file(table, 0, 2, DELETE, 1), file(table, 1, 1, INSERT, 1)))
        .containsExactly("0 {\"k\":1,\"v\":\"run 1\"}");
  }
}
