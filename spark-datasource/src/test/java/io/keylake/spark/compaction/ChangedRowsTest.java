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
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.compaction.CompactionStep.Upgrade;
import io.keylake.table.lsm.KeyRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What compactions write into the changelog of the keys that they merge. */
final class ChangedRowsTest {
  private static final byte INSERT = 0;
  private static final byte DELETE = 3;
  private static final int TOP = 5;

  @TempDir private Path folder;
  private int files;

  private MergedTable table(String producer, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("changelog-producer", producer));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    TableSchema schema =
        TestRows.schema(
            List.of(
                DataField.of(0, "k", DataTypes.INT.asNotNull()),
                DataField.of(1, "v", DataTypes.STRING),
                DataField.of(2, "n", DataTypes.INT)),
            List.of(),
            List.of("k"),
            all);
    return new MergedTable(
        folder, schema, BinaryRow.EMPTY, spec -> MergedTable.small(spec, 2000, 1 << 20));
  }

  /**
   * A file of a level with some keys, whose rows say {@code text}; newer ones are written first.
   */
  private Written file(MergedTable table, int level, byte kind, String text, int... keys)
      throws IOException {
    int rank = files++;
    List<Row> rows = new ArrayList<>();
    List<Stored> shown = new ArrayList<>();
    for (int key : keys) {
      rows.add(RowFactory.create(key, text, rank));
      shown.add(table.stored(rows.get(rows.size() - 1), 100 - rank, kind));
    }
    return table.write(level, rank, table.schema, rows, shown);
  }

  private static List<CompactionInput> inputs(MergedTable table, List<Written> files)
      throws IOException {
    List<CompactionInput> inputs = new ArrayList<>();
    for (Written file : files) {
      inputs.add(table.input(file));
    }
    return inputs;
  }

  private static List<String> changes(MergedTable table, int level, CompactionStep step)
      throws IOException {
    try (StepRunner runner = StepRunner.of(table.spec(), table.environment(StopCheck.NEVER))) {
      List<String> rows = new ArrayList<>();
      for (DataFile file : runner.run(table.plan(level, List.of(step)), step).changelog()) {
        for (Stored row : table.read(file)) {
          rows.add(List.of("+I", "-U", "+U", "-D").get(row.kind()) + text(row));
        }
      }
      return rows;
    }
  }

  private static String text(Stored row) {
    String values = row.text().replaceAll("[{}\"]", "").replaceAll("k:|v:|,n:.*", "");
    return " " + values + " #" + row.sequence();
  }

  private static List<String> rewritten(
      MergedTable table, int level, List<Written> inputs, List<Written> upper) throws IOException {
    Deletes deletes = level == TOP ? Deletes.DROPPED : Deletes.KEPT;
    return changes(
        table,
        level,
        new Rewrite(inputs(table, inputs), inputs(table, upper), deletes, KeyRange.ALL));
  }

  @Test
  void lookupTellsWhatTheKeysOfLevelZeroWere() throws IOException {
    MergedTable table = table("lookup");
    Written deletes = file(table, 0, DELETE, "gone", 2, 5);
    Written rows = file(table, 0, INSERT, "new", 1, 4);
    Written top = file(table, TOP, INSERT, "old", 1, 2, 3);
    assertThat(rewritten(table, 4, List.of(deletes, rows), List.of(top)))
        .containsExactly("-U 1,old #98", "+U 1,new #99", "-D 2,old #98", "+I 4,new #99");
    assertThat(rewritten(table, TOP, List.of(deletes, rows, top), List.of()))
        .containsExactly("-U 1,old #98", "+U 1,new #99", "-D 2,old #98", "+I 4,new #99");
  }

  @Test
  void rowOfTheLowestLevelAboveZeroIsWhatTheKeyWas() throws IOException {
    MergedTable table = table("lookup");
    Written rows = file(table, 0, INSERT, "new", 1, 2);
    Written deletes = file(table, 3, DELETE, "gone", 1);
    Written middle = file(table, 4, INSERT, "middle", 2, 3);
    Written top = file(table, TOP, INSERT, "old", 1, 2, 3);
    assertThat(rewritten(table, 3, List.of(rows, deletes), List.of(middle, top)))
        .containsExactly("+I 1,new #100", "-U 2,middle #98", "+U 2,new #100");
  }

  @Test
  void keysWithoutRowsOnLevelZeroHaveNotChanged() throws IOException {
    MergedTable table = table("lookup");
    Written middle = file(table, 4, INSERT, "middle", 2, 3);
    Written top = file(table, TOP, INSERT, "old", 1, 2, 3);
    assertThat(rewritten(table, TOP, List.of(middle, top), List.of())).isEmpty();
  }

  @Test
  void fullCompactionTellsWhatTheTopLevelDidNotHave() throws IOException {
    MergedTable table = table("full-compaction");
    Written rows = file(table, 0, INSERT, "new", 1);
    Written middle = file(table, 4, INSERT, "middle", 1, 2, 7);
    Written top = file(table, TOP, INSERT, "old", 1, 2, 3);
    assertThat(rewritten(table, TOP, List.of(rows, middle, top), List.of()))
        .containsExactly(
            "-U 1,old #98", "+U 1,new #100", "-U 2,old #98", "+U 2,middle #99", "+I 7,middle #99");
    assertThat(rewritten(table, 4, List.of(rows, middle), List.of())).isEmpty();
  }

  @Test
  void equalRowsAreLeftOutWhereThatIsAskedFor() throws IOException {
    MergedTable table =
        table(
            "lookup",
            "changelog-producer.row-deduplicate",
            "true",
            "changelog-producer.row-deduplicate-ignore-fields",
            "n");
    Written other = file(table, 0, INSERT, "other", 2, 4);
    Written same = file(table, 0, INSERT, "old", 1, 3);
    Written top = file(table, TOP, INSERT, "old", 1, 2, 3);
    assertThat(rewritten(table, 4, List.of(other, same), List.of(top)))
        .containsExactly("-U 2,old #98", "+U 2,other #100", "+I 4,other #100");
  }

  @Test
  void movedFileTellsWhatItBrings() throws IOException {
    MergedTable table = table("lookup");
    Written rows = file(table, 0, INSERT, "new", 1, 4);
    Written top = file(table, TOP, INSERT, "old", 1, 2, 3);
    assertThat(changes(table, 4, new Upgrade(table.input(rows), inputs(table, List.of(top)))))
        .containsExactly("-U 1,old #99", "+U 1,new #100", "+I 4,new #100");
    assertThat(changes(table, TOP, new Upgrade(table.input(rows), List.of())))
        .containsExactly("+I 1,new #100", "+I 4,new #100");
  }

  @Test
  void fewNewKeysFindTheirRowsInALargeFile() throws IOException {
    MergedTable table = table("lookup");
    Written rows = file(table, 0, INSERT, "new", 7, 30_001, 99_999_999);
    Written top =
        file(table, TOP, INSERT, "old", IntStream.range(0, 60_000).map(i -> 2 * i + 1).toArray());
    assertThat(rewritten(table, 4, List.of(rows), List.of(top)))
        .containsExactly(
            "-U 7,old #99",
            "+U 7,new #100",
            "-U 30001,old #99",
            "+U 30001,new #100",
            "+I 99999999,new #100");
  }

  @Test
  void withoutAProducerNothingIsTold() throws IOException {
    MergedTable table = table("none");
    Written rows = file(table, 0, INSERT, "new", 1);
    Written top = file(table, TOP, INSERT, "old", 1);
    assertThat(rewritten(table, TOP, List.of(rows, top), List.of())).isEmpty();
  }
}
