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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.jspecify.annotations.Nullable;

/** What follows the columns of a CREATE TABLE, in any order. */
final class TableClauses {
  private static final Set<String> PROVIDERS = Set.of("keylake", "paimon");

  private final Map<String, String> properties = new LinkedHashMap<>();
  private final Map<String, String> distribution = new LinkedHashMap<>();
  private @Nullable Span with;
  private @Nullable Span sparkProperties;
  private @Nullable Span distributed;
  private @Nullable String provider;
  private @Nullable Like like;
  private int end;

  /** The code points {@code [start, end)} of the text. */
  private record Span(int start, int end) {}

  /**
   * {@code LIKE source (options)}.
   *
   * @param place where it begins
   * @param source the other table, as written
   * @param options what stands in parentheses, as words
   */
  record Like(Token place, String source, List<String> options) {}

  /** Passes the clauses at the cursor, up to the query, if there is one. */
  static TableClauses read(TokenCursor cursor) throws ParseException {
    TableClauses clauses = new TableClauses();
    clauses.readAll(cursor);
    return clauses;
  }

  private void readAll(TokenCursor cursor) throws ParseException {
    end = endOfLast(cursor);
    while (!cursor.atEnd() && !cursor.sees("AS") && !cursor.sees("SELECT")) {
      Token start = cursor.peek();
      if (cursor.sees("WITH", "(")) {
        cursor.next();
        properties.putAll(cursor.properties());
        with = span(start, cursor);
      } else if (cursor.accept("TBLPROPERTIES")) {
        properties.putAll(cursor.properties());
        sparkProperties = span(start, cursor);
      } else if (cursor.accept("DISTRIBUTED")) {
        readDistribution(cursor);
        distributed = span(start, cursor);
      } else if (cursor.accept("USING")) {
        provider = String.join(".", cursor.name()).toLowerCase(Locale.ROOT);
      } else if (cursor.accept("LIKE")) {
        readLike(start, cursor);
      } else if (cursor.sees("(")) {
        cursor.skipParentheses();
      } else {
        cursor.next();
      }
      end = endOfLast(cursor);
    }
  }

  private void readDistribution(TokenCursor cursor) throws ParseException {
    if (cursor.accept("BY")) {
      cursor.accept("HASH");
      cursor.expect("(");
      List<String> keys = new ArrayList<>();
      do {
        keys.add(cursor.identifier());
      } while (cursor.accept(","));
      cursor.expect(")");
      distribution.put("bucket-key", String.join(",", keys));
    }
    cursor.expect("INTO");
    distribution.put("bucket", Long.toString(cursor.expectInteger("a number of buckets")));
    cursor.expect("BUCKETS");
  }

  private void readLike(Token place, TokenCursor cursor) throws ParseException {
    int from = cursor.peek().getStartIndex();
    cursor.name();
    String source = cursor.text(from, endOfLast(cursor));
    List<String> options = new ArrayList<>();
    if (cursor.accept("(")) {
      while (!cursor.sees(")") && !cursor.atEnd()) {
        options.add(cursor.next().getText().toUpperCase(Locale.ROOT));
      }
      cursor.expect(")");
    }
    like = new Like(place, source, options);
  }

  private static Span span(Token start, TokenCursor cursor) {
    return new Span(start.getStartIndex(), endOfLast(cursor));
  }

  private static int endOfLast(TokenCursor cursor) {
    return cursor.at(cursor.position() - 1).getStopIndex() + 1;
  }

  /** Properties of {@code WITH} and {@code TBLPROPERTIES}. */
  Map<String, String> properties() {
    return properties;
  }

  /** The options that {@code DISTRIBUTED BY} stands for. */
  Map<String, String> distribution() {
    return distribution;
  }

  /** The other table that this one is like, if any. */
  @Nullable Like like() {
    return like;
  }

  /** Where the last clause ends. */
  int end() {
    return end;
  }

  /** Whether there are clauses that only Spark has. */
  boolean areSparks() {
    return provider != null || sparkProperties != null;
  }

  /** Whether {@code USING} says what the table is. */
  boolean hasProvider() {
    return provider != null;
  }

  /** Whether {@code USING} names something else than tables of ours. */
  boolean isOfAnotherProvider() {
    return provider != null && !PROVIDERS.contains(provider);
  }

  /** Whether the properties can stay as they are. */
  boolean keepsProperties() {
    return with == null && distributed == null;
  }

  /** Takes out what Spark has no clause for, but for the properties. */
  void remove(TextEdits edits) {
    if (distributed != null) {
      edits.remove(distributed.start(), distributed.end());
    }
  }

  /** Puts {@code sql} where the properties are, or at the end. */
  void replaceProperties(TextEdits edits, String sql) {
    Span place = with != null ? with : sparkProperties;
    if (place == null) {
      edits.insert(end, sql);
      return;
    }
    edits.replace(place.start(), place.end(), sql);
    if (with != null && sparkProperties != null) {
      edits.remove(sparkProperties.start(), sparkProperties.end());
    }
  }
}
