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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.reference.ReferenceTable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merge engines as users of such tables write their statements. */
final class MergeEngineSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  /** Other engines see the same rows, and so do we after a full compaction. */
  @AfterEach
  void rowsAreThoseOfTheReferenceAndStayAfterCompaction() throws Exception {
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", "t");
    assertThat(reference.problems()).isEmpty();
    List<String> before = spark.sql("SELECT * FROM t").toJSON().collectAsList();
    spark.run("CALL sys.compact(table => 't', compact_strategy => 'full')");
    assertThat(spark.sql("SELECT * FROM t").toJSON().collectAsList())
        .containsExactlyInAnyOrderElementsOf(before);
    assertThat(reference.problems()).isEmpty();
  }

  private void create(String columns, String options) {
    String properties = options.isEmpty() ? "" : " TBLPROPERTIES (" + options + ")";
    spark.run("CREATE TABLE t (" + columns + ", PRIMARY KEY (k) NOT ENFORCED)" + properties);
  }

  private void insert(String... rows) {
    for (String row : rows) {
      spark.run("INSERT INTO t VALUES " + row);
    }
  }

  private List<String> rows() {
    return spark.rows("SELECT * FROM t ORDER BY k");
  }

  @Test
  void deduplicateKeepsTheLastRow() {
    create("k INT, price DOUBLE, name STRING", "");
    insert("(1, 2.0, 'apple'), (1, 4.0, 'banana'), (1, 8.0, 'cherry')");
    assertThat(rows()).containsExactly("1,8.0,cherry");
  }

  @Test
  void deleteTakesTheKeyAway() {
    create("k INT, v STRING, op STRING", "'rowkind.field' = 'op'");
    insert("(1, 'a', '+I'), (2, 'x', '+I')", "(1, 'b', '+I')", "(1, 'b', '-D')");
    assertThat(rows()).containsExactly("2,x,+I");
  }

  @Test
  void firstRowKeepsTheFirst() {
    create("k INT, price DOUBLE, name STRING", "'merge-engine' = 'first-row'");
    insert(
        "(1, 2.0, 'apple'), (1, 4.0, 'banana'), (1, 8.0, 'cherry')",
        "(1, 9.0, 'x'), (2, 1.0, 'y')");
    assertThat(rows()).containsExactly("1,2.0,apple", "2,1.0,y");
    assertThat(spark.value("SELECT count(*) FROM t WHERE name = 'x'")).isEqualTo("0");
  }

  @Test
  void aggregationCombinesEachColumn() {
    create(
        "k INT, price DOUBLE, sales BIGINT",
        "'merge-engine' = 'aggregation', 'fields.price.aggregate-function' = 'max',"
            + " 'fields.sales.aggregate-function' = 'sum'");
    insert("(1, 23.0, 15)", "(1, 30.2, 20)");
    assertThat(rows()).containsExactly("1,30.2,35");
    assertThat(spark.rows("SELECT k FROM t WHERE sales = 35")).containsExactly("1");
    assertThat(spark.rows("SELECT k FROM t WHERE sales = 20")).isEmpty();
  }

  @Test
  void partialUpdateKeepsTheLatestValueOfEachColumn() {
    create("k INT, a DOUBLE, b INT, c STRING", "'merge-engine' = 'partial-update'");
    insert("(1, 23.0, 10, NULL)", "(1, NULL, NULL, 'This is a book')", "(1, 25.2, NULL, NULL)");
    assertThat(rows()).containsExactly("1,25.2,10,This is a book");
    spark.run("INSERT INTO t (k, b) VALUES (1, 11), (2, 12)");
    assertThat(rows()).containsExactly("1,25.2,11,This is a book", "2,null,12,null");
  }

  @Test
  void lateEventStaysHidden() {
    create("k INT, v STRING, event_time TIMESTAMP", "'sequence.field' = 'event_time'");
    insert(
        "(1, 'a', TIMESTAMP'2024-01-01 10:00:01'), (1, 'b', TIMESTAMP'2024-01-01 10:00:05'),"
            + " (1, 'c', TIMESTAMP'2024-01-01 10:00:03')",
        "(1, 'd', TIMESTAMP'2024-01-01 10:00:03')");
    assertThat(spark.rows("SELECT v FROM t")).containsExactly("b");
  }

  @Test
  void smallestWinsWhereTheOrderIsDescending() {
    create(
        "k INT, v STRING, s INT",
        "'sequence.field' = 's', 'sequence.field.sort-order' = 'descending'");
    insert("(1, 'a', 5), (1, 'b', 6), (1, 'c', NULL)", "(1, 'd', 4), (1, 'e', 9)");
    assertThat(rows()).containsExactly("1,d,4");
  }

  @Test
  void sequenceGroupsGoByTheirOwnClocks() {
    create(
        "k INT, a INT, b INT, g_1 INT, c INT, d INT, g_2 INT",
        "'merge-engine' = 'partial-update', 'fields.g_1.sequence-group' = 'a,b',"
            + " 'fields.g_2.sequence-group' = 'c,d'");
    insert("(1, 1, 1, 1, 1, 1, 1)", "(1, 2, 2, 2, 2, 2, NULL)");
    assertThat(rows()).containsExactly("1,2,2,2,1,1,1");
    insert("(1, 3, 3, 1, 3, 3, 3)");
    assertThat(rows()).containsExactly("1,2,2,2,3,3,3");
  }

  @Test
  void columnsOfSequenceGroupsMayBeAggregated() {
    create(
        "k INT, a INT, b INT, g_1 INT, c INT, d INT, g_2 INT",
        "'merge-engine' = 'partial-update', 'fields.g_1.sequence-group' = 'a,b',"
            + " 'fields.b.aggregate-function' = 'max', 'fields.g_2.sequence-group' = 'c,d',"
            + " 'fields.d.aggregate-function' = 'sum'");
    insert("(1, 1, 1, 1, 1, 1, 1), (1, 2, NULL, 2, 2, 2, NULL)", "(1, 3, 9, 1, 3, 3, 3)");
    assertThat(rows()).containsExactly("1,2,9,2,3,4,3");
  }

  @Test
  void nestedRowsAreATableInTheRow() {
    create(
        "k INT, user STRING, address STRING, orders ARRAY<STRUCT<id: INT, name: STRING, price:"
            + " INT>>",
        "'merge-engine' = 'aggregation', 'fields.orders.aggregate-function' = 'nested_update',"
            + " 'fields.orders.nested-key' = 'id'");
    spark.run(
        "INSERT INTO t (k, user, address) VALUES (1, 'Alice', 'add1'), (2, 'Bob', 'add2')",
        "INSERT INTO t (k, orders) SELECT k, array(named_struct('id', id, 'name', name, 'price',"
            + " price)) FROM VALUES (1, 11, 'apple', 10), (1, 12, 'banana', 20), (2, 21, 'cherry',"
            + " 30), (2, 22, 'peach', 40), (2, 21, 'cherry', 50) AS s(k, id, name, price)");
    assertThat(
            spark.rows(
                "SELECT k, user, address, transform(array_sort(orders), o -> concat_ws(' ', o.id,"
                    + " o.name, o.price)) FROM t ORDER BY k"))
        .containsExactly(
            "1,Alice,add1,ArraySeq(11 apple 10, 12 banana 20)",
            "2,Bob,add2,ArraySeq(21 cherry 50, 22 peach 40)");
  }

  @Test
  void countCountsValues() {
    create(
        "k INT, n BIGINT",
        "'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'count'");
    insert("(1, 100), (1, NULL), (1, 7), (2, NULL)", "(1, -5)");
    assertThat(rows()).containsExactly("1,3", "2,0");
  }

  @Test
  void sumThatItsTypeDoesNotHoldIsReadButNotWritten() {
    create(
        "k INT, v DECIMAL(4,2)",
        "'merge-engine' = 'aggregation', 'fields.v.aggregate-function' = 'sum'");
    assertThatThrownBy(() -> insert("(1, 99.00), (1, 5.00)"))
        .hasStackTraceContaining("KEYLAKE_VALUE_OUT_OF_RANGE")
        .hasStackTraceContaining("DECIMAL(14,2)");
    insert("(1, 99.00)", "(1, 5.00)");
    assertThat(rows()).containsExactly("1,104.00");
    assertThatThrownBy(
            () -> spark.run("CALL sys.compact(table => 't', compact_strategy => 'full')"))
        .hasStackTraceContaining("KEYLAKE_VALUE_OUT_OF_RANGE");
    spark.run("ALTER TABLE t ALTER COLUMN v TYPE DECIMAL(14,2)");
    assertThat(rows()).containsExactly("1,104.00");
  }

  @Test
  void nanInAKeyDoublesNoOtherKey() {
    create("k INT, v INT", "");
    spark.run(
        "CREATE TABLE nan (k0 DOUBLE, k1 DOUBLE, v INT, PRIMARY KEY (k0, k1) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '1', 'write-only' = 'true')",
        "INSERT INTO nan VALUES (3D, double('Infinity'), 0)",
        "INSERT INTO nan VALUES (3D, double('Infinity'), 1), (double('NaN'), -1D, 1)");
    assertThat(spark.rows("SELECT * FROM nan ORDER BY k0"))
        .containsExactly("3.0,Infinity,1", "NaN,-1.0,1");
    spark.run(
        "CREATE TABLE files (k DOUBLE, v INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket'"
            + " = '1', 'target-file-size' = '1 b', 'file.block-size' = '1 b')",
        "INSERT INTO files SELECT if(id = 30, double('NaN'), double(id)), 0 FROM range(31)",
        "CALL sys.compact(table => 'files', compact_strategy => 'full')",
        "INSERT INTO files SELECT if(id = 30, double('NaN'), double(id)), 1 FROM range(31)");
    assertThat(spark.rows("SELECT v, count(*) FROM files GROUP BY v")).containsExactly("1,31");
    spark.run("CALL sys.compact(table => 'files', compact_strategy => 'full')");
    assertThat(spark.rows("SELECT v, count(*) FROM files GROUP BY v")).containsExactly("1,31");
  }

  @Test
  void columnThatIsNotNullKeepsAValue() {
    create(
        "k INT, v INT NOT NULL, op STRING",
        "'merge-engine' = 'aggregation', 'rowkind.field' = 'op',"
            + " 'fields.op.ignore-retract' = 'true'");
    insert("(1, 1, '+I')");
    assertThatThrownBy(() -> insert("(1, 1, '-D')"))
        .hasStackTraceContaining("KEYLAKE_UNSUPPORTED_RETRACTION")
        .hasStackTraceContaining("column v is NOT NULL");
    assertThat(rows()).containsExactly("1,1,+I");
  }

  @Test
  void functionsOfOtherEnginesDoNothing() {
    create("k INT, v INT", "'fields.v.aggregate-function' = 'count'");
    insert("(1, 55)", "(1, 56)");
    assertThat(rows()).containsExactly("1,56");
  }

  @Test
  void engineIsTheTablesAndNotTheStatements() {
    create("k INT, v INT", "'merge-engine' = 'aggregation', 'fields.v.aggregate-function' = 'sum'");
    insert("(1, 2)", "(1, 3)");
    for (String option :
        List.of(
            "'merge-engine' = 'deduplicate'",
            "'fields.v.aggregate-function' = 'max'",
            "'sequence.field' = 'v'")) {
      for (String statement :
          List.of(
              "SELECT * FROM t WITH (" + option + ")",
              "INSERT INTO t WITH (" + option + ") VALUES (1, 9)")) {
        assertThatThrownBy(() -> spark.rows(statement))
            .hasMessageContaining("KEYLAKE_IMMUTABLE_OPTION");
      }
    }
    assertThat(spark.rows("SELECT * FROM t WITH ('merge-engine' = 'aggregation')"))
        .containsExactly("1,5");
  }

  @Test
  void rowsWithoutAKeyAreNotMerged() {
    create("k INT", "");
    for (String option : List.of("'merge-engine' = 'aggregation'", "'sequence.field' = 'a'")) {
      assertThatThrownBy(() -> spark.run("CREATE TABLE x (a INT) TBLPROPERTIES (" + option + ")"))
          .hasMessageContaining("KEYLAKE_INVALID_OPTION")
          .hasMessageContaining("PRIMARY KEY");
    }
  }
}
