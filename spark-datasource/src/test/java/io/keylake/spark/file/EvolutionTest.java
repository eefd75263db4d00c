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

package io.keylake.spark.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.parquet.example.data.Group;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EvolutionTest {
  private static final DataField X = DataField.of(11, "x", DataTypes.INT);
  private static final DataField Y = DataField.of(12, "y", DataTypes.STRING);
  private static final RowType PAIR = new RowType(List.of(X, Y), true);

  @TempDir private Path folder;
  private ParquetTestFile file;

  @BeforeEach
  void writeFile() throws IOException {
    file =
        new ParquetTestFile(
                folder,
                List.of(
                    DataField.of(1, "a", DataTypes.INT),
                    DataField.of(2, "b", DataTypes.STRING),
                    DataField.of(3, "s", PAIR),
                    DataField.of(4, "l", new ArrayType(PAIR, true))),
                """
                message m {
                  optional int32 a;
                  optional binary b (STRING);
                  optional group s { optional int32 x; optional binary y (STRING); }
                  optional group l (LIST) {
                    repeated group list {
                      optional group element { optional int32 x; optional binary y (STRING); }
                    }
                  }
                }
                """,
                UnaryOperator.identity())
            .write(
                row -> {
                  row.add("a", 1);
                  row.add("b", "one");
                  pair(row.addGroup("s"), 10, "ten");
                  Group list = row.addGroup("l");
                  pair(list.addGroup("list").addGroup("element"), 20, "twenty");
                  list.addGroup("list");
                },
                row -> {
                  row.addGroup("s");
                  row.addGroup("l");
                });
  }

  private static void pair(Group group, int x, String y) {
    group.add("x", x);
    group.add("y", y);
  }

  private List<String> read(DataField... wanted) throws IOException {
    return file.read(List.of(wanted), null, Map.of());
  }

  @Test
  void renamedAndReorderedColumnsAreFoundById() throws IOException {
    assertThat(read(DataField.of(2, "text", DataTypes.STRING), DataField.of(1, "a", DataTypes.INT)))
        .containsExactly("{\"text\":\"one\",\"a\":1}", "{\"text\":null,\"a\":null}");
  }

  @Test
  void aColumnOfADroppedColumnsNameIsAnotherColumn() throws IOException {
    assertThat(read(DataField.of(9, "a", DataTypes.INT)))
        .containsExactly("{\"a\":null}", "{\"a\":null}");
  }

  @Test
  void anAddedColumnHasItsDefaultInOldRows() throws IOException {
    List<DataField> wanted =
        List.of(DataField.of(1, "a", DataTypes.INT), DataField.of(9, "d", DataTypes.STRING));

    assertThat(file.read(wanted, null, Map.of(9, UTF8String.fromString("dflt"))))
        .containsExactly("{\"a\":1,\"d\":\"dflt\"}", "{\"a\":null,\"d\":\"dflt\"}");
  }

  @Test
  void integersWiden() throws IOException {
    assertThat(read(DataField.of(1, "a", DataTypes.BIGINT)))
        .containsExactly("{\"a\":1}", "{\"a\":null}");
  }

  @Test
  void otherTypeChangesAreCast() throws IOException {
    assertThat(read(DataField.of(1, "a", DataTypes.STRING)))
        .containsExactly("{\"a\":\"1\"}", "{\"a\":null}");
  }

  @Test
  void fieldsOfStructsAreRenamedReorderedAddedAndDropped() throws IOException {
    RowType now =
        new RowType(
            List.of(
                DataField.of(13, "x", DataTypes.DOUBLE), DataField.of(12, "yy", DataTypes.STRING)),
            true);

    assertThat(read(DataField.of(3, "s", now)))
        .containsExactly("{\"s\":{\"x\":null,\"yy\":\"ten\"}}", "{\"s\":{\"x\":null,\"yy\":null}}");
  }

  @Test
  void aStructWhoseFieldsAreAllNewIsNotNull() throws IOException {
    RowType now = new RowType(List.of(DataField.of(14, "z", DataTypes.INT)), true);

    assertThat(read(DataField.of(3, "s", now)))
        .containsExactly("{\"s\":{\"z\":null}}", "{\"s\":{\"z\":null}}");
    assertThat(read(DataField.of(4, "l", new ArrayType(now, true))))
        .containsExactly("{\"l\":[{\"z\":null},null]}", "{\"l\":[]}");
  }

  @Test
  void elementsOfArraysEvolveWithWideningAndCasts() throws IOException {
    RowType wider = new RowType(List.of(Y, DataField.of(11, "x", DataTypes.BIGINT)), true);
    RowType cast = new RowType(List.of(DataField.of(11, "x", DataTypes.STRING)), true);

    assertThat(read(DataField.of(4, "l", new ArrayType(wider, true))))
        .containsExactly("{\"l\":[{\"y\":\"twenty\",\"x\":20},null]}", "{\"l\":[]}");
    assertThat(read(DataField.of(4, "l", new ArrayType(cast, true))))
        .containsExactly("{\"l\":[{\"x\":\"20\"},null]}", "{\"l\":[]}");
  }

  @Test
  void aPredicateOnAColumnThatIsNotWantedLosesNoRow() throws IOException {
    Predicate predicate =
        new Predicate.Leaf(
            DataField.of(1, "a", DataTypes.INT), Predicate.Operator.EQUAL, List.of(1));

    assertThat(file.read(List.of(DataField.of(2, "b", DataTypes.STRING)), predicate, Map.of()))
        .contains("{\"b\":\"one\"}");
  }
}
