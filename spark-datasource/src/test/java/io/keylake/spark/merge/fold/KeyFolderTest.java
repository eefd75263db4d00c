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

package io.keylake.spark.merge.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.spark.merge.fold.FoldCase.Line;
import io.keylake.spark.merge.fold.FoldTable.Filling;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyFolderTest {
  private static final String GROUPS =
      "merge-engine=partial-update; fields.g.sequence-group=a; fields.h.sequence-group=b,c";

  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    return FoldCase.all().stream()
        .flatMap(
            example ->
                Stream.of(Filling.values())
                    .map(
                        filling ->
                            DynamicTest.dynamicTest(
                                example.name() + ", " + filling, () -> check(example, filling))));
  }

  private static void check(FoldCase example, Filling filling) {
    FoldTable table = new FoldTable(example.columns(), example.options());
    if (example.fails()) {
      assertThatThrownBy(() -> table.fold(List.of(example.rows()), filling))
          .isInstanceOfSatisfying(
              InvalidRequestException.class,
              e ->
                  assertThat(e.condition())
                      .isEqualTo(Condition.valueOf(example.expected().cells().get(0))));
      return;
    }
    String kind = example.expected().mark().equals("=") ? "+I" : "-D";
    assertThat(table.fold(List.of(example.rows()), filling))
        .containsExactly(kind + " " + table.json(0, example.expected().cells(), ""));
  }

  private static List<Line> rows(String... rows) {
    return Stream.of(rows).map(Line::parse).toList();
  }

  @ParameterizedTest
  @EnumSource(Filling.class)
  void keysDoNotTouchEachOther(Filling filling) {
    FoldTable table =
        new FoldTable(
            "a INT, b STRING",
            "merge-engine=aggregation; fields.a.aggregate-function=sum;"
                + " fields.b.aggregate-function=listagg; fields.b.ignore-retract=true");

    assertThat(
            table.fold(
                List.of(
                    rows("+I 1 | a", "+I 2 | b"),
                    rows("+I null | null", "+I null | null"),
                    rows("+U 7 | c"),
                    rows("+I 3 | d", "-U 5 | f", "+I null | e")),
                filling))
        .containsExactly(
            "+I {\"k\":0,\"a\":3,\"b\":\"a,b\"}",
            "+I {\"k\":1,\"a\":null,\"b\":null}",
            "+U {\"k\":2,\"a\":7,\"b\":\"c\"}",
            "+I {\"k\":3,\"a\":-2,\"b\":\"d,e\"}");
  }

  @Test
  void sequenceNumberIsThatOfTheLastRow() {
    FoldTable table = new FoldTable("a INT", "merge-engine=partial-update");
    try (VersionBatch versions = new VersionBatch(table.type(table.positions()));
        KeyFolder folder = table.folder(table.positions())) {
      table.fill(
          versions,
          List.of(rows("+I 1", "+I null"), rows("+I 1", "+I 2", "+I 3")),
          Filling.GATHERED);

      FoldedRows folded = folder.fold(versions);

      assertThat(folded.sequenceNumbers().getLong(0)).isEqualTo(1);
      assertThat(folded.sequenceNumbers().getLong(1)).isEqualTo(4);
    }
  }

  @Test
  void foldsManyKeysAgainAndAgain() {
    FoldTable table =
        new FoldTable(
            "a BIGINT, b STRING",
            "merge-engine=aggregation; fields.a.aggregate-function=sum;"
                + " fields.b.aggregate-function=listagg");
    List<List<Line>> keys =
        Stream.iterate(0L, i -> i + 1)
            .limit(3000)
            .map(i -> rows("+I " + i + " | x" + i, "+I 1 | null", "+I 1 | y"))
            .toList();
    try (VersionBatch versions = new VersionBatch(table.type(table.positions()));
        KeyFolder folder = table.folder(table.positions())) {
      for (int round = 0; round < 2; round++) {
        versions.clear();
        table.fill(versions, keys, Filling.GATHERED);
        FoldedRows folded = folder.fold(versions);
        assertThat(versions.size()).isEqualTo(9000);
        assertThat(folded.rows()).isEqualTo(3000);
        for (int key = 0; key < 3000; key++) {
          assertThat(folded.column(1).getLong(key)).isEqualTo(key + 2L);
          assertThat(folded.column(2).getUTF8String(key)).hasToString("x" + key + ",y");
        }
      }
    }
  }

  @Test
  void columnsOfGroupsNeedTheFieldsOfTheirGroupOnly() {
    FoldTable table = new FoldTable("a INT, b INT, g INT, h INT, c INT, u INT", GROUPS);

    assertThat(KeyFolder.needed(table.rules(), List.of(6, 0))).containsExactly(6, 0);
    assertThat(KeyFolder.needed(table.rules(), List.of(1))).containsExactly(1, 3);
    assertThat(KeyFolder.needed(table.rules(), List.of(5, 4, 1))).containsExactly(5, 4, 1, 3);
    assertThat(KeyFolder.needed(table.rules(), List.of(3))).containsExactly(3);
  }

  @Test
  void groupsThatRemoveAreNeededByAllColumns() {
    FoldTable table =
        new FoldTable(
            "a INT, b INT, g INT, h INT, c INT, u INT",
            GROUPS + "; partial-update.remove-record-on-sequence-group=h");

    assertThat(KeyFolder.needed(table.rules(), List.of(6))).containsExactly(6, 4);
    assertThat(KeyFolder.needed(table.rules(), List.of(1))).containsExactly(1, 3, 4);
  }

  @Test
  void foldsNoGroupWithoutItsFields() {
    FoldTable table = new FoldTable("a INT, b INT, g INT, h INT, c INT, u INT", GROUPS);

    assertThatThrownBy(() -> table.folder(List.of(0, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sequence groups");
  }

  @Test
  void foldsTheNeededColumnsAsIfAllWereThere() {
    FoldTable table = new FoldTable("a INT, b INT, g INT, h INT, c INT, u INT", GROUPS);
    List<Integer> columns = KeyFolder.needed(table.rules(), List.of(2));
    FoldTable.Source source = new FoldTable.Source(table.type(columns));
    source.append(new GenericInternalRow(new Object[] {1, 5}), 0, (byte) 0);
    source.append(new GenericInternalRow(new Object[] {2, 3}), 1, (byte) 0);
    try (VersionBatch versions = new VersionBatch(table.type(columns));
        KeyFolder folder = table.folder(columns)) {
      versions.beginKey();
      versions.add(0, 0);
      versions.add(0, 1);
      versions.gather(List.of(source));

      FoldedRows folded = folder.fold(versions);

      assertThat(folded.column(0).getInt(0)).isEqualTo(1);
      assertThat(folded.column(1).getInt(0)).isEqualTo(5);
    }
  }

  @Test
  void rowsThatAreNotGatheredAreNotFolded() {
    FoldTable table = new FoldTable("a INT", "merge-engine=partial-update");
    try (VersionBatch versions = new VersionBatch(table.type(table.positions()));
        KeyFolder folder = table.folder(table.positions())) {
      versions.beginKey();
      versions.add(0, 0);

      assertThatThrownBy(() -> folder.fold(versions))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("gathered");
    }
  }

  @Test
  void refusalsSayWhatToSet() {
    FoldTable max =
        new FoldTable("v INT", "merge-engine=aggregation; fields.v.aggregate-function=max");
    FoldTable product =
        new FoldTable("v INT", "merge-engine=aggregation; fields.v.aggregate-function=product");
    FoldTable partial = new FoldTable("v INT", "merge-engine=partial-update");
    List<List<Line>> keys = List.of(rows("+I 1", "-D 0"));

    assertThatThrownBy(() -> max.fold(keys, Filling.APPENDED))
        .hasMessageContaining("v of db.t")
        .hasMessageContaining("max")
        .hasMessageContaining("fields.v.ignore-retract");
    assertThatThrownBy(() -> product.fold(keys, Filling.APPENDED))
        .hasMessageContaining("column v of table db.t")
        .hasMessageContaining("1 / 0")
        .hasMessageContaining("fields.v.ignore-retract");
    assertThatThrownBy(() -> partial.fold(keys, Filling.APPENDED))
        .hasMessageContaining("-D")
        .hasMessageContaining("db.t")
        .hasMessageContaining("ignore-delete")
        .hasMessageContaining("partial-update.remove-record-on-delete")
        .hasMessageContaining("sequence-group");
  }
}
