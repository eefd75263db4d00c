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

package io.keylake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StatementSplitterTest {
  @Test
  void semicolonsEndStatements() {
    assertThat(StatementSplitter.split("SELECT 1; SELECT 2 ;\n\nSELECT 3"))
        .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
  }

  @Test
  void emptyStatementsAreLeftOut() {
    assertThat(StatementSplitter.split(" ;; \n ; ")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'a;b'",
        "SELECT 'it\\';s'",
        "SELECT 'it'';s'",
        "SELECT \"a;b\"",
        "SELECT `a;b`",
        "SELECT `a``;b`",
        "SELECT r'\\' , ';'",
        "SELECT 1 -- one; two\n, 2",
        "SELECT 1 /* one; /* two; */ three; */ , 2",
        "SELECT '--', ';' , '/*', ';', '*/'",
        "SELECT \"'\", ';', '\"'",
        "SELECT 1 -- it's\n, ';'"
      })
  void semicolonsInsideQuotesAndCommentsAreText(String statement) {
    assertThat(StatementSplitter.split(statement + "; SELECT 2"))
        .containsExactly(statement, "SELECT 2");
  }

  @Test
  void commentsAloneAreNoStatement() {
    assertThat(StatementSplitter.split("-- nothing\n; /* nothing */ ; SELECT 1; -- end"))
        .containsExactly("SELECT 1");
  }

  @Test
  void commentBeforeStatementStaysWithIt() {
    assertThat(StatementSplitter.split("-- why\nSELECT 1")).containsExactly("-- why\nSELECT 1");
  }

  @Test
  void backslashDoesNotEscapeInQuotedNames() {
    assertThat(StatementSplitter.split("SELECT `a\\`; SELECT 2"))
        .isEqualTo(List.of("SELECT `a\\`", "SELECT 2"));
  }

  @Test
  void unclosedCommentEndsWithTheText() {
    assertThat(StatementSplitter.split("SELECT 1; /* open")).containsExactly("SELECT 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT 1", "SELECT 'a;", "SELECT `a;", "SELECT 1; /* a;", "SELECT 1; SELECT"})
  void textWithoutAnEndIsIncomplete(String text) {
    assertThat(StatementSplitter.isIncomplete(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1;", "", "SELECT 'a;'; -- b", "SELECT 1; /* a */ "})
  void endedTextIsComplete(String text) {
    assertThat(StatementSplitter.isIncomplete(text)).isFalse();
  }
}
