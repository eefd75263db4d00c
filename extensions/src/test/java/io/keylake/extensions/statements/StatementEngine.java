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

package io.keylake.extensions.statements;

import static io.keylake.extensions.statements.ModelTable.Q;
import static io.keylake.extensions.statements.ModelTable.S;
import static io.keylake.extensions.statements.ModelTable.V;
import static io.keylake.extensions.statements.ModelTable.W;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a table makes of an inserted row whose key it has: the naive rule of each merge engine. */
enum StatementEngine {
  DEDUPLICATE(Map.of()),
  DEDUPLICATE_BY_SEQUENCE(Map.of("sequence.field", "q")),
  FIRST_ROW(Map.of("merge-engine", "first-row")),
  PARTIAL_UPDATE(Map.of("merge-engine", "partial-update")),
  PARTIAL_UPDATE_REMOVE(
      Map.of("merge-engine", "partial-update", "partial-update.remove-record-on-delete", "true")),
  PARTIAL_UPDATE_GROUP(Map.of("merge-engine", "partial-update", "fields.q.sequence-group", "v")),
  AGGREGATION(
      Map.of(
          "merge-engine",
          "aggregation",
          "fields.v.aggregate-function",
          "sum",
          "fields.w.aggregate-function",
          "max",
          "fields.q.aggregate-function",
          "last_value")),
  AGGREGATION_REMOVE(
      Map.of(
          "merge-engine",
          "aggregation",
          "aggregation.remove-record-on-delete",
          "true",
          "fields.v.aggregate-function",
          "sum",
          "fields.w.aggregate-function",
          "min",
          "fields.q.aggregate-function",
          "first_non_null_value")),
  APPEND(Map.of());

  private final Map<String, String> options;

  StatementEngine(Map<String, String> options) {
    this.options = options;
  }

  Map<String, String> options() {
    return options;
  }

  boolean isKeyed() {
    return this != APPEND;
  }

  /** Whether the column {@code q} orders the column {@code v}. */
  boolean hasGroup() {
    return this == PARTIAL_UPDATE_GROUP;
  }

  /** The row of a key that has {@code old} and now gets {@code row}. */
  List<Object> merged(List<Object> old, List<Object> row) {
    return switch (this) {
      case DEDUPLICATE -> row;
      case DEDUPLICATE_BY_SEQUENCE -> precedes(row.get(Q), old.get(Q)) ? old : row;
      case FIRST_ROW -> old;
      case PARTIAL_UPDATE, PARTIAL_UPDATE_REMOVE -> filled(old, row);
      case PARTIAL_UPDATE_GROUP -> grouped(old, row);
      case AGGREGATION, AGGREGATION_REMOVE -> aggregated(old, row);
      case APPEND -> throw new IllegalStateException("Rows of append tables are not merged");
    };
  }

  private static List<Object> filled(List<Object> old, List<Object> row) {
    List<Object> result = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      result.add(row.get(i) == null ? old.get(i) : row.get(i));
    }
    return result;
  }

  private static List<Object> grouped(List<Object> old, List<Object> row) {
    List<Object> result = filled(old, row);
    boolean wins = row.get(Q) != null && !precedes(row.get(Q), old.get(Q));
    result.set(V, wins ? row.get(V) : old.get(V));
    result.set(Q, wins ? row.get(Q) : old.get(Q));
    return result;
  }

  private List<Object> aggregated(List<Object> old, List<Object> row) {
    List<Object> result = filled(old, row);
    Long a = (Long) old.get(V);
    Long b = (Long) row.get(V);
    result.set(V, a == null ? b : b == null ? a : (Long) (a + b));
    Long c = (Long) old.get(W);
    Long d = (Long) row.get(W);
    boolean largest = this == AGGREGATION;
    result.set(
        W, c == null ? d : d == null ? c : (Long) (largest ? Math.max(c, d) : Math.min(c, d)));
    result.set(S, row.get(S) == null ? old.get(S) : row.get(S));
    boolean last = this == AGGREGATION;
    result.set(Q, last || old.get(Q) == null ? row.get(Q) : old.get(Q));
    return result;
  }

  /** Whether {@code one} is before {@code other}; NULL is before all values. */
  static boolean precedes(@Nullable Object one, @Nullable Object other) {
    return other != null && (one == null || (Long) one < (Long) other);
  }
}
