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
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Table functions and the option {@code readChangeFeed}. */
final class ChangeFunctionsSparkTest {
  @TempDir private Path warehouse;

  private SharedSpark spark;

  @BeforeEach
  void start() {
    spark = SharedSpark.withRules(warehouse);
    spark.run(
        "CREATE TABLE t (k INT, v STRING) TBLPROPERTIES ('primary-key'='k','bucket'='1')",
        "INSERT INTO t VALUES (1,'a'),(2,'b')",
        "INSERT INTO t VALUES (2,'B')",
        "DELETE FROM t WHERE k = 1");
  }

  @Test
  void tableChangesReadsVersionsAndTimes() {
    assertThat(
            spark.rows(
                "SELECT k, v, _change_type FROM table_changes('t', 2, 3) ORDER BY _commit_version,"
                    + " 3 DESC"))
        .containsExactly("2,b,update_preimage", "2,B,update_postimage", "1,a,delete");
    assertThat(spark.rows("SELECT k FROM table_changes('db.t', 3)")).containsExactly("1");
    assertThat(spark.rows("SELECT * FROM table_changes('lake.db.`t`', '1999-01-01')")).hasSize(5);
    assertThat(
            spark.rows(
                "SELECT k FROM table_changes('t', TIMESTAMP '1999-01-01', current_timestamp()) x"
                    + " WHERE x._commit_version = 3"))
        .containsExactly("1");
  }

  @Test
  void incrementalFunctionsReadRows() {
    assertThat(spark.rows("SELECT * FROM paimon_incremental_query('t', 1, 2)"))
        .containsExactly("2,B");
    spark.run(
        "CALL sys.create_tag(table => 't', tag => 'x', snapshot => 1)",
        "CALL sys.create_tag(table => 't', tag => 'y', snapshot => 3)");
    assertThat(spark.rows("SELECT * FROM paimon_incremental_query('t', 'x', 'y')"))
        .containsExactly("2,B");
    assertThat(
            spark.rows(
                "SELECT k FROM paimon_incremental_between_timestamp('t', '0', '99999999999999')"))
        .hasSize(4);
    assertThat(spark.rows("SELECT * FROM paimon_incremental_to_auto_tag('t', 'y')")).isEmpty();
  }

  @Test
  void theChangeFeedIsAnOptionOfARead() {
    assertThat(
            spark
                .session()
                .read()
                .option("readChangeFeed", "true")
                .option("startingVersion", "3")
                .table("t")
                .select("k", "_change_type", "_commit_version")
                .collectAsList())
        .singleElement()
        .hasToString("[1,delete,3]");
    assertThat(
            spark.rows(
                "SELECT _change_type FROM t WITH ('readChangeFeed' = 'true', 'startingVersion' ="
                    + " '2', 'endingVersion' = '2') ORDER BY 1"))
        .containsExactly("update_postimage", "update_preimage");
    assertThat(spark.rows("SELECT * FROM t WITH ('readChangeFeed' = 'false')")).hasSize(1);
  }

  @Test
  void aStreamOfTextsOfFixedLengthIsATableOfStrings() throws Exception {
    spark.run("CREATE TABLE c (k INT, c CHAR(3))", "INSERT INTO c VALUES (1, 'ab')");
    Dataset<Row> stream = spark.session().readStream().table("lake.db.c").where("c = 'ab'");
    stream.writeStream().format("memory").queryName("seen").start().processAllAvailable();
    for (StreamingQuery query : spark.session().streams().active()) {
      query.stop();
    }
    assertThat(spark.rows("SELECT * FROM seen")).containsExactly("1,ab ");
  }

  @Test
  void callsThatMakeNoSenseAreConditions() {
    refused("SELECT * FROM table_changes('t')", "takes the name of a table, a start");
    refused("SELECT * FROM table_changes('t', NULL)", "constants that are not NULL");
    refused("SELECT * FROM table_changes('t', 1, '2024-01-01')", "two versions or two timestamps");
    refused("SELECT * FROM table_changes('`t', 1)", "takes the name of a table");
    refused("SELECT * FROM table_changes('t', 9)", "has not been committed yet");
    refused("SELECT * FROM table_changes('nowhere', 1)", "TABLE_OR_VIEW_NOT_FOUND");
    refused("SELECT * FROM paimon_incremental_query('t', 1)", "a start and an end");
  }

  private void refused(String query, String message) {
    assertThatThrownBy(() -> spark.rows(query)).hasMessageContaining(message);
  }
}
