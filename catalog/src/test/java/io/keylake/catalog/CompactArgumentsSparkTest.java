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

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the arguments of {@code CALL sys.compact} choose, and which are refused. Dry runs tell how
 * many buckets are looked at; nothing is changed.
 */
final class CompactArgumentsSparkTest {
  @TempDir private static Path warehouse;
  private static SharedSpark spark;

  /** Three partitions of two columns; each has one bucket with two runs. */
  @BeforeAll
  static void makePartitions() {
    spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE p (k INT, dt DATE, hh INT, v STRING, PRIMARY KEY (k, dt, hh) NOT ENFORCED)"
            + " PARTITIONED BY (dt, hh) TBLPROPERTIES ('bucket' = '1', 'write-only' = 'true')",
        "CREATE TABLE flat (k INT)",
        "INSERT INTO flat VALUES (1)");
    for (int i = 0; i < 2; i++) {
      spark.run(
          "INSERT INTO p VALUES (1, DATE'2024-01-01', 1, 'a'), (1, DATE'2024-01-01', 2, 'a'),"
              + " (1, DATE'2024-01-02', 1, 'a')");
    }
  }

  /** Nothing here changes the table. */
  @AfterEach
  void twoSnapshotsAsBefore() {
    assertThat(spark.value("SELECT count(*) FROM `p$snapshots`")).isEqualTo("2");
  }

  private static String looked(String arguments) {
    return looked("p", arguments);
  }

  private static String looked(String table, String arguments) {
    List<String> rows =
        spark.rows(
            "CALL lake.sys.compact(table => '" + table + "', dry_run => true, " + arguments + ")");
    assertThat(rows).hasSize(1);
    return rows.get(0).substring(0, rows.get(0).indexOf(','));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dt=2024-01-01,hh=1 | 1",
        "hh=1,dt=2024-01-01 | 1",
        "dt=2024-01-01 | 2",
        "hh=1 | 2",
        " DT = 2024-01-01 , hh = 2 ; dt=2024-01-02;| 2",
        "dt=2024-01-01;hh=1 | 3",
        "dt=1999-01-01 | 0",
        "hh=__DEFAULT_PARTITION__ | 0"
      })
  void partitionsAreNamedByValues(String text, String buckets) {
    assertThat(looked("partitions => '" + text + "'")).isEqualTo(buckets);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dt = '2024-01-01' | 2",
        "dt > DATE'2024-01-01' AND hh IN (1, 2) | 1",
        "year(dt) = 2024 AND hh + 1 = 2 | 2",
        "p.hh = 2 | 1",
        "dt < current_date() | 3",
        "hh IS NULL | 0",
        "NOT exists(array(1, 2), x -> x = hh) | 0",
        "true | 3",
        "CAST(NULL AS BOOLEAN) | 0"
      })
  void whereIsAnyConditionOnPartitionColumns(String condition, String buckets) {
    assertThat(looked("where => \"" + condition + "\"")).isEqualTo(buckets);
  }

  @Test
  void nullAndTextPartitionsAreChosenExactly() {
    spark.run(
        "CREATE TABLE s (v INT, s STRING) PARTITIONED BY (s)",
        "INSERT INTO s VALUES (1, NULL), (2, ''), (3, 'a=b'), (4, \"it's\"), (5, 'A')");
    assertThat(looked("s", "partitions => 's=__DEFAULT_PARTITION__'")).isEqualTo("1");
    assertThat(looked("s", "partitions => 's=a=b'")).isEqualTo("1");
    assertThat(looked("s", "where => \"s IS NULL OR s = 'it\\\\'s'\"")).isEqualTo("2");
    assertThat(looked("s", "where => \"s = 'a'\"")).isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partitions => 'x=1' | KEYLAKE_COLUMN_NOT_FOUND | no partition column 'x'",
        "partitions => 'hh=one' | KEYLAKE_INVALID_REQUEST | 'one' is no INT, the type of hh",
        "partitions => 'dt=2024-13-01' | KEYLAKE_INVALID_REQUEST | is no DATE",
        "partitions => 'hh' | KEYLAKE_INVALID_REQUEST | 'hh' is no column=value",
        "partitions => 'hh=1,hh=2' | KEYLAKE_INVALID_REQUEST | names a column twice",
        "partitions => ' ; ' | KEYLAKE_INVALID_REQUEST | the text is empty",
        "where => 'v = 1' | KEYLAKE_INVALID_REQUEST | names the column 'v', which is no partition",
        "where => 'hh = 1 AND p.k > 2' | KEYLAKE_INVALID_REQUEST | the column 'k'",
        "where => 'nope = 1' | KEYLAKE_COLUMN_NOT_FOUND | names a column that does not exist",
        "where => '__position = 0' | KEYLAKE_COLUMN_NOT_FOUND | names a column that does not exist",
        "where => 'hh IN (SELECT 1)' | KEYLAKE_INVALID_REQUEST | has a subquery",
        "where => 'EXISTS (SELECT 1)' | KEYLAKE_INVALID_REQUEST | has a subquery",
        "where => 'rand() > 0.5' | KEYLAKE_INVALID_REQUEST | may answer differently each time",
        "where => 'max(hh) = 1' | KEYLAKE_INVALID_REQUEST | cannot resolve",
        "where => 'hh' | KEYLAKE_INVALID_REQUEST | cannot resolve",
        "where => 'hh = 1) OR (1 = 1' | KEYLAKE_INVALID_REQUEST | cannot parse",
        "where => '' | KEYLAKE_INVALID_REQUEST | cannot parse",
        "where => 'hh = 1', partitions => 'hh=1' | KEYLAKE_INVALID_REQUEST | Use one of them",
        "compact_strategy => 'most' | KEYLAKE_INVALID_REQUEST | Use 'full' or 'minor'",
        "options => 'target-file-size' | KEYLAKE_INVALID_REQUEST | is no key=value",
        "options => 'target-file=1' | KEYLAKE_INVALID_REQUEST | option 'target-file', which does",
        "options => 'num-levels=4,num-levels=5' | KEYLAKE_INVALID_REQUEST | twice",
        "options => 'target-file-size=big' | KEYLAKE_INVALID_OPTION | target-file-size",
        "options => 'bucket=2' | KEYLAKE_IMMUTABLE_OPTION | 'bucket'",
        "options => 'branch=nope' | KEYLAKE_REFERENCE_NOT_FOUND | no branch 'nope'",
        "options => 'scan.snapshot-id=1' | KEYLAKE_INVALID_REQUEST | newest version",
        "partition_idle_time => 'soon' | KEYLAKE_INVALID_REQUEST | no time span"
      })
  void argumentsThatMakeNoSenseAreRefusedByName(String argument, String condition, String text) {
    assertThatThrownBy(() -> spark.sql("CALL lake.sys.compact(table => 'p', " + argument + ")"))
        .hasMessageContaining(condition)
        .hasMessageContaining(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"partitions => 'k=1'", "where => 'k = 1'", "partition_idle_time => '1 d'"})
  void tablesWithoutPartitionsHaveNoneToChoose(String argument) {
    assertThatThrownBy(() -> spark.sql("CALL lake.sys.compact(table => 'flat', " + argument + ")"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST")
        .hasMessageContaining("lake.db.flat: the table is not partitioned");
  }

  @Test
  void idleTimeLeavesFreshPartitionsOut() {
    assertThat(looked("partition_idle_time => '1 d'")).isEqualTo("0");
    assertThat(looked("partition_idle_time => '0 ms'")).isEqualTo("3");
  }

  @Test
  void dryRunCountsAndChangesNothing() {
    String row = spark.rows("CALL lake.sys.compact(table => 'p', dry_run => true)").get(0);
    assertThat(row).startsWith("3,3,6,null,").contains(",null,6,null,0,0,");
  }

  @Test
  void argumentsMayBePositionalAndOptionsAMap() {
    assertThat(
            spark.rows(
                "CALL sys.compact('db.p', 'hh=1', 'minor', NULL, NULL, NULL, map('num-levels',"
                    + " '3'), NULL, true)"))
        .first()
        .asString()
        .startsWith("2,0,0,");
    assertThat(
            spark.rows(
                "CALL lake.system.compact(table => '`lake`.db.`p`', options =>"
                    + " map('num-sorted-run.compaction-trigger', '2'), compact_strategy =>"
                    + " 'MINOR', dry_run => true)"))
        .first()
        .asString()
        .startsWith("3,3,6,");
  }

  @Test
  void describedAmongTheProcedures() {
    assertThat(spark.rows("SHOW PROCEDURES IN lake.sys").toString()).contains("compact");
    assertThat(spark.rows("DESCRIBE PROCEDURE lake.sys.compact").toString())
        .contains("partition_idle_time");
  }

  @Test
  void tablesThatDoNotExistOrHaveNoRowsAreFine() {
    assertThatThrownBy(() -> spark.sql("CALL lake.sys.compact(table => 'db.none')"))
        .hasMessageContaining("KEYLAKE_REFERENCE_NOT_FOUND");
    spark.run("CREATE TABLE e (k INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket'='1')");
    assertThat(spark.rows("CALL lake.sys.compact(table => 'e')"))
        .first()
        .asString()
        .startsWith("0,0,0,0,0,0,0,0,0,0,");
    assertThat(spark.value("SELECT count(*) FROM `e$snapshots`")).isEqualTo("0");
  }
}
