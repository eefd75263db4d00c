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

package io.keylake.spark.merge.function.nested;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.AggregateFunction.Collect;
import io.keylake.table.options.engine.AggregateFunction.NestedPartialUpdate;
import io.keylake.table.options.engine.AggregateFunction.NestedUpdate;
import io.keylake.table.options.engine.ColumnRule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ListFoldsTest {
  private static final String INTS = "ARRAY<INT>";
  private static final String ROWS = "ARRAY<STRUCT<id: INT, x: STRING, y: STRING>>";

  private static String row(int id, String x, String y) {
    return "{\"id\":" + id + ",\"x\":" + x(x) + ",\"y\":" + x(y) + "}";
  }

  private static String x(String text) {
    return text.isEmpty() ? "null" : "\"" + text + "\"";
  }

  private static String array(String... rows) {
    return "[" + String.join(",", rows) + "]";
  }

  private static FoldFixture collect() {
    return FoldFixture.of(INTS, new Collect(false));
  }

  private static FoldFixture distinct() {
    return FoldFixture.of(INTS, new Collect(true));
  }

  private static FoldFixture nested(int limit, Integer... keys) {
    return FoldFixture.of(ROWS, new NestedUpdate(List.of(keys), limit));
  }

  private static FoldFixture fields() {
    return FoldFixture.of(ROWS, new NestedPartialUpdate(List.of(0)));
  }

  @Test
  void collectAppendsElementsAndTheirNulls() {
    assertThat(collect().fold("add [1]", "add null", "add [1,null]")).isEqualTo("[1,1,null]");
    assertThat(collect().fold("add null", "add []")).isEqualTo("[]");
    assertThat(collect().fold("add null", "add null")).isEqualTo("null");
  }

  @Test
  void collectAppendsLateElementsLast() {
    assertThat(collect().fold("add [1]", "late [2]")).isEqualTo("[1,2]");
  }

  @Test
  void collectTakesBackTheFirstEqualElement() {
    assertThat(collect().fold("add [1,2,1,3]", "retract [1]")).isEqualTo("[2,1,3]");
    assertThat(collect().fold("add [1,2,null,null]", "retract [null,2,7]")).isEqualTo("[1,null]");
    assertThat(collect().fold("add [1]", "retract-late [1]")).isEqualTo("[]");
  }

  @Test
  void retractingFromNullOrNullChangesNothing() {
    assertThat(collect().fold("add null", "retract [1]")).isEqualTo("null");
    assertThat(collect().fold("add [1]", "retract null")).isEqualTo("[1]");
  }

  @Test
  void distinctElementsStayInTheirFirstOrder() {
    assertThat(distinct().fold("add [1,2,1,3]", "add [3,null,9,null]")).isEqualTo("[1,2,3,null,9]");
    assertThat(distinct().fold("add [1,2,1]", "add null")).isEqualTo("[1,2]");
    assertThat(distinct().fold("add [1,2,1,3]", "retract [1]")).isEqualTo("[2,3]");
  }

  @Test
  void distinctRowsAreEqualFieldByField() {
    FoldFixture fold = FoldFixture.of(ROWS, new Collect(true));
    String one = row(1, "a", "");
    String other = row(1, "", "a");
    assertThat(fold.fold("add " + array(one, one, other), "add " + array(other, one, "null")))
        .isEqualTo(array(one, other, "null"));
  }

  @Test
  void manyDistinctTextsAreKeptApart() {
    FoldFixture fold = FoldFixture.of("ARRAY<STRING>", new Collect(true));
    List<String> steps = new ArrayList<>();
    for (int array = 0; array < 10; array++) {
      steps.add(
          IntStream.range(array * 50, array * 50 + 100)
              .mapToObj(i -> "\"text" + i + "\"")
              .collect(Collectors.joining(",", "add [", "]")));
    }
    String all =
        IntStream.range(0, 550)
            .mapToObj(i -> "\"text" + i + "\"")
            .collect(Collectors.joining(",", "[", "]"));
    assertThat(fold.foldKeys(List.of(steps, List.of("add [\"x\"]", "add [\"x\"]"))))
        .containsExactly(all, "[\"x\"]");
  }

  @Test
  void resetTakesTheValueAsItIs() {
    assertThat(distinct().fold("add [1]", "reset [5,5]")).isEqualTo("[5,5]");
    assertThat(collect().fold("add [1]", "reset null", "add [2]")).isEqualTo("[2]");
  }

  @Test
  void skippedRowsDoNothing() {
    assertThat(collect().fold("add [1]", "skip [2]", "add [3]")).isEqualTo("[1,3]");
  }

  @Test
  void ignoredRetractsLeaveTheColumn() {
    FoldFixture fold = FoldFixture.of(INTS, new ColumnRule(0, new Collect(false), true));
    assertThat(fold.fold("add [1]", "retract [1]", "retract-late [1]")).isEqualTo("[1]");
  }

  @Test
  void keysOfOneBatchDoNotMix() {
    assertThat(
            distinct()
                .foldKeys(
                    List.of(
                        List.of("add [1]", "add [2]"),
                        List.of("add null", "retract [1]"),
                        List.of("add [2]", "add [2,1]"))))
        .containsExactly("[1,2]", "null", "[2,1]");
  }

  @Test
  void rowsWithoutKeyAreAppended() {
    FoldFixture fold = nested(Integer.MAX_VALUE);
    String one = row(1, "a", "b");
    assertThat(fold.fold("add " + array(one, "null"), "add " + array(one, "null", row(3, "", ""))))
        .isEqualTo(array(one, one, row(3, "", "")));
    assertThat(fold.fold("add " + array(one), "late " + array(row(2, "", ""))))
        .isEqualTo(array(row(2, "", ""), one));
  }

  @Test
  void laterRowReplacesTheOneOfEqualKey() {
    FoldFixture fold = nested(Integer.MAX_VALUE, 0);
    String bananas = row(12, "banana", "20");
    assertThat(
            fold.fold(
                "add " + array(row(11, "apple", "10")),
                "add " + array(bananas),
                "add " + array(row(11, "apple", "50"))))
        .isEqualTo(array(row(11, "apple", "50"), bananas));
    assertThat(fold.fold("add " + array(row(1, "new", "")), "late " + array(row(1, "old", ""))))
        .isEqualTo(array(row(1, "new", "")));
  }

  @Test
  void keyOfSeveralFieldsMayHoldNull() {
    FoldFixture fold = nested(Integer.MAX_VALUE, 0, 1);
    assertThat(
            fold.fold(
                "add " + array(row(1, "", "old"), row(1, "a", "other")),
                "add " + array(row(1, "", "new"))))
        .isEqualTo(array(row(1, "", "new"), row(1, "a", "other")));
  }

  @Test
  void firstArrayKeepsDuplicatesUntilAnotherComes() {
    FoldFixture fold = nested(Integer.MAX_VALUE, 0);
    String twice = array(row(1, "a", ""), row(1, "b", ""), "null");
    assertThat(fold.fold("add " + twice)).isEqualTo(twice);
    assertThat(fold.fold("add " + twice, "add null")).isEqualTo(twice);
    assertThat(fold.fold("add " + twice, "add []")).isEqualTo(array(row(1, "b", "")));
  }

  @Test
  void fullArrayStaysAsItIs() {
    String three = array(row(1, "", ""), row(2, "", ""), row(3, "", ""));
    assertThat(nested(2).fold("add " + three, "add " + array(row(4, "", "")))).isEqualTo(three);
    assertThat(nested(3, 0).fold("add " + three, "add " + array(row(1, "new", ""))))
        .isEqualTo(three);
  }

  @Test
  void limitCountsRowsThatAreUsed() {
    assertThat(
            nested(3)
                .fold(
                    "add " + array(row(1, "a", ""), "null"),
                    "add " + array("null", row(3, "", ""), row(4, "", ""))))
        .isEqualTo(array(row(1, "a", ""), row(3, "", "")));
    assertThat(
            nested(2, 0)
                .fold(
                    "add " + array(row(1, "a", "")),
                    "add " + array(row(1, "c", ""), row(2, "", ""))))
        .isEqualTo(array(row(1, "c", "")));
  }

  @Test
  void retractionWithoutKeyRemovesAllEqualRows() {
    String one = row(1, "a", "");
    assertThat(
            nested(9)
                .fold("add " + array(one, one, "null", row(1, "b", "")), "retract " + array(one)))
        .isEqualTo(array(row(1, "b", "")));
    assertThat(nested(9).fold("add " + array(one), "retract " + array("null")))
        .isEqualTo(array(one));
  }

  @Test
  void retractionWithKeyRemovesByKey() {
    assertThat(
            nested(9, 0)
                .fold(
                    "add " + array(row(1, "a", ""), row(2, "x", ""), row(1, "b", ""), "null"),
                    "retract " + array(row(2, "", ""), row(9, "", ""))))
        .isEqualTo(array(row(1, "b", "")));
    assertThat(
            nested(9, 0).fold("add " + array(row(1, "a", "")), "retract " + array(row(1, "", ""))))
        .isEqualTo("[]");
  }

  @Test
  void rowsOfEqualKeyAreUpdatedFieldByField() {
    assertThat(
            fields()
                .fold(
                    "add " + array(row(1, "a", ""), row(2, "", "")),
                    "add " + array(row(1, "", "b"), "null", row(2, "n", ""), row(2, "m", "")),
                    "add " + array(row(1, "c", ""), row(3, "z", "z"))))
        .isEqualTo(array(row(1, "c", "b"), row(2, "m", ""), row(3, "z", "z")));
  }

  @Test
  void lateRowFillsOnlyWhatIsNull() {
    assertThat(
            fields()
                .fold(
                    "add " + array(row(1, "a", "")),
                    "add " + array(row(1, "b", "")),
                    "late " + array(row(1, "old", "old"), row(2, "x", ""))))
        .isEqualTo(array(row(1, "b", "old"), row(2, "x", "")));
  }

  @Test
  void fieldsOfManyRowsAndKeysAreKeptApart() {
    List<List<String>> keys = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int key = 0; key < 3; key++) {
      List<String> xs = new ArrayList<>();
      List<String> ys = new ArrayList<>();
      List<String> both = new ArrayList<>();
      for (int id = 0; id < 40; id++) {
        xs.add(row(id, "x" + key + id, ""));
        ys.add(row(id, "", "y" + key + id));
        both.add(row(id, "x" + key + id, "y" + key + id));
      }
      keys.add(List.of("add [" + String.join(",", xs) + "]", "add [" + String.join(",", ys) + "]"));
      expected.add("[" + String.join(",", both) + "]");
    }
    assertThat(fields().foldKeys(keys)).isEqualTo(expected);
  }

  @Test
  void nestedPartialUpdateCannotTakeBack() {
    AggregateFunction function = new NestedPartialUpdate(List.of(0));
    assertThatThrownBy(() -> FoldFixture.of(ROWS, function).fold("add null", "retract null"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Column v of t is aggregated by nested_partial_update")
        .hasMessageContaining("fields.v.ignore-retract");
    assertThat(FoldFixture.of(ROWS, new ColumnRule(0, function, true)).fold("add []", "retract []"))
        .isEqualTo("[]");
  }
}
