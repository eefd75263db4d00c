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

import io.keylake.extensions.parser.Dialect;
import io.keylake.extensions.parser.StatementScope;
import io.keylake.extensions.parser.TextEdits;
import io.keylake.extensions.parser.TokenCursor;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.parser.ParseException;

/** The SQL of Flink, as pipelines over such tables are written in. */
public final class FlinkDialect implements Dialect {
  @Override
  public Optional<Rewritten> rewrite(String text, StatementScope scope) throws ParseException {
    TextEdits edits = new TextEdits(text);
    alterTable(new TokenCursor(text), edits, scope);
    return edits.isEmpty()
        ? Optional.empty()
        : Optional.of(new Rewritten(edits, UnaryOperator.identity()));
  }

  private static void alterTable(TokenCursor cursor, TextEdits edits, StatementScope scope)
      throws ParseException {
    if (!cursor.accept("ALTER", "TABLE") || !cursor.seesIdentifier()) {
      return;
    }
    if (!scope.isLake(cursor.name())) {
      return;
    }
    int after = cursor.peek().getStopIndex() + 1;
    if (cursor.accept("SET") && cursor.sees("(")) {
      edits.insert(after, " TBLPROPERTIES");
    }
  }
}
