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

package io.keylake.extensions.dialect;

import io.keylake.extensions.parser.TextEdits;
import io.keylake.format.errors.Condition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/**
 * {@code CREATE TABLE t [WITH (...)] LIKE s [(INCLUDING ALL)]}: the other table's definition with
 * other options. What leaves parts of it out, or adds columns to it, is refused.
 */
final class LikeTable {
  private static final Set<List<String>> AS_EVER =
      Set.of(
          List.of(),
          List.of("INCLUDING", "ALL"),
          List.of("OVERWRITING", "OPTIONS"),
          List.of("INCLUDING", "ALL", "OVERWRITING", "OPTIONS"));

  private final String table;
  private final TextEdits edits;
  private final TableClauses clauses;

  LikeTable(String table, TextEdits edits, TableClauses clauses) {
    this.table = table;
    this.edits = edits;
    this.clauses = clauses;
  }

  /** Rewrites all from {@code start}: the first token after the name, or the name's last. */
  void rewrite(Token start) {
    TableClauses.Like like = Objects.requireNonNull(clauses.like());
    if (start.getText().equals("(")) {
      throw refused(
          start,
          "both has columns and is LIKE another table",
          "Leave the columns out and add them with ALTER TABLE.");
    }
    if (!AS_EVER.contains(like.options())) {
      throw refused(
          like.place(),
          "is LIKE another table with " + String.join(" ", like.options()),
          "Only INCLUDING ALL OVERWRITING OPTIONS, which is the default, is possible.");
    }
    if (clauses.keepsProperties() && like.options().isEmpty()) {
      return;
    }
    Map<String, String> own = ConnectorKeys.withoutThem(clauses.properties(), table);
    clauses.distribution().forEach(own::putIfAbsent);
    edits.replace(
        start.getStopIndex() + 1,
        clauses.end(),
        " LIKE " + like.source() + (own.isEmpty() ? "" : " TBLPROPERTIES " + Properties.sql(own)));
  }

  private RuntimeException refused(Token place, String what, String advice) {
    return Refusals.at(
        place,
        Condition.KEYLAKE_UNSUPPORTED_FEATURE,
        "Table " + table + " " + what + ". " + advice);
  }
}
