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

package io.keylake.extensions.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.sql.catalyst.parser.ParseException;
import org.junit.jupiter.api.Test;

final class TokenCursorTest {
  @Test
  void readsNamesStringsNumbersAndProperties() throws ParseException {
    TokenCursor cursor =
        new TokenCursor("ALTER /* c */ table lake.`d``b`.t SET ('a' = 'it\\'s', b.c = 7) -12 'x';");
    assertThat(cursor.accept("ALTER", "TABLE")).isTrue();
    assertThat(cursor.name()).containsExactly("lake", "d`b", "t");
    assertThat(cursor.accept("RESET")).isFalse();
    cursor.expect("SET");
    assertThat(cursor.properties()).containsEntry("a", "it's").containsEntry("b.c", "7");
    assertThat(cursor.integer()).hasValue(-12);
    assertThat(cursor.string()).contains("x");
    assertThat(cursor.atEnd()).isTrue();
  }

  @Test
  void expressionsAreGivenAsTheyAreWritten() throws ParseException {
    TokenCursor cursor = new TokenCursor("f(a, 'ZORDER')  = 1 /* why */ AND b ZORDER BY (c)");
    assertThat(cursor.expression("ZORDER")).isEqualTo("f(a, 'ZORDER')  = 1 /* why */ AND b");
    assertThat(cursor.sees("ZORDER", "BY")).isTrue();
  }

  @Test
  void errorsPointAtTheToken() {
    TokenCursor cursor = new TokenCursor("a\n  b");
    cursor.next();
    assertThat(cursor.error("a number is expected"))
        .hasMessageContaining("near 'b': a number is expected")
        .hasMessageContaining("(line 2, pos 2)");
    assertThatThrownBy(() -> cursor.expect("c")).hasMessageContaining("'c' is expected");
  }

  @Test
  void editsKnowWhereTextCameFrom() {
    TextEdits edits = new TextEdits("one\ntwo 𝄞 three");
    edits.replace(4, 7, "2222");
    edits.remove(8, 9);
    edits.insert(10, "33 ");
    assertThat(edits.edited()).isEqualTo("one\n2222   33 three");
    assertThat(edits.originalPosition(2)).isEqualTo(2);
    assertThat(edits.originalPosition(6)).isEqualTo(4);
    assertThat(edits.originalPosition(14)).isEqualTo(10);
    assertThat(edits.originalPlace(TextEdits.place(2, 11)).startPosition().get()).isEqualTo(7);
  }
}
