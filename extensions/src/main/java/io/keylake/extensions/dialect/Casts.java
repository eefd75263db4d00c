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
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;

/** {@code CAST(x AS TIMESTAMP(3))} and the like; names that Spark has keep their meaning. */
final class Casts {
  private Casts() {}

  static void rewrite(TokenCursor cursor, TextEdits edits) throws ParseException {
    for (int i = 0; cursor.at(i).getType() != Token.EOF; i++) {
      if (cursor.isAt(i, "CAST", "TRY_CAST") && cursor.isAt(i + 1, "(")) {
        int type = typeOf(cursor, i + 1);
        if (type > 0) {
          rewrite(cursor, edits, type);
        }
      }
    }
  }

  /** The number of the first token of the type; 0 when there is none. */
  private static int typeOf(TokenCursor cursor, int open) {
    int depth = 0;
    for (int i = open; cursor.at(i).getType() != Token.EOF; i++) {
      switch (cursor.at(i).getType()) {
        case SqlBaseLexer.LEFT_PAREN -> depth++;
        case SqlBaseLexer.RIGHT_PAREN -> depth--;
        default -> {}
      }
      if (depth == 0) {
        return 0;
      }
      if (depth == 1 && cursor.isAt(i, "AS")) {
        return i + 1;
      }
    }
    return 0;
  }

  private static void rewrite(TokenCursor cursor, TextEdits edits, int first)
      throws ParseException {
    if (!isOfFlink(cursor, first)) {
      return;
    }
    cursor.moveTo(first);
    Token start = cursor.peek();
    FlinkType type = new FlinkTypes(cursor, FlinkTypes.Names.SPARK).read("of a CAST");
    edits.replace(
        start.getStartIndex(), cursor.at(cursor.position() - 1).getStopIndex() + 1, type.sql());
  }

  private static boolean isOfFlink(TokenCursor cursor, int first) {
    return cursor.isAt(first, "ROW", "BYTES", "MULTISET", "VARBINARY")
        || (cursor.isAt(first, "TIMESTAMP", "TIMESTAMP_LTZ", "BINARY")
            && cursor.isAt(first + 1, "(", "WITH", "WITHOUT"));
  }
}
