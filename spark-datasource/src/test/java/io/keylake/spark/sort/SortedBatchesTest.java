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

package io.keylake.spark.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.ListedRows;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.api.Test;

/** Folding while rows are written, of rows that are in order already. */
class SortedBatchesTest {
  private static final byte INSERT = 0;
  private static final byte DELETE = 3;
  private static final String SUM = "fields.n.aggregate-function";

  /** A row: its group, change kind and values; it is numbered by its position. */
  private record In(int group, byte kind, Integer key, Long n, String text) {
    ListedRows.In listed() {
      return new ListedRows.In(group, kind, RowFactory.create(key, n, text));
    }
  }

  private static TableSchema schema(DataType number, String engine, String... options) {
    Map<String, String> all = new HashMap<>();
    all.put("merge-engine", engine);
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return TestRows.schema(
        List.of(
            DataField.of(0, "k", DataTypes.INT.asNotNull()),
            DataField.of(1, "n", number),
            DataField.of(2, "t", DataTypes.STRING)),
        List.of(),
        List.of("k"),
        all);
  }

  private static In row(int key, Object n, String text) {
    return row(0, INSERT, key, n, text);
  }

  private static In row(int group, byte kind, int key, Object n, String text) {
    return new In(group, kind, key, n == null ? null : ((Number) n).longValue(), text);
  }

  /**
   * The folded rows as text: group, number, kind, values; groups are numbered from 1000 * group.
   */
  private static List<String> fold(TableSchema schema, List<In> rows) throws IOException {
    SortOrder order = SortOrder.of(schema, TableOptions.of(schema).merge());
    List<String> folded = new ArrayList<>();
    try (SortedBatches batches =
        SortedBatches.ofKeys(
            new ListedRows(schema, rows.stream().map(In::listed).toList()),
            order,
            schema,
            EngineRules.of(schema, "t"),
            "t",
            group -> 100_000L * group)) {
      RowBatch batch = new RowBatch();
      UnsafeRow view = new UnsafeRow(3);
      while (batches.next(batch)) {
        assertThat(batch.size()).isBetween(1, RowBatch.MAX_ROWS);
        for (int i = 0; i < batch.size(); i++) {
          batch.view(i, view);
          folded.add(
              batches.group()
                  + " "
                  + batch.sequenceNumber(i)
                  + " "
                  + batch.kind(i)
                  + " "
                  + view.getInt(0)
                  + " "
                  + (view.isNullAt(1) ? null : view.getLong(1))
                  + " "
                  + (view.isNullAt(2) ? null : view.getUTF8String(2)));
        }
      }
    }
    return folded;
  }

  @Test
  void rowsOfAKeyAreFoldedAndOthersPass() throws IOException {
    TableSchema schema = schema(DataTypes.BIGINT, "aggregation", SUM, "sum");
    assertThat(
            fold(
                schema,
                List.of(
                    row(0, DELETE, 1, 5, "alone"),
                    row(2, 1, "a"),
                    row(2, 2, null),
                    row(2, 4, "b"),
                    row(3, null, "x"),
                    row(4, 7, null),
                    row(0, DELETE, 4, 2, "gone"))))
        .containsExactly("0 0 3 1 5 alone", "0 3 0 2 7 b", "0 4 0 3 null x", "0 6 0 4 5 null");
  }

  @Test
  void keysOfSeveralGroupsAreKeptApart() throws IOException {
    TableSchema schema = schema(DataTypes.BIGINT, "aggregation", SUM, "sum");
    assertThat(
            fold(
                schema,
                List.of(
                    row(1, INSERT, 9, 1, "a"),
                    row(1, INSERT, 9, 1, "b"),
                    row(2, INSERT, 9, 1, "c"),
                    row(4, INSERT, 9, 1, "d"),
                    row(4, INSERT, 9, 1, "e"))))
        .containsExactly("1 100001 0 9 2 b", "2 200002 0 9 1 c", "4 400004 0 9 2 e");
  }

  @Test
  void rowsAreInOrderAcrossBatches() throws IOException {
    TableSchema schema = schema(DataTypes.BIGINT, "aggregation", SUM, "sum");
    List<In> rows = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int key = 0; key < 20_000; key++) {
      int times = key % 7 == 0 ? 3 : key % 1000 == 1 ? 40 : 1;
      for (int i = 1; i <= times; i++) {
        rows.add(row(key, i, "text of some length " + i));
      }
      long sum = times * (times + 1L) / 2;
      expected.add(
          "0 " + (rows.size() - 1) + " 0 " + key + " " + sum + " text of some length " + times);
    }
    assertThat(fold(schema, rows)).isEqualTo(expected);
  }

  @Test
  void keyOfManyRowsIsFoldedInPieces() throws IOException {
    TableSchema schema = schema(DataTypes.BIGINT, "aggregation", SUM, "sum");
    List<In> rows = new ArrayList<>();
    rows.add(row(1, 1, "x"));
    rows.add(row(1, 1, "y"));
    for (int i = 0; i < 70_000; i++) {
      rows.add(row(0, i % 5 == 0 ? DELETE : INSERT, 2, 1, i == 101 ? "last" : null));
    }
    rows.add(row(3, 1, "z"));
    assertThat(fold(schema, rows))
        .containsExactly("0 1 0 1 2 y", "0 70001 0 2 42000 last", "0 70002 0 3 1 z");
  }

  @Test
  void keyOfManyRetractsInAGroupIsFoldedAtOnce() throws IOException {
    TableSchema schema =
        schema(
            DataTypes.BIGINT,
            "partial-update",
            "fields.n.sequence-group",
            "t",
            "fields.t.aggregate-function",
            "listagg",
            "fields.t.ignore-retract",
            "true");
    List<In> rows = new ArrayList<>();
    rows.add(row(0, DELETE, 1, 5, "first"));
    for (int i = 0; i < 40_000; i++) {
      rows.add(row(0, DELETE, 1, 6, "other"));
    }
    rows.add(row(0, INSERT, 1, 4, "late"));
    assertThat(fold(schema, rows)).containsExactly("0 40001 0 1 6 late,first");
  }

  @Test
  void removedKeyStaysAsADelete() throws IOException {
    TableSchema schema =
        schema(
            DataTypes.BIGINT, "partial-update", "partial-update.remove-record-on-delete", "true");
    assertThat(
            fold(
                schema,
                List.of(
                    row(1, 1, "a"), row(0, DELETE, 1, 2, null), row(2, 1, "a"), row(2, null, "b"))))
        .containsExactly("0 1 3 1 2 null", "0 3 0 2 1 b");
  }

  @Test
  void firstRowOfAKeyStays() throws IOException {
    assertThat(
            fold(
                schema(DataTypes.BIGINT, "first-row"),
                List.of(row(1, 1, "a"), row(1, 2, "b"), row(2, 3, "c"), row(1, INSERT, 2, 4, "d"))))
        .containsExactly("0 0 0 1 1 a", "0 2 0 2 3 c", "1 100003 0 2 4 d");
  }

  @Test
  void columnNotNullThatFoldsToNullIsRefused() {
    TableSchema schema =
        schema(DataTypes.BIGINT.asNotNull(), "aggregation", SUM, "last_non_null_value");
    assertThatThrownBy(() -> fold(schema, List.of(row(1, 1, "a"), row(0, DELETE, 1, 1, "a"))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Column n of table t is declared NOT NULL");
  }
}
