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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.reference.ReferenceValues;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows that a table must hold after some of the {@link LoopedStatements}. */
final class LoopedRows {
  private static final Pattern ROW = Pattern.compile("\\{\"k\":(-?\\d+),\"v\":(-?\\d+)}");

  private final LoopedStatements statements;
  private final TreeMap<Integer, Integer> rows = new TreeMap<>();

  LoopedRows(LoopedStatements statements) {
    this.statements = statements;
  }

  /** Adds a statement. */
  LoopedRows put(int writer, int number) {
    rows.putAll(statements.rows(writer, number));
    return this;
  }

  /** The rows as canonical text, sorted. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    rows.forEach(
        (key, value) -> {
          boolean isMark = key < 0;
          int first = isMark && statements.kind() == LoopedStatements.Kind.APPENDED ? 1 : value;
          for (int number = isMark ? first : value; number <= value; number++) {
            lines.add("{\"k\":" + key + ",\"v\":" + number + "}");
          }
        });
    lines.sort(ReferenceValues::compareUtf8);
    return lines;
  }

  /** The newest statement of a writer that the rows of a table hold; 0 for none. */
  static int newest(int writer, List<String> found) {
    int newest = 0;
    for (String line : found) {
      Matcher row = ROW.matcher(line);
      assertThat(row.matches()).as(line).isTrue();
      if (Integer.parseInt(row.group(1)) == LoopedStatements.mark(writer)) {
        newest = Math.max(newest, Integer.parseInt(row.group(2)));
      }
    }
    return newest;
  }
}
