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

package io.keylake.catalog.rowlevel;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * One of Spark's tests, stated again.
 *
 * @param suite the name of Spark's suite
 * @param title the title of Spark's test
 * @param api how MERGE statements are run
 * @param kinds the kinds of tables that it applies to
 * @param key the key column of tables that have one
 * @param columns the columns of the table {@code t}, as in CREATE TABLE
 * @param properties more properties of the table
 * @param rows the statement that fills the table, or nothing
 * @param source the columns of the view {@code source}, or nothing
 * @param sourceRows the rows of that view
 * @param isForReference whether the reference reads the same rows
 * @param steps what is done, in order
 */
record Scenario(
    String suite,
    String title,
    Api api,
    Set<TableKind> kinds,
    String key,
    String columns,
    String properties,
    String rows,
    String source,
    String sourceRows,
    boolean isForReference,
    List<Step> steps) {
  Scenario {
    kinds = Set.copyOf(kinds);
    steps = List.copyOf(steps);
  }

  /** How MERGE statements are run. */
  enum Api {
    SQL,
    DATAFRAME
  }

  /** What a line after a statement expects. */
  enum Aspect {
    ROWS("="),
    FAILURE("!"),
    COUNTS("%"),
    NO_PLAN("?!"),
    PLAN("?"),
    SCHEMA(":"),
    COLUMNS("^");

    private final String sign;

    Aspect(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }
  }

  /**
   * An expectation after a statement.
   *
   * @param aspect what is looked at
   * @param kinds the kinds of tables it is for
   * @param query the query whose rows are expected
   * @param text what is expected
   */
  record Expectation(Aspect aspect, Set<TableKind> kinds, String query, String text) {
    Expectation {
      kinds = Set.copyOf(kinds);
    }
  }

  /** A statement and what is expected after it. */
  record Step(String statement, List<Expectation> expectations) {
    Step {
      expectations = List.copyOf(expectations);
    }

    /** What this kind of table is expected to show. */
    List<Expectation> of(TableKind kind) {
      return expectations.stream().filter(one -> one.kinds().contains(kind)).toList();
    }
  }

  /** The name in reports and in the list of scenarios. */
  String id() {
    return suite + ": " + title;
  }

  /** Whether it is one of the many of schema evolution. */
  boolean evolves() {
    return title.startsWith("schema evolution");
  }

  /** The query behind the view {@code source}. */
  String sourceQuery() {
    StructType type = StructType.fromDDL(source);
    String columns =
        List.of(type.fields()).stream()
            .map(field -> column(field, type.fieldIndex(field.name())))
            .collect(Collectors.joining(", "));
    return sourceRows.isEmpty()
        ? "SELECT " + columns.replaceAll("CAST\\(col\\d+ AS", "CAST(NULL AS") + " WHERE false"
        : "SELECT " + columns + " FROM VALUES " + sourceRows;
  }

  private static String column(StructField field, int index) {
    String type = field.dataType().sql();
    return "CAST(col" + (index + 1) + " AS " + type + ") AS `" + field.name() + "`";
  }
}
