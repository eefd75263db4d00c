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

package io.keylake.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MERGE as an append of the source's rows, and what keeps a MERGE from being one. */
final class UpsertMergeSparkTest {
  private static final String UPSERT =
      " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *";

  @TempDir private Path warehouse;
  private SharedSpark spark;
  private SharedSpark plain;

  @BeforeEach
  void tables() {
    spark = SharedSpark.withRules(warehouse);
    plain = SharedSpark.plain(warehouse);
  }

  private static String columns(String properties) {
    return "(id INT, v STRING, PRIMARY KEY (id)) TBLPROPERTIES ('bucket' = '2'" + properties + ")";
  }

  /** Tables a and b of the same rows, for a session each. */
  private void twins(String definition, String... rows) {
    for (String table : List.of("a", "b")) {
      spark.run("CREATE TABLE " + table + " " + definition);
      for (String values : rows) {
        spark.run("INSERT INTO " + table + " VALUES " + values);
      }
    }
  }

  /** Runs a statement on {@code TARGET} by the rules and without them; the rows must be alike. */
  private List<String> both(String statement, String query) {
    spark.run(statement.replace("TARGET", "a"));
    plain.run(statement.replace("TARGET", "b"));
    List<String> rows = spark.rows(query.replace("TARGET", "a"));
    assertThat(rows).isEqualTo(spark.rows(query.replace("TARGET", "b")));
    return rows;
  }

  private void assertReadsNoTarget(String statement) {
    assertThat(spark.plan(statement.replace("TARGET", "a")))
        .contains("InsertOnlyMerge lake.db.a")
        .doesNotContain("BatchScan lake.db.a", "MergeRows", "Join");
    assertThat(plain.plan(statement.replace("TARGET", "b"))).contains("BatchScan lake.db.b");
  }

  private void assertReadsTarget(String statement) {
    assertThat(spark.plan(statement.replace("TARGET", "a"))).contains("BatchScan lake.db.a");
  }

  @Test
  void upsertOfAllColumnsReadsNoTarget() {
    twins(columns(""), "(1, 'a'), (2, 'b')");
    String merge =
        "MERGE INTO TARGET t USING (SELECT * FROM VALUES (2, 'B'), (3, 'C') AS x(id, v)) s"
            + " ON t.id = s.id"
            + UPSERT;
    assertReadsNoTarget(merge);
    assertThat(both(merge, "SELECT * FROM TARGET ORDER BY id"))
        .containsExactly("1,a", "2,B", "3,C");
  }

  @Test
  void sourceMayBeOfWiderTypesAndInAnyColumnOrder() {
    twins(columns(""), "(1, 'a'), (2, 'b')");
    spark.run("CREATE TABLE s (V STRING, ID BIGINT)", "INSERT INTO s VALUES ('B', 2), ('C', 3)");
    String merge = "MERGE INTO TARGET t USING s ON s.id = T.ID" + UPSERT;
    assertReadsNoTarget(merge);
    assertThat(both(merge, "SELECT * FROM TARGET ORDER BY id"))
        .containsExactly("1,a", "2,B", "3,C");
  }

  @Test
  void compositeKeyOfPartitionedTableWithDefaultColumns() {
    twins(
        "(a VARCHAR(3), b SMALLINT, d DATE, v DECIMAL(10, 2) DEFAULT 5, PRIMARY KEY (a, b, d))"
            + " PARTITIONED BY (d) TBLPROPERTIES ('bucket' = '1')",
        "('x', 4, DATE'2020-01-01', 1), ('y', 4, DATE'2020-01-01', 2)");
    String merge =
        "MERGE INTO TARGET t USING (SELECT * FROM VALUES ('x', 4, DATE'2020-01-01', 7),"
            + " ('x', 4, DATE'2020-01-02', 8) AS x(a, b, c, n)) s"
            + " ON d = s.c AND t.a = s.a AND s.b = t.b"
            + " WHEN MATCHED THEN UPDATE SET v = DEFAULT"
            + " WHEN NOT MATCHED THEN INSERT (v, d, b, a) VALUES (DEFAULT, s.c, s.b, s.a)";
    assertReadsNoTarget(merge);
    assertThat(both(merge, "SELECT * FROM TARGET ORDER BY a, d"))
        .containsExactly("x,4,2020-01-01,5.00", "x,4,2020-01-02,5.00", "y,4,2020-01-01,2.00");
  }

  @Test
  void commonTableExpressionsTemporaryViewsAndTheTargetItselfAreSources() {
    twins(columns(""), "(1, 'a'), (2, 'b')");
    for (SharedSpark session : List.of(spark, plain)) {
      session.run("CREATE TEMPORARY VIEW q AS SELECT 7 AS id, 'view' AS v");
    }
    String view = "MERGE INTO TARGET USING q ON TARGET.id = q.id" + UPSERT;
    assertReadsNoTarget(view);
    both(view, "SELECT * FROM TARGET ORDER BY id");
    String self =
        "WITH s AS (SELECT id + 1 AS id, v FROM TARGET WHERE id = 2)"
            + " MERGE INTO TARGET t USING s ON t.id = s.id"
            + UPSERT;
    assertThat(spark.plan(self.replace("TARGET", "a"))).contains("InsertOnlyMerge lake.db.a");
    assertThat(both(self, "SELECT * FROM TARGET ORDER BY id"))
        .containsExactly("1,a", "2,b", "3,b", "7,view");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'bucket' = '-1'", "'deletion-vectors.enabled' = 'true'"})
  void tablesThatKeepTheLastRowOfAKeyAreUpserted(String property) {
    String definition =
        "(id INT, v STRING, PRIMARY KEY (id)) TBLPROPERTIES ("
            + (property.contains("'bucket'") ? property : "'bucket' = '1', " + property)
            + ")";
    twins(definition, "(1, 'a'), (2, 'b')");
    String merge = "MERGE INTO TARGET t USING (SELECT 2 AS id, 'B' AS v) s ON t.id = s.id" + UPSERT;
    assertReadsNoTarget(merge);
    assertThat(both(merge, "SELECT * FROM TARGET ORDER BY id")).containsExactly("1,a", "2,B");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ", 'sequence.field' = 'v'",
        ", 'merge-engine' = 'partial-update'",
        ", 'merge-engine' = 'aggregation'",
        ", 'merge-engine' = 'first-row'"
      })
  void tablesThatWeighRowsAreRead(String property) {
    twins(columns(property));
    assertReadsTarget(
        "MERGE INTO TARGET t USING (SELECT 2 AS id, 'B' AS v) s ON t.id = s.id" + UPSERT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t.id = s.id AND s.n > 5 | UPDATE SET v = s.v | INSERT (id, v) VALUES (s.id, s.v) | 1:a 2:B"
            + " 3:C",
        "t.id = s.id AND t.v <> 'b' | UPDATE SET v = s.v | INSERT (id, v) VALUES (s.id, s.v) | 1:a"
            + " 2:B 3:C",
        "t.id = s.id AND t.v = s.v | UPDATE SET v = s.v | INSERT (id, v) VALUES (s.id, s.v) | 1:a"
            + " 2:B 3:C",
        "t.id = s.id | UPDATE SET v = concat(t.v, s.v) | INSERT (id, v) VALUES (s.id, s.v) | 1:a"
            + " 2:bB 3:C",
        "t.id = s.id | UPDATE SET v = s.v | INSERT (id, v) VALUES (s.id, 'new') | 1:a 2:B 3:new",
        "t.id = s.id | UPDATE SET v = s.v | INSERT (id, v) VALUES (s.id + 10, s.v) | 1:a 2:B 13:C",
        "t.id = s.n | UPDATE SET v = s.v | INSERT (id, v) VALUES (s.id, s.v) | 1:a 2:B 3:C"
      })
  void otherConditionsAndValuesReadTheTarget(
      String on, String update, String insert, String expected) {
    twins(columns(""), "(1, 'a'), (2, 'b')");
    String merge =
        "MERGE INTO TARGET t USING (SELECT * FROM VALUES (2, 'B', 2), (3, 'C', 9)"
            + " AS x(id, v, n)) s ON "
            + on
            + " WHEN MATCHED THEN "
            + update
            + " WHEN NOT MATCHED THEN "
            + insert;
    assertReadsTarget(merge);
    assertThat(both(merge, "SELECT concat(id, ':', v) FROM TARGET ORDER BY id"))
        .containsExactly(expected.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WHEN MATCHED AND s.v = 'B' THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT * | 1:a 2:B 3:C",
        "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED AND s.id > 3 THEN INSERT * | 1:a 2:B",
        "WHEN MATCHED THEN UPDATE SET * | 1:a 2:B",
        "WHEN NOT MATCHED THEN INSERT * | 1:a 2:b 3:C",
        "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT * | 1:a 3:C",
        "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
            + " WHEN NOT MATCHED BY SOURCE THEN DELETE | 2:B 3:C",
        "WHEN MATCHED AND t.v = 'x' THEN DELETE WHEN MATCHED THEN UPDATE SET *"
            + " WHEN NOT MATCHED THEN INSERT * | 1:a 2:B 3:C"
      })
  void otherClausesReadTheTarget(String clauses, String expected) {
    twins(columns(""), "(1, 'a'), (2, 'b')");
    String merge =
        "MERGE INTO TARGET t USING (SELECT * FROM VALUES (2, 'B'), (3, 'C') AS x(id, v)) s"
            + " ON t.id = s.id "
            + clauses;
    assertReadsTarget(merge);
    assertThat(both(merge, "SELECT concat(id, ':', v) FROM TARGET ORDER BY id"))
        .containsExactly(expected.split(" "));
  }

  @Test
  void partOfTheKeyReadsTheTarget() {
    twins(
        "(id INT, n INT, v STRING, PRIMARY KEY (id, n)) TBLPROPERTIES ('bucket' = '1')",
        "(1, 1, 'a'), (2, 1, 'b')");
    String merge =
        "MERGE INTO TARGET t USING (SELECT 2 AS id, 1 AS n, 'B' AS v) s ON t.id = s.id" + UPSERT;
    assertReadsTarget(merge);
    assertThat(both(merge, "SELECT * FROM TARGET ORDER BY id")).containsExactly("1,1,a", "2,1,B");
  }

  @Test
  void movedKeysReadTheTarget() {
    twins(columns(", 'row-level.key-update' = 'move'"));
    assertReadsTarget(
        "MERGE INTO TARGET t USING (SELECT 2 AS id, 'B' AS v) s ON t.id = s.id"
            + " WHEN MATCHED THEN UPDATE SET id = s.id + 20, v = s.v"
            + " WHEN NOT MATCHED THEN INSERT *");
  }

  @Test
  void roundedKeysReadTheTarget() {
    twins("(id BIGINT, v STRING, PRIMARY KEY (id)) TBLPROPERTIES ('bucket' = '1')", "(1, 'a')");
    assertReadsTarget(
        "MERGE INTO TARGET t USING (SELECT 1.5D AS id, 'B' AS v) s ON t.id = s.id" + UPSERT);
  }

  @Test
  void nullKeysAreRefusedOnBothPaths() {
    twins(columns(""), "(1, 'a')");
    spark.run("CREATE TABLE s (id INT, v STRING)", "INSERT INTO s VALUES (NULL, 'B'), (3, 'C')");
    String merge = "MERGE INTO TARGET t USING s ON t.id = s.id" + UPSERT;
    assertReadsNoTarget(merge);
    assertThatThrownBy(() -> spark.run(merge.replace("TARGET", "a")))
        .hasStackTraceContaining("NOT_NULL_ASSERT_VIOLATION");
    assertThatThrownBy(() -> plain.run(merge.replace("TARGET", "b")))
        .hasStackTraceContaining("NOT_NULL_ASSERT_VIOLATION");
    assertThat(spark.rows("SELECT * FROM a")).containsExactly("1,a");
  }

  @Test
  void twoSourceRowsOfAKeyAreRefusedOnBothPaths() {
    twins(columns(""), "(1, 'a')");
    String inserted =
        "MERGE INTO TARGET t USING (SELECT * FROM VALUES (3, 'B'), (3, 'C') AS x(id, v)) s"
            + " ON t.id = s.id"
            + UPSERT;
    String matched = inserted.replace("(3,", "(1,");
    for (String merge : List.of(inserted, matched)) {
      assertReadsNoTarget(merge);
      assertThatThrownBy(() -> spark.run(merge.replace("TARGET", "a")))
          .hasStackTraceContaining("KEYLAKE_DUPLICATE_KEY");
    }
    assertThatThrownBy(() -> plain.run(inserted.replace("TARGET", "b")))
        .hasStackTraceContaining("KEYLAKE_DUPLICATE_KEY");
    assertThatThrownBy(() -> plain.run(matched.replace("TARGET", "b")))
        .hasStackTraceContaining("MERGE_CARDINALITY_VIOLATION");
    assertThat(spark.rows("SELECT * FROM a")).containsExactly("1,a");
    assertThat(spark.rows("SELECT * FROM b")).containsExactly("1,a");
  }

  @Test
  void checksOfStoredValuesStay() {
    twins("(id INT, v VARCHAR(2), n TINYINT NOT NULL, PRIMARY KEY (id))", "(1, 'a', 1)");
    String merge =
        "MERGE INTO a USING (SELECT 1 AS id, %s AS v, %s AS n) s ON a.id = s.id" + UPSERT;
    assertThat(spark.plan(merge.formatted("'b'", "2"))).doesNotContain("BatchScan");
    assertThatThrownBy(() -> spark.run(merge.formatted("'long'", "2")))
        .hasStackTraceContaining("EXCEED_LIMIT_LENGTH");
    assertThatThrownBy(() -> spark.run(merge.formatted("'b'", "1000")))
        .hasStackTraceContaining("CAST_OVERFLOW");
    assertThatThrownBy(() -> spark.run(merge.formatted("'b'", "CAST(NULL AS INT)")))
        .hasStackTraceContaining("NOT_NULL_ASSERT_VIOLATION");
    assertThat(spark.rows("SELECT * FROM a")).containsExactly("1,a,1");
  }

  @Test
  void theSnapshotSaysThatItWasAMerge() {
    twins(columns(""), "(1, 'a')");
    both(
        "MERGE INTO TARGET t USING (SELECT 1 AS id, 'A' AS v) s ON t.id = s.id" + UPSERT,
        "SELECT * FROM TARGET");
    assertThat(spark.newestSnapshot("a").properties()).containsEntry("keylake.operation", "MERGE");
    assertThat(spark.newestSnapshot("b").properties()).containsEntry("keylake.operation", "MERGE");
  }
}
