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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.table.options.engine.AggregateFunction.MergeMapWithKeyTime;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import org.junit.jupiter.api.Test;

final class MapFoldsTest {
  private static final String TIMED = "MAP<STRING, STRUCT<v: STRING, ts: STRING>>";

  private static FoldFixture map() {
    return FoldFixture.of("MAP<INT, STRING>", Plain.MERGE_MAP);
  }

  private static FoldFixture timed() {
    return FoldFixture.of(TIMED, new MergeMapWithKeyTime(1));
  }

  private static String entry(String key, String value, String time) {
    return "[\"" + key + "\",{\"v\":\"" + value + "\",\"ts\":" + time + "}]";
  }

  @Test
  void laterEntriesReplaceEarlierOnesAlsoByNull() {
    assertThat(
            map()
                .fold(
                    "add [[1,\"a\"],[2,\"b\"]]",
                    "add null",
                    "add [[1,null],[3,\"c\"]]",
                    "add [[3,\"d\"]]"))
        .isEqualTo("[[1,null],[2,\"b\"],[3,\"d\"]]");
    assertThat(map().fold("add null", "add null")).isEqualTo("null");
  }

  @Test
  void lateEntriesOnlyFillWhatIsMissing() {
    assertThat(map().fold("add [[1,\"a\"]]", "late [[1,\"old\"],[2,\"b\"]]"))
        .isEqualTo("[[1,\"a\"],[2,\"b\"]]");
  }

  @Test
  void retractionRemovesKeysWhateverTheirValues() {
    assertThat(map().fold("add [[1,\"a\"],[2,\"b\"]]", "retract [[1,\"zzz\"],[7,\"c\"]]"))
        .isEqualTo("[[2,\"b\"]]");
    assertThat(map().fold("add [[1,\"a\"]]", "retract null")).isEqualTo("[[1,\"a\"]]");
    assertThat(map().fold("add null", "retract [[1,\"a\"]]")).isEqualTo("null");
  }

  @Test
  void entryWithTheLatestTimeStays() {
    String five = "[" + entry("r", "r", "\"5\"") + "]";
    assertThat(timed().fold("add " + five, "add [" + entry("r", "z", "\"6\"") + "]"))
        .isEqualTo("[" + entry("r", "z", "\"6\"") + "]");
    assertThat(timed().fold("add " + five, "add [" + entry("r", "z", "\"5\"") + "]"))
        .isEqualTo(five);
    assertThat(timed().fold("add " + five, "add [" + entry("r", "z", "\"10\"") + "]"))
        .as("times are texts")
        .isEqualTo(five);
  }

  @Test
  void entryWithoutTimeIsPassedOverAndGivesWay() {
    assertThat(
            timed()
                .fold(
                    "add [" + entry("q", "x", "null") + "]",
                    "add [" + entry("q", "y", "\"\"") + "," + entry("t", "n", "null") + "]"))
        .isEqualTo("[" + entry("q", "y", "\"\"") + "]");
  }

  @Test
  void nullRowRemovesItsKey() {
    String other = entry("r", "r", "\"5\"");
    assertThat(
            timed()
                .fold(
                    "add [" + entry("p", "x", "\"1\"") + "," + other + "]",
                    "add [[\"p\",null],[\"unknown\",null]]"))
        .isEqualTo("[" + other + "]");
    assertThat(
            timed()
                .fold(
                    "add [" + entry("p", "x", "\"5\"") + "]",
                    "add [[\"p\",null]]",
                    "add [" + entry("p", "again", "\"1\"") + "]"))
        .isEqualTo("[" + entry("p", "again", "\"1\"") + "]");
  }

  @Test
  void firstMapIsTakenAsItIs() {
    String first = "[[\"p\",null]," + entry("q", "x", "null") + "]";
    assertThat(timed().fold("add " + first, "add []")).isEqualTo(first);
    assertThat(timed().fold("add " + first, "add [" + entry("p", "x", "\"1\"") + "]"))
        .isEqualTo("[" + entry("p", "x", "\"1\"") + "," + entry("q", "x", "null") + "]");
  }

  @Test
  void lateEntryStaysAtAnEqualTime() {
    assertThat(
            timed()
                .fold(
                    "add [" + entry("p", "x", "\"5\"") + "]",
                    "late [" + entry("p", "late", "\"5\"") + "," + entry("q", "y", "\"1\"") + "]"))
        .isEqualTo("[" + entry("p", "late", "\"5\"") + "," + entry("q", "y", "\"1\"") + "]");
  }

  @Test
  void timedMapsCannotTakeBack() {
    assertThatThrownBy(() -> timed().fold("add []", "retract []"))
        .isInstanceOfSatisfying(
            InvalidRequestException.class,
            e -> assertThat(e.condition()).isEqualTo(Condition.KEYLAKE_UNSUPPORTED_RETRACTION))
        .hasMessageContaining("merge_map_with_keytime");
  }
}
