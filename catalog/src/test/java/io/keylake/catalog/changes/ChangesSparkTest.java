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

package io.keylake.catalog.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.golden.GoldenTables;
import io.keylake.spark.convert.KeylakeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code CHANGES}, and the options and tables that read changes. */
final class ChangesSparkTest {
  private static final String KEYED =
      " (k INT, v STRING) TBLPROPERTIES ('primary-key'='k','bucket'='1')";

  @TempDir private Path warehouse;

  private SharedSpark spark;

  @BeforeEach
  void start() {
    spark = SharedSpark.over(warehouse);
  }

  private void golden(String table) {
    GoldenTables.unpack(table, warehouse.resolve("db.db"));
  }

  /** Five versions: insert, upsert, delete, update, insert with a new column. */
  private void history(String table) {
    spark.run(
        "CREATE TABLE " + table + KEYED,
        "INSERT INTO " + table + " VALUES (1,'a'),(2,'b')",
        "INSERT INTO " + table + " VALUES (2,'B'),(3,'c')",
        "DELETE FROM " + table + " WHERE k = 1",
        "UPDATE " + table + " SET v = 'cc' WHERE k = 3");
  }

  private List<String> changes(String from) {
    return spark.rows(
        "SELECT _commit_version, _change_type, k, v FROM "
            + from
            + " ORDER BY _commit_version, k, _change_type DESC");
  }

  private static String[] all() {
    return new String[] {
      "1,insert,1,a",
      "1,insert,2,b",
      "2,update_preimage,2,b",
      "2,update_postimage,2,B",
      "2,insert,3,c",
      "3,delete,1,a",
      "4,update_preimage,3,c",
      "4,update_postimage,3,cc"
    };
  }

  private void refused(String query, String condition, String message) {
    assertThatThrownBy(() -> spark.rows(query))
        .isInstanceOf(KeylakeException.class)
        .hasMessageContaining("[" + condition + "]")
        .hasMessageContaining(message);
  }

  @Test
  void differencesHaveBothImagesInTheOrderOfCommits() {
    history("t");

    assertThat(changes("t CHANGES FROM VERSION 1")).containsExactly(all());
    assertThat(changes("t CHANGES FROM VERSION 2 TO VERSION 3"))
        .containsExactly(
            "2,update_preimage,2,b", "2,update_postimage,2,B", "2,insert,3,c", "3,delete,1,a");
    assertThat(changes("t CHANGES FROM VERSION 1 EXCLUSIVE TO VERSION 3 EXCLUSIVE"))
        .containsExactly("2,update_preimage,2,b", "2,update_postimage,2,B", "2,insert,3,c");
    assertThat(spark.session().read().changes("t").select("_change_type").collectAsList())
        .hasSize(8);
    assertThat(
            spark
                .session()
                .read()
                .option("startingVersion", "3")
                .option("endingVersion", "4")
                .option("endingBoundInclusive", "false")
                .changes("lake.db.t")
                .select("k")
                .collectAsList()
                .get(0)
                .getInt(0))
        .isEqualTo(1);
  }

  @Test
  void bothRowsOfAnUpdateFitIntoTheSmallestBatches() {
    history("t");
    String option = "spark.sql.parquet.columnarReaderBatchSize";
    spark.session().conf().set(option, "1");
    try {
      assertThat(changes("t CHANGES FROM VERSION 1")).containsExactly(all());
    } finally {
      spark.session().conf().unset(option);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'scan.snapshot-id' = '2'",
        "'scan.timestamp' = '2024-01-01'",
        "'scan.mode' = 'latest-full'"
      })
  void aPartOfTheHistoryIsNotAskedForBesideAVersion(String other) {
    history("t");

    assertThatThrownBy(
            () -> spark.rows("SELECT * FROM t WITH ('incremental-between' = '1,2', " + other + ")"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("'incremental-between' chooses a part of the history")
        .hasMessageContaining(other.split("'")[1]);
  }

  @Test
  void conditionsOnCommitsAndKindsLeaveOutWhatIsNotRead() {
    history("t");
    String query =
        "SELECT k FROM t CHANGES FROM VERSION 1 WHERE _commit_version >= 2 AND _commit_version <> 4"
            + " AND _change_type IN ('insert','delete')";

    assertThat(spark.rows(query)).containsExactlyInAnyOrder("3", "1");
    String plan = spark.value("EXPLAIN FORMATTED " + query);
    assertThat(plan)
        .contains("Keylake lake.db.t changes of versions [1, newest], computed between snapshots")
        .contains("residual=[]")
        .doesNotContain("Exchange");
    assertThat(spark.rows("SELECT v FROM t CHANGES FROM VERSION 1 WHERE k = 3 AND v > 'c'"))
        .containsExactly("cc");
    assertThat(spark.value("SELECT count(*) FROM t CHANGES FROM VERSION 1")).isEqualTo("8");
    assertThat(spark.rows("SELECT 1 FROM t CHANGES FROM VERSION 1 LIMIT 3")).hasSize(3);
    assertThat(
            spark.rows(
                "SELECT k FROM t CHANGES FROM VERSION 1 WHERE _commit_timestamp < TIMESTAMP"
                    + " '1999-01-01'"))
        .isEmpty();
  }

  @Test
  void netChangesAreThoseOfTheWholeRange() {
    history("t");

    assertThat(
            changes(
                "t CHANGES FROM VERSION 2 WITH (deduplicationMode = 'netChanges', computeUpdates ="
                    + " 'true')"))
        .containsExactly(
            "2,update_preimage,2,b", "2,update_postimage,2,B", "3,delete,1,a", "4,insert,3,cc");
    assertThat(changes("t CHANGES FROM VERSION 1 WITH (deduplicationMode = 'none')"))
        .containsExactly(all());
    assertThat(changes("t CHANGES FROM VERSION 1 WITH (computeUpdates = 'true')"))
        .containsExactly(all());
  }

  @Test
  void storedChangelogsAreUsedAndBelongToTheirAppend() {
    golden("cl_lookup");

    assertThat(changes("cl_lookup CHANGES FROM VERSION 3 TO VERSION 3"))
        .containsExactly(
            "3,update_preimage,1,a",
            "3,update_postimage,1,a2",
            "3,delete,2,b",
            "3,insert,3,c",
            "3,update_preimage,4,same",
            "3,update_postimage,4,same");
    assertThat(changes("cl_lookup CHANGES FROM VERSION 2 TO VERSION 2")).isEmpty();
    assertThat(spark.value("EXPLAIN FORMATTED SELECT * FROM cl_lookup CHANGES FROM VERSION 1"))
        .contains("stored changelog (lookup)");
    golden("cl_decoupled");
    assertThat(spark.value("SELECT count(*) FROM cl_decoupled CHANGES FROM VERSION 1"))
        .isEqualTo("8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lookup", "full-compaction"})
  void whatAStatementLeavesToACompactionIsToldByThatOnly(String producer) {
    spark.run(
        "CREATE TABLE t (k INT, p INT, v STRING) PARTITIONED BY (p) TBLPROPERTIES ('primary-key' ="
            + " 'k,p', 'bucket' = '1', 'merge-engine' = 'partial-update', 'changelog-producer' = '"
            + producer
            + "')",
        "INSERT INTO t VALUES (1,0,'a'), (2,1,'b')",
        "CALL sys.compact(table => 't', compact_strategy => 'full')",
        "MERGE INTO t USING (SELECT * FROM VALUES (1,0), (3,1) AS r(k,p)) s ON t.k = s.k AND t.p ="
            + " s.p WHEN MATCHED THEN UPDATE SET v = NULL WHEN NOT MATCHED THEN INSERT (k,p,v)"
            + " VALUES (s.k, s.p, 'c')",
        "CALL sys.compact(table => 't', compact_strategy => 'full')");

    assertThat(spark.rows("SELECT _change_type, k, v FROM t CHANGES FROM VERSION 1"))
        .containsExactlyInAnyOrder(
            "insert,1,a",
            "insert,2,b",
            "update_preimage,1,a",
            "update_postimage,1,null",
            "insert,3,c");
  }

  @Test
  void aRangeAcrossSchemaChangesHasTheNewestColumns() {
    history("t");
    spark.run(
        "ALTER TABLE t ADD COLUMN w INT",
        "ALTER TABLE t RENAME COLUMN v TO name",
        "INSERT INTO t VALUES (4,'d',40)");

    assertThat(
            spark.rows(
                "SELECT k, name, w, _change_type FROM t CHANGES FROM VERSION 4 ORDER BY"
                    + " _commit_version, 4 DESC"))
        .containsExactly("3,c,null,update_preimage", "3,cc,null,update_postimage", "4,d,40,insert");
  }

  @Test
  void rowsOfAppendTablesComeAndGo() {
    spark.run(
        "CREATE TABLE log (k INT, v STRING)",
        "INSERT INTO log VALUES (1,'a'),(1,'a'),(2,'b')",
        "UPDATE log SET v = 'bb' WHERE k = 2",
        "DELETE FROM log WHERE k = 1");

    assertThat(changes("log CHANGES FROM VERSION 1"))
        .containsExactly(
            "1,insert,1,a",
            "1,insert,1,a",
            "1,insert,2,b",
            "2,insert,2,bb",
            "2,delete,2,b",
            "3,delete,1,a",
            "3,delete,1,a");
    refused(
        "SELECT * FROM log CHANGES FROM VERSION 1 WITH (deduplicationMode = 'netChanges')",
        "KEYLAKE_UNSUPPORTED_OPERATION",
        "it has no primary key");
  }

  @Test
  void tagsAndTimesAreBoundsAndBranchesHaveChanges() {
    history("t");
    spark.run(
        "CALL sys.create_tag(table => 't', tag => 'two', snapshot => 2)",
        "CALL sys.create_branch(table => 't', branch => 'b', tag => 'two')",
        "INSERT INTO `t$branch_b` VALUES (9,'z')");
    String third = spark.value("SELECT commit_time FROM `t$snapshots` WHERE snapshot_id = 3");

    assertThat(changes("t CHANGES FROM VERSION 'two' EXCLUSIVE TO VERSION 3"))
        .containsExactly("3,delete,1,a");
    assertThat(changes("t CHANGES FROM TIMESTAMP '" + third + "'"))
        .containsExactly("3,delete,1,a", "4,update_preimage,3,c", "4,update_postimage,3,cc");
    assertThat(changes("t CHANGES FROM TIMESTAMP '1999-01-01' TO TIMESTAMP '" + third + "'"))
        .hasSize(6);
    assertThat(changes("`t$branch_b` CHANGES FROM VERSION 3")).containsExactly("3,insert,9,z");
  }

  @Test
  void boundsOutsideOfTheHistoryAreConditions() {
    history("t");

    refused("SELECT * FROM t CHANGES FROM VERSION 9", "KEYLAKE_VERSION_NOT_FOUND", "newest 4");
    refused(
        "SELECT * FROM t CHANGES FROM VERSION 3 TO VERSION 2",
        "KEYLAKE_INVALID_REQUEST",
        "which is before it");
    refused("SELECT * FROM t CHANGES FROM VERSION 'x'", "KEYLAKE_VERSION_NOT_FOUND", "'x' is no");
    refused(
        "SELECT * FROM t CHANGES FROM TIMESTAMP '2999-01-01'",
        "KEYLAKE_VERSION_NOT_FOUND",
        "has not been made yet");
    refused(
        "SELECT * FROM `t$snapshots` CHANGES FROM VERSION 1",
        "KEYLAKE_UNSUPPORTED_OPERATION",
        "metadata table");
    golden("expired");
    refused(
        "SELECT * FROM expired CHANGES FROM VERSION 1",
        "KEYLAKE_VERSION_NOT_FOUND",
        "The oldest version available is 5");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM nowhere CHANGES FROM VERSION 1"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
  }

  @Test
  void aColumnWithTheNameOfAChangeColumnIsRefused() {
    spark.run("CREATE TABLE odd (k INT, _change_type STRING)", "INSERT INTO odd VALUES (1,'x')");

    refused("SELECT * FROM odd CHANGES FROM VERSION 1", "KEYLAKE_INVALID_REQUEST", "_change_type");
    assertThat(spark.rows("SELECT * FROM `odd$audit_log`")).containsExactly("+I,1,x");
  }

  @Test
  void theFormatsIncrementalReadsGiveRowsWithTheirKinds() {
    golden("cl_lookup");
    golden("pk_l0_deletes");

    assertThat(spark.rows("SELECT * FROM cl_lookup WITH ('incremental-between' = '2,4')"))
        .containsExactly("1,a", "1,a2", "2,b", "3,c", "4,same", "4,same");
    assertThat(
            spark.rows(
                "SELECT * FROM `cl_lookup$audit_log` WITH ('incremental-between' = '2,4',"
                    + " 'incremental-between-scan-mode' = 'delta') ORDER BY k"))
        .hasSize(5);
    assertThat(
            spark.rows(
                "SELECT * FROM cl_lookup WITH ('incremental-between' = '2,4',"
                    + " 'incremental-between-scan-mode' = 'diff') ORDER BY k"))
        .containsExactly("1,a2", "3,c");
    assertThat(
            spark.rows(
                "SELECT * FROM `cl_lookup$audit_log` WITH ('incremental-between' = '2,4',"
                    + " 'incremental-between-scan-mode' = 'diff') ORDER BY k"))
        .containsExactly("+U,1,a2", "-D,2,b", "+I,3,c");
    assertThat(spark.rows("SELECT * FROM cl_lookup WITH ('incremental-between' = '2,2')"))
        .isEmpty();
    assertThat(spark.rows("SELECT * FROM cl_lookup WITH ('incremental-between-timestamp' = '0,1')"))
        .isEmpty();
    List<String> read = new ArrayList<>();
    for (Row row :
        spark
            .session()
            .read()
            .option("incremental-between", "0,3")
            .table("`pk_l0_deletes$audit_log`")
            .collectAsList()) {
      read.add(row.getString(0));
    }
    assertThat(read)
        .containsExactlyInAnyOrderElementsOf(
            GoldenTables.expected("pk_l0_deletes", "expected-changes.jsonl").stream()
                .map(line -> line.replaceAll(".*\"_kind\":\"(..)\".*", "$1"))
                .toList());
    refused(
        "SELECT * FROM cl_lookup WITH ('incremental-between' = '4,2')",
        "KEYLAKE_INVALID_REQUEST",
        "which is before it");
    refused(
        "SELECT * FROM cl_lookup WITH ('incremental-between' = '1,9')",
        "KEYLAKE_VERSION_NOT_FOUND",
        "Version 9");
    refused(
        "SELECT * FROM cl_lookup WITH ('incremental-between' = '1')",
        "KEYLAKE_INVALID_OPTION",
        "does not name two ends");
  }

  @Test
  void tagsAreComparedWhereBothEndsAreTags() {
    history("t");
    spark.run(
        "CALL sys.create_tag(table => 't', tag => 'one', snapshot => 1)",
        "CALL sys.create_tag(table => 't', tag => 'four', snapshot => 4)",
        "INSERT INTO t VALUES (2,'B')");

    assertThat(spark.rows("SELECT * FROM t WITH ('incremental-between' = 'one,four') ORDER BY k"))
        .containsExactly("2,B", "3,cc");
    assertThat(
            spark.rows(
                "SELECT * FROM `t$audit_log` WITH ('incremental-between' = 'one,four') ORDER BY k"))
        .containsExactly("-D,1,a", "+U,2,B", "+I,3,cc");
    refused(
        "SELECT * FROM t WITH ('incremental-to-auto-tag' = 'none')",
        "KEYLAKE_VERSION_NOT_FOUND",
        "Its tags: [four, one]");
  }

  @Test
  void theAuditLogAndTheBinlogShowKindsFirst() {
    golden("cl_lookup");

    assertThat(spark.rows("SELECT * FROM `cl_lookup$audit_log` ORDER BY k"))
        .containsExactly("+I,1,a2", "+I,3,c", "+I,4,same");
    assertThat(
            spark.rows(
                "SELECT rowkind, to_json(struct(k, v)) FROM `cl_lookup$binlog` WITH"
                    + " ('incremental-between' = '2,4') ORDER BY k[0]"))
        .containsExactly(
            "+U,{\"k\":[1,1],\"v\":[\"a\",\"a2\"]}",
            "-D,{\"k\":[2],\"v\":[\"b\"]}",
            "+I,{\"k\":[3],\"v\":[\"c\"]}",
            "+U,{\"k\":[4,4],\"v\":[\"same\",\"same\"]}");
    spark.run(
        "ALTER TABLE cl_lookup SET TBLPROPERTIES ('table-read.sequence-number.enabled'='true')");
    assertThat(
            spark.rows(
                "SELECT * FROM `cl_lookup$audit_log` WITH ('incremental-between' = '0,2') ORDER BY"
                    + " k"))
        .containsExactly("+I,0,1,a", "+I,1,2,b", "+I,2,4,same");
  }

  @Test
  void aPathGivesTheChangeFeedByItsOption() {
    history("t");
    List<Row> rows =
        spark
            .session()
            .read()
            .format("keylake")
            .option("readChangeFeed", "true")
            .option("startingVersion", "3")
            .load(warehouse.resolve("db.db/t").toString())
            .collectAsList();

    assertThat(rows.stream().map(row -> row.getInt(0) + row.getString(2)).sorted())
        .containsExactly("1delete", "3update_postimage", "3update_preimage");
    assertThatThrownBy(
            () ->
                spark
                    .session()
                    .read()
                    .option("readChangeFeed", "true")
                    .option("startingVersion", "3")
                    .table("t")
                    .collectAsList())
        .hasMessageContaining("KeylakeExtensions");
  }

  @Test
  void changelogsThatOutliveTheirSnapshotsAreReadFromTheLastOverwriteOn() {
    spark.run(
        "CREATE TABLE l (k INT, v STRING) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '1',"
            + " 'changelog-producer' = 'lookup', 'changelog.num-retained.min' = '20',"
            + " 'changelog.num-retained.max' = '20', 'snapshot.num-retained.min' = '1',"
            + " 'snapshot.num-retained.max' = '2')",
        "INSERT INTO l VALUES (1, 'a')",
        "INSERT OVERWRITE l VALUES (2, 'b')",
        "INSERT INTO l VALUES (3, 'c')",
        "INSERT INTO l VALUES (4, 'd')");
    assertThatThrownBy(() -> spark.rows("SELECT * FROM l CHANGES FROM VERSION 1"))
        .hasMessageContaining("KEYLAKE_VERSION_NOT_FOUND")
        .hasMessageContaining("The changes of version 3 of table lake.db.l have expired")
        .hasMessageContaining("The oldest version available is 4.");
    assertThat(spark.rows("SELECT k FROM l CHANGES FROM VERSION 4")).containsExactly("3", "4");
    assertThat(spark.session().read().changes("l").count()).isEqualTo(2);
    assertThatThrownBy(
            () ->
                spark.rows(
                    "SELECT * FROM l WITH ('incremental-between' = '0,1',"
                        + " 'incremental-between-scan-mode' = 'delta')"))
        .hasMessageContaining("KEYLAKE_VERSION_NOT_FOUND")
        .hasMessageContaining("The changes of version 1 of table lake.db.l have expired");
  }

  @Test
  void theSessionCatalogHasChangesOfOurTables() {
    SharedSpark session = SharedSpark.inSessionCatalog(warehouse);
    session.run(
        "CREATE TABLE default.changing (k INT, v STRING) USING keylake"
            + " TBLPROPERTIES ('primary-key'='k','bucket'='1')",
        "INSERT INTO default.changing VALUES (1,'a')");

    List<String> rows =
        new ArrayList<>(
            session.rows("SELECT k, v, _change_type FROM default.changing CHANGES FROM VERSION 1"));
    rows.sort(Comparator.naturalOrder());
    assertThat(rows).containsExactly("1,a,insert");
    session.run("DROP TABLE default.changing");
  }
}
