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
import io.keylake.extensions.parser.TokenCursor;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;

/**
 * {@code ARRAY[a, b]} and {@code MAP[k, v]} become {@code array(a, b)} and {@code map(k, v)}.
 * {@code ARRAY[a]} is left to {@link SingleElementArrays}, since Spark reads it as an element of a
 * column.
 */
final class Constructors {
  private Constructors() {}

  static void rewrite(TokenCursor cursor, TextEdits edits) {
    for (int i = 0; cursor.at(i).getType() != Token.EOF; i++) {
      if (cursor.isAt(i, "ARRAY", "MAP") && cursor.isAt(i + 1, "[") && !cursor.isAt(i - 1, ".")) {
        rewrite(cursor, edits, i + 1);
      }
    }
  }

  private static void rewrite(TokenCursor cursor, TextEdits edits, int open) {
    int depth = 0;
    boolean several = cursor.isAt(open + 1, "]");
    for (int i = open; cursor.at(i).getType() != Token.EOF; i++) {
      switch (cursor.at(i).getType()) {
        case SqlBaseLexer.LEFT_BRACKET, SqlBaseLexer.LEFT_PAREN -> depth++;
        case SqlBaseLexer.RIGHT_BRACKET, SqlBaseLexer.RIGHT_PAREN -> depth--;
        case SqlBaseLexer.COMMA -> several |= depth == 1;
        default -> {}
      }
      if (depth == 0) {
        if (several) {
          replace(edits, cursor.at(open), "(");
          replace(edits, cursor.at(i), ")");
        }
        return;
      }
    }
  }

  private static void replace(TextEdits edits, Token token, String sign) {
    edits.replace(token.getStartIndex(), token.getStopIndex() + 1, sign);
  }
}
