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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kinds of written rows, counted columns and definitions of merge engines, by SQL. */
final class RowKindSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  private String snapshots(String table) {
    return spark.value("SELECT count(*) FROM `" + table + "$snapshots`");
  }

  private void assertSound(String table) throws Exception {
    assertThat(ReferenceTable.of(warehouse.toString(), "db", table).problems()).isEmpty();
  }

  /** Writes rows in the order in which they are listed. */
  private void insertInOrder(String table, String rows) {
    spark.run("INSERT INTO " + table + " SELECT /*+ COALESCE(1) */ * FROM VALUES " + rows);
  }

  @Test
  void columnOfTheTableHoldsTheKind() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, op STRING, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('rowkind.field' = 'op')");
    spark.run("INSERT INTO t VALUES (1, 'a', '+I'), (2, 'b', '+I'), (3, 'c', '+I')");
    insertInOrder("t", "(1, 'a', '-D'), (2, 'b', '-U'), (2, 'x', '+U'), (9, '', '-D')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).containsExactly("2,x,+U", "3,c,+I");
    spark.run("INSERT INTO t VALUES (1, 'again', '+I')");
    assertThat(spark.rows("SELECT v FROM t WHERE k = 1")).containsExactly("again");
    assertThatThrownBy(() -> spark.run("INSERT INTO t VALUES (4, 'd', 'D')"))
        .hasMessageContaining("KEYLAKE_INVALID_VALUE")
        .hasMessageContaining("'D' in column op");
    assertSound("t");
  }

  @Test
  void updateIsFoldedAfterWhatItReplaces() {
    spark.run(
        "CREATE TABLE t (k INT, s INT, n INT, op STRING, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '1', 'rowkind.field' = 'op', 'sequence.field' = 's',"
            + " 'sequence.auto-padding' = 'row-kind-flag', 'merge-engine' = 'aggregation',"
            + " 'fields.n.aggregate-function' = 'sum', 'fields.op.aggregate-function' ="
            + " 'last_value')");
    insertInOrder("t", "(1, 5, 10, '+I')");
    insertInOrder("t", "(1, 6, 10, '-U'), (1, 6, 12, '+U')");
    insertInOrder("t", "(1, 4, 1, '+I')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,6,13,+U");
  }

  @Test
  void statementNamesTheColumnThatHoldsTheKind() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, op STRING, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '1')");
    spark.run("INSERT INTO t VALUES (1, '-D'), (2, 'any')");
    spark.run("INSERT INTO t WITH ('row-kind-column' = 'op') VALUES (1, '-D'), (3, '+I')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).containsExactly("2,any", "3,+I");
    assertThatThrownBy(() -> spark.run("INSERT INTO t WITH ('row-kind-column' = 'k') SELECT 1, ''"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("'k' of type INT");
    assertThatThrownBy(() -> spark.run("ALTER TABLE t SET TBLPROPERTIES ('row-kind-column'='op')"))
        .hasMessageContaining("rowkind.field");
    assertSound("t");
  }

  @Test
  void writeOfWhichNothingIsLeftMakesNoSnapshot() {
    spark.run(
        "CREATE TABLE t (k INT, op STRING, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('rowkind.field' = 'op', 'ignore-delete' = 'true')");
    spark.run("INSERT INTO t VALUES (1, '+I')");
    spark.run("INSERT INTO t VALUES (1, '-D'), (2, '-U')");
    assertThat(snapshots("t")).isEqualTo("1");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,+I");
  }

  @Test
  void countIsASumForOtherEngines() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
            + " ('bucket' = '1', 'merge-engine' = 'aggregation',"
            + " 'fields.n.aggregate-function' = 'count')");
    assertThat(spark.rows("SHOW TBLPROPERTIES t ('fields.n.aggregate-function')"))
        .containsExactly("fields.n.aggregate-function,count");
    spark.run("INSERT INTO t VALUES (1, 50), (1, NULL), (2, NULL)");
    spark.run("INSERT INTO t VALUES (1, -3)");
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").rows())
        .containsExactly("{\"k\":1,\"n\":2}", "{\"k\":2,\"n\":0}");
    assertThatThrownBy(
            () -> spark.run("ALTER TABLE t UNSET TBLPROPERTIES ('fields.n.aggregate-function')"))
        .hasMessageContaining("KEYLAKE_IMMUTABLE_OPTION");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).containsExactly("1,2", "2,0");
  }

  @Test
  void wrongOptionsOfAnEngineAreRefusedByAlter() {
    spark.run(
        "CREATE TABLE t (k INT, s INT, a INT, b INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
            + " ('bucket' = '1', 'merge-engine' = 'partial-update')");
    spark.run("INSERT INTO t VALUES (1, 1, 1, 1)");
    for (String option :
        new String[] {
          "'fields.s.sequence-group' = 'a,nope'",
          "'fields.nope.aggregate-function' = 'sum'",
          "'fields.a.aggregate-function' = 'summ'",
          "'fields.b.aggregate-function' = 'max'"
        }) {
      assertThatThrownBy(() -> spark.run("ALTER TABLE t SET TBLPROPERTIES (" + option + ")"))
          .hasMessageContaining("KEYLAKE_")
          .hasMessageContaining(option.split("'")[1]);
    }
    assertThatThrownBy(() -> spark.run("ALTER TABLE t ADD COLUMN c INT DEFAULT 1"))
        .hasMessageContaining("KEYLAKE_INVALID_SCHEMA_CHANGE");
    spark.run("ALTER TABLE t SET TBLPROPERTIES ('fields.s.sequence-group' = 'a')");
    spark.run("INSERT INTO t VALUES (1, 2, 20, NULL)");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,2,20,1");
  }
}
