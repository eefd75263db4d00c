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

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts SQL text into statements at the semicolons that are neither inside quotes nor inside a
 * comment. The rules are those of Spark's lexer:
 *
 * <ol>
 *   <li>{@code '..'} and {@code ".."} are strings in which a backslash takes the next character;
 *       {@code r'..'} is a raw string without that;
 *   <li>{@code `..`} is a quoted name; a doubled back quote inside stands for one;
 *   <li>{@code --} starts a comment up to the end of the line, {@code /*} one up to its own end;
 *       these nest.
 * </ol>
 *
 * <p>A statement keeps its comments, since hints are written as comments; text that holds nothing
 * but comments is no statement.
 */
final class StatementSplitter {
  private final String sql;
  private final List<String> statements = new ArrayList<>();
  private int position;
  private int start;
  private boolean hasContent;
  private boolean open;

  private StatementSplitter(String sql) {
    this.sql = sql;
  }

  /** The statements of {@code sql} in order, trimmed, without their semicolons. */
  static List<String> split(String sql) {
    StatementSplitter splitter = new StatementSplitter(sql);
    splitter.run();
    splitter.endStatement();
    return List.copyOf(splitter.statements);
  }

  /** Whether {@code sql} ends inside a statement, a string, a quoted name or a comment. */
  static boolean isIncomplete(String sql) {
    StatementSplitter splitter = new StatementSplitter(sql);
    splitter.run();
    return splitter.open || splitter.hasContent;
  }

  private void run() {
    while (position < sql.length()) {
      char c = sql.charAt(position);
      if (c == ';') {
        endStatement();
        position++;
        start = position;
      } else if (sql.startsWith("--", position)) {
        skipLine();
      } else if (sql.startsWith("/*", position)) {
        skipComment();
      } else if (c == '\'' || c == '"' || c == '`') {
        hasContent = true;
        skipQuoted(c);
      } else {
        hasContent |= !Character.isWhitespace(c);
        position++;
      }
    }
  }

  private void endStatement() {
    if (hasContent) {
      statements.add(sql.substring(start, position).strip());
    }
    hasContent = false;
  }

  private void skipLine() {
    while (position < sql.length() && sql.charAt(position) != '\n') {
      position++;
    }
  }

  private void skipComment() {
    hasContent |= sql.startsWith("/*+", position);
    int depth = 0;
    do {
      if (sql.startsWith("/*", position)) {
        depth++;
        position += 2;
      } else if (sql.startsWith("*/", position)) {
        depth--;
        position += 2;
      } else {
        position++;
      }
    } while (depth > 0 && position < sql.length());
    position = Math.min(position, sql.length());
    open = depth > 0;
  }

  private void skipQuoted(char quote) {
    boolean escapes = quote != '`' && !isRaw();
    position++;
    while (position < sql.length()) {
      char c = sql.charAt(position);
      if (c == '\\' && escapes) {
        position += 2;
      } else {
        position++;
        if (c == quote) {
          return;
        }
      }
    }
    position = sql.length();
    open = true;
  }

  /** Whether the quote at the position follows an {@code r} that is no part of a longer word. */
  private boolean isRaw() {
    if (position == 0 || Character.toLowerCase(sql.charAt(position - 1)) != 'r') {
      return false;
    }
    return position == 1 || !Character.isJavaIdentifierPart(sql.charAt(position - 2));
  }
}
