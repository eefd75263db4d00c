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

package io.keylake.spark.write;

import io.keylake.format.schema.TableSchema;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.write.HistoryValues.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The rows that a table must have, kept naively. */
final class HistoryModel {
  private final HistoryTable table;
  private final Map<String, List<Value>> rows = new LinkedHashMap<>();
  private int arrivals;

  HistoryModel(HistoryTable table) {
    this.table = table;
  }

  void put(List<Value> row) {
    rows.put(key(row), row);
  }

  void remove(List<Value> row) {
    rows.remove(key(row));
  }

  void removeIf(Predicate<List<Value>> filter) {
    rows.values().removeIf(filter);
  }

  /** A column is added at the end. */
  void widen() {
    rows.replaceAll(
        (key, row) -> {
          List<Value> wider = new ArrayList<>(row);
          wider.add(Value.NULL);
          return wider;
        });
  }

  private String key(List<Value> row) {
    if (!table.isKeyed()) {
      return Integer.toString(arrivals++);
    }
    int columns = table.schema().primaryKeys().size();
    StringBuilder key = new StringBuilder();
    row.subList(0, columns).forEach(value -> key.append(value.text()).append('|'));
    return key.toString();
  }

  /** The rows as canonical text, sorted. */
  List<String> text(TableSchema schema) {
    List<String> lines = new ArrayList<>();
    rows.values().forEach(row -> lines.add(text(schema, row, "")));
    lines.sort(ReferenceValues::compareUtf8);
    return lines;
  }

  /** One row as JSON; {@code extra} are further members, before its columns. */
  static String text(TableSchema schema, List<Value> row, String extra) {
    StringBuilder line = new StringBuilder("{").append(extra);
    for (int i = 0; i < row.size(); i++) {
      line.append(i == 0 ? "" : ",")
          .append('"')
          .append(schema.fields().get(i).name())
          .append("\":")
          .append(row.get(i).text());
    }
    return line.append('}').toString();
  }
}
