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

package io.keylake.benchmarks;

import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The statements of {@link MergeBenchmark}. Their sources are the views {@code changes} (a tenth of
 * the table's keys with other values, and a hundredth of new keys) and {@code doomed} (a hundredth
 * of the table's keys).
 */
enum MergeStatement {
  INSERT("INSERT of the same rows", "INSERT INTO %s SELECT * FROM changes"),
  UPSERT(
      "MERGE, upsert all",
      "MERGE INTO %s t USING changes s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED"
          + " THEN INSERT *"),
  CONDITIONAL(
      "MERGE, matched and newer",
      "MERGE INTO %s t USING changes s ON t.k = s.k WHEN MATCHED AND s.l1 > t.l1 THEN UPDATE SET *"
          + " WHEN NOT MATCHED THEN INSERT *"),
  DELETE_SUBQUERY(
      "DELETE, 1 % of keys",
      "DELETE FROM %s WHERE k IN (SELECT k FROM doomed)",
      "MERGE INTO %s t USING doomed s ON t.k = s.k WHEN MATCHED THEN DELETE"),
  DELETE_LIST(
      "DELETE, list of 100 keys",
      "DELETE FROM %s WHERE k IN ("
          + LongStream.range(0, 100)
              .mapToObj(i -> Long.toString(i * 97))
              .collect(Collectors.joining(", "))
          + ")"),
  DELETE_KEY("DELETE, one key", "DELETE FROM %s WHERE k = 777"),
  UPDATE(
      "UPDATE, 1 % of rows",
      "UPDATE %s SET d1 = d1 + 1, s2 = concat(s2, '-u') WHERE pmod(k, 100) = 7");

  private final String title;
  private final String text;
  private final String textForOthers;

  MergeStatement(String title, String text) {
    this(title, text, text);
  }

  /** Delta takes no subquery in DELETE; its documentation says to write this MERGE. */
  MergeStatement(String title, String text, String textForOthers) {
    this.title = title;
    this.text = text;
    this.textForOthers = textForOthers;
  }

  String title() {
    return title;
  }

  /** The statement on a table of {@code side}. */
  String on(MergeSide side, String table) {
    return (side.isKeyed() ? text : textForOthers).replace("%s", table);
  }

  /** Whether {@code side} can run it with the same result: a plain INSERT upserts only here. */
  boolean runsOn(MergeSide side) {
    return this != INSERT || side.isKeyed();
  }
}
