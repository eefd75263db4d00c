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

import io.keylake.format.datafile.DataFile;
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
import io.keylake.table.compaction.CompactionStep.Incoming;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.lsm.KeyRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that stand for their keys, merged with files of tables of every engine. */
final class OverridingKeysTest {
  private static final byte INSERT = 0;
  private static final byte UPDATE_BEFORE = 1;
  private static final byte UPDATE_AFTER = 2;
  private static final byte DELETE = 3;
  private static final String SUM = "fields.v.aggregate-function";

  @TempDir Path folder;
  private MergedTable table;
  private int tables;

  private void table(String... options) {
    Map<String, String> all = new HashMap<>(Map.of("bucket", "1"));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    TableSchema schema =
        TestRows.schema(
            List.of(
                DataField.of(0, "k", DataTypes.INT.asNotNull()),
                DataField.of(1, "v", DataTypes.INT),
                DataField.of(2, "s", DataTypes.INT)),
            List.of(),
            List.of("k"),
            all);
    table =
        new MergedTable(
            folder.resolve("t" + tables++),
            schema,
            BinaryRow.EMPTY,
            spec -> MergedTable.small(spec, 20, 1 << 20));
  }

  /** A row of (k, v, s). */
  private record Line(int k, Integer v, Integer s, long sequence, byte kind) {
    static Line of(int k, Integer v, long sequence) {
      return new Line(k, v, null, sequence, INSERT);
    }

    Line kind(byte other) {
      return new Line(k, v, s, sequence, other);
    }

    Line s(int other) {
      return new Line(k, v, other, sequence, kind);
    }
  }

  private CompactionInput file(int level, int rank, Line... lines) throws IOException {
    List<Row> rows = new ArrayList<>();
    List<Stored> shown = new ArrayList<>();
    for (Line line : lines) {
      Row row = RowFactory.create(line.k(), line.v(), line.s());
      rows.add(row);
      shown.add(table.stored(row, line.sequence(), line.kind()));
    }
    Written written = table.write(level, rank, table.schema, rows, shown);
    return table.input(written);
  }

  /** What comes out, as key=value#number, of files of the table and of the statement. */
  private List<String> merged(
      List<CompactionInput> inputs, List<CompactionInput> overrides, List<CompactionInput> records)
      throws IOException {
    Rewrite step =
        new Rewrite(
            inputs, List.of(), new Incoming(overrides, records), Deletes.DROPPED, KeyRange.ALL);
    List<String> rows = new ArrayList<>();
    try (StepRunner runner = StepRunner.of(table.spec(), table.environment(StopCheck.NEVER))) {
      for (DataFile file : runner.run(table.plan(5, List.of(step)), step).added()) {
        assertThat(file.level()).isEqualTo(5);
        for (Stored row : table.read(file)) {
          rows.add(row.text().replaceAll("[{}\"kvs:]", "") + " #" + row.sequence());
        }
      }
    }
    return rows;
  }

  @Test
  void nothingIsFoldedAcrossAnOverride() throws IOException {
    table("merge-engine", "aggregation", SUM, "sum");
    CompactionInput old = file(5, 1, Line.of(1, 5, 1), Line.of(2, 5, 2), Line.of(3, 5, 3));
    CompactionInput newer = file(0, 0, Line.of(1, 2, 4), Line.of(2, 2, 5), Line.of(4, 7, 6));
    CompactionInput override = file(0, -1, Line.of(1, 90, 7).kind(UPDATE_AFTER), Line.of(3, 1, 8));
    assertThat(merged(List.of(newer, old), List.of(override), List.of()))
        .containsExactly("1,90,null #7", "2,7,null #5", "3,1,null #8", "4,7,null #6");
  }

  @Test
  void aKeyThatIsGoneIsDroppedWhetherTheTableHoldsItOrNot() throws IOException {
    for (String engine : List.of("deduplicate", "partial-update", "aggregation", "first-row")) {
      table("merge-engine", engine, "ignore-delete", "true");
      CompactionInput old = file(5, 1, Line.of(1, 5, 1), Line.of(2, 5, 2), Line.of(3, 5, 3));
      CompactionInput newer = file(0, 0, Line.of(1, 2, 4));
      CompactionInput override =
          file(
              0,
              -1,
              Line.of(1, 0, 7).kind(DELETE),
              Line.of(3, 0, 8).kind(UPDATE_BEFORE),
              Line.of(9, 0, 9).kind(DELETE));
      assertThat(merged(List.of(newer, old), List.of(override), List.of()))
          .as(engine)
          .containsExactly("2,5,null #2");
    }
  }

  @Test
  void aKeyThatTheTableDoesNotHoldIsAdded() throws IOException {
    table("merge-engine", "first-row");
    CompactionInput override = file(0, -1, Line.of(1, 1, 7), Line.of(9, 9, 8));
    assertThat(merged(List.of(file(5, 0, Line.of(5, 5, 1))), List.of(override), List.of()))
        .containsExactly("1,1,null #7", "5,5,null #1", "9,9,null #8");
    assertThat(merged(List.of(), List.of(override), List.of()))
        .containsExactly("1,1,null #7", "9,9,null #8");
  }

  @Test
  void anOverrideWinsOverRowsThatTheEngineTakesForNewer() throws IOException {
    table("sequence.field", "s");
    CompactionInput old = file(5, 1, Line.of(1, 5, 1).s(80));
    CompactionInput newer = file(0, 0, Line.of(1, 6, 2).s(90));
    CompactionInput override = file(0, -1, Line.of(1, 7, 3).s(10));
    assertThat(merged(List.of(newer, old), List.of(override), List.of()))
        .containsExactly("1,7,10 #3");
    table("merge-engine", "first-row");
    old = file(5, 1, Line.of(1, 5, 1));
    override = file(0, -1, Line.of(1, 7, 3));
    assertThat(merged(List.of(old), List.of(override), List.of())).containsExactly("1,7,null #3");
  }

  @Test
  void recordsAreFoldedAmongThemselvesOnTopOfAnOverrideOnly() throws IOException {
    table("merge-engine", "aggregation", SUM, "sum");
    CompactionInput old = file(5, 0, Line.of(1, 5, 1), Line.of(2, 5, 2), Line.of(3, 5, 3));
    CompactionInput override =
        file(0, -1, Line.of(1, 0, 7).kind(DELETE), Line.of(2, 0, 8).kind(DELETE));
    CompactionInput first = file(0, -2, Line.of(1, 10, 9), Line.of(2, 20, 10), Line.of(3, 30, 11));
    CompactionInput second = file(0, -3, Line.of(2, 200, 12));
    assertThat(merged(List.of(old), List.of(override), List.of(first, second)))
        .containsExactly("1,10,null #9", "2,220,null #12", "3,35,null #11");
  }

  @Test
  void aFirstRowIsTheRecordWhereAnOverrideTookTheRowAway() throws IOException {
    table("merge-engine", "first-row");
    CompactionInput old = file(5, 0, Line.of(1, 5, 1), Line.of(2, 5, 2));
    CompactionInput override = file(0, -1, Line.of(1, 0, 7).kind(DELETE));
    CompactionInput record = file(0, -2, Line.of(1, 10, 8), Line.of(2, 20, 9));
    assertThat(merged(List.of(old), List.of(override), List.of(record)))
        .containsExactly("1,10,null #8", "2,5,null #2");
  }

  @Test
  void overridesStayNewestWhenTheTablesRunsAreMergedInPasses() throws IOException {
    table();
    List<CompactionInput> inputs = new ArrayList<>();
    int runs = 150;
    for (int rank = 0; rank < runs; rank++) {
      inputs.add(file(0, rank, Line.of(1, rank, runs - rank), Line.of(rank + 10, rank, 1)));
    }
    CompactionInput override =
        file(0, -1, Line.of(1, 77, 500), Line.of(10, 0, 501).kind(DELETE), Line.of(5, 5, 502));
    List<String> rows = merged(inputs, List.of(override), List.of());
    assertThat(rows)
        .hasSize(runs + 1)
        .startsWith("1,77,null #500", "5,5,null #502", "11,1,null #1");
  }

  @Test
  void keysOutsideOfTheStepAreLeftOut() throws IOException {
    table();
    CompactionInput override =
        file(0, -1, Line.of(1, 1, 7), Line.of(5, 0, 8).kind(DELETE), Line.of(9, 9, 9));
    Rewrite step =
        new Rewrite(
            List.of(file(5, 0, Line.of(4, 4, 1), Line.of(5, 5, 2))),
            List.of(),
            new Incoming(List.of(override), List.of()),
            Deletes.DROPPED,
            new KeyRange(key(2), key(9)));
    try (StepRunner runner = StepRunner.of(table.spec(), table.environment(StopCheck.NEVER))) {
      DataFile file = runner.run(table.plan(5, List.of(step)), step).added().get(0);
      assertThat(table.read(file)).hasSize(1);
      assertThat(file.minKey()).isEqualTo(key(4));
      assertThat(file.maxKey()).isEqualTo(key(4));
    }
  }

  private BinaryRow key(int value) {
    return table.stored(RowFactory.create(value, 0, 0), 0, INSERT).key();
  }
}
