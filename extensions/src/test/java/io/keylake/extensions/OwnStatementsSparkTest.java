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

import io.keylake.catalog.KeylakeSessionCatalog;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements that Spark does not have, on tables of ours and of others. */
final class OwnStatementsSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.withRules(warehouse);
  }

  private void fails(String statement, String... parts) {
    assertThatThrownBy(() -> spark.run(statement)).as(statement).hasMessageContainingAll(parts);
  }

  /** The user's text is quoted, with a mark under the column. */
  private void isRefused(String statement, int column, String what) {
    assertThatThrownBy(() -> spark.run(statement))
        .as(statement)
        .isInstanceOf(ParseException.class)
        .hasMessageContainingAll(
            "PARSE_SYNTAX_ERROR", "42601", statement, what, "-".repeat(column) + "^^^");
  }

  @Test
  void tagsAndBranchesAreMadeShownAndDropped() {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1')",
        "INSERT INTO t VALUES (1, 'a')",
        "INSERT INTO t VALUES (2, 'b')");
    assertThat(spark.rows("ALTER TABLE t CREATE TAG one AS OF VERSION 1 RETAIN 7 DAYS"))
        .containsExactly("one,1");
    assertThat(spark.rows("alter table lake.db.t create tag if not exists `one`"))
        .containsExactly("one,1");
    fails("ALTER TABLE t CREATE TAG one", "KEYLAKE_REFERENCE_ALREADY_EXISTS");
    spark.run(
        "ALTER TABLE t CREATE OR REPLACE TAG `a-b` AS OF VERSION 1;",
        "ALTER TABLE t CREATE OR REPLACE TAG 'a-b'",
        "ALTER TABLE t RENAME TAG `a-b` TO two",
        "ALTER TABLE t REPLACE TAG two RETAIN 30 MINUTES");
    assertThat(spark.rows("SHOW TAGS t"))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("one,1,").endsWith(",PT168H"),
            two -> assertThat(two).startsWith("two,2,").endsWith(",PT30M"));
    assertThat(spark.rows("ALTER TABLE t DROP TAG IF EXISTS none")).isEmpty();
    fails("ALTER TABLE t DROP TAG none", "KEYLAKE_REFERENCE_NOT_FOUND", "one, two");
    fails("ALTER TABLE t CREATE TAG three AS OF VERSION 9", "KEYLAKE_VERSION_NOT_FOUND");
    spark.run(
        "ALTER TABLE t CREATE BRANCH b AS OF TAG one",
        "ALTER TABLE t CREATE BRANCH IF NOT EXISTS b",
        "ALTER TABLE t CREATE BRANCH c AS OF VERSION 2",
        "ALTER TABLE t CREATE BRANCH empty",
        "ALTER TABLE t DROP TAG two");
    fails("ALTER TABLE t CREATE BRANCH d AS OF VERSION 2", "KEYLAKE_INVALID_REQUEST", "CREATE TAG");
    fails("ALTER TABLE t CREATE BRANCH b", "KEYLAKE_REFERENCE_ALREADY_EXISTS");
    spark.run(
        "ALTER TABLE t RENAME BRANCH b TO d",
        "INSERT INTO `t$branch_d` VALUES (3, 'c')",
        "ALTER TABLE t FAST FORWARD TO BRANCH d",
        "ALTER TABLE t DROP BRANCH d",
        "ALTER TABLE t DROP BRANCH IF EXISTS d");
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "3");
    assertThat(spark.rows("SHOW BRANCHES IN t").stream().map(row -> row.split(",")[0]))
        .containsExactlyInAnyOrder("c", "empty");
    fails("ALTER TABLE t DROP BRANCH d", "KEYLAKE_REFERENCE_NOT_FOUND");
  }

  @Test
  void versionsAreDescribedRestoredAndCleanedUp() {
    spark.run(
        "CREATE TABLE t (k INT, v INT, dt STRING) PARTITIONED BY (dt)",
        "INSERT INTO t VALUES (1, 1, 'x')",
        "INSERT INTO t VALUES (2, 2, 'x'), (3, 3, 'y')",
        "ALTER TABLE t CREATE TAG kept",
        "INSERT OVERWRITE t VALUES (4, 4, 'z')");
    assertThat(columns("DESCRIBE HISTORY t"))
        .containsSubsequence(
            "version", "timestamp", "userId", "operation", "operationParameters", "readVersion")
        .contains("isBlindAppend", "operationMetrics");
    assertThat(spark.rows("DESC HISTORY lake.db.t LIMIT 2")).hasSize(2);
    assertThat(
            spark
                .session()
                .sql("DESCRIBE HISTORY t LIMIT :n", Map.<String, Object>of("n", 1L))
                .collectAsList())
        .hasSize(1);
    assertThat(spark.session().sql("DESCRIBE HISTORY t LIMIT ?", new Object[] {2}).collectAsList())
        .hasSize(2);
    assertThat(columns("DESCRIBE DETAIL t"))
        .containsSubsequence(
            "format", "id", "name", "description", "location", "createdAt", "lastModified")
        .contains("partitionColumns", "numFiles", "sizeInBytes", "properties");
    assertThat(columns("RESTORE TABLE t TO VERSION AS OF 'kept'"))
        .startsWith(
            "table_size_after_restore",
            "num_of_files_after_restore",
            "num_removed_files",
            "num_restored_files",
            "removed_files_size",
            "restored_files_size");
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2", "3");
    spark.run("RESTORE t VERSION AS OF 1");
    assertThat(spark.rows("SELECT k FROM t")).containsExactly("1");
    spark.run(
        "RESTORE TABLE t TO TIMESTAMP AS OF '2100-01-01 00:00:00'", "RESTORE t VERSION AS OF 2");
    fails("RESTORE t TO TIMESTAMP AS OF '2001-01-01'", "KEYLAKE_VERSION_NOT_FOUND");
    fails("RESTORE t TO TIMESTAMP AS OF 'soon'", "KEYLAKE_INVALID_REQUEST");
    fails("RESTORE t VERSION AS OF 99", "KEYLAKE_VERSION_NOT_FOUND", "Snapshots 1 to 6 exist");
    Row optimized = spark.sql("OPTIMIZE t WHERE dt = 'x' ZORDER BY (k, `v`)").head();
    assertThat(optimized.getString(0)).endsWith("/db.db/t");
    assertThat(optimized.getStruct(1).<Long>getAs("numFilesRemoved")).isEqualTo(2);
    assertThat(optimized.getStruct(1).<Long>getAs("numFilesAdded")).isEqualTo(1);
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2", "3");
    fails("OPTIMIZE t WHERE v = 1", "KEYLAKE_INVALID_REQUEST", "partition");
    fails("OPTIMIZE t ZORDER BY nope", "KEYLAKE_COLUMN_NOT_FOUND", "nope");
    assertThat(columns("VACUUM t")).startsWith("path");
    assertThat(spark.rows("VACUUM t RETAIN 0 HOURS DRY RUN").get(0)).contains("/db.db/t,6,0,0,0");
    assertThat(spark.rows("VACUUM t RETAIN 0 HOURS").get(0)).contains("/db.db/t,6,0,0,0");
    assertThat(spark.rows("DESCRIBE HISTORY t")).hasSize(1);
    assertThat(spark.rows("SELECT k FROM t VERSION AS OF 'kept' ORDER BY k"))
        .containsExactly("1", "2", "3");
    fails("VACUUM t RETAIN -1 HOURS", "KEYLAKE_INVALID_REQUEST", "retain_hours");
    fails("DESCRIBE HISTORY t LIMIT 0", "KEYLAKE_INVALID_REQUEST", "limit");
  }

  private List<String> columns(String statement) {
    return Arrays.asList(spark.sql(statement).columns());
  }

  @Test
  void mistakesAreShownInTheTextOfTheUser() {
    spark.run("CREATE TABLE t (k INT, dt STRING) PARTITIONED BY (dt)");
    isRefused("ALTER TABLE t CREATE TAG", 24, "a name is expected");
    isRefused("ALTER TABLE t CREATE TAG a RETAIN 7 MOONS", 36, "DAYS, HOURS or MINUTES");
    isRefused("ALTER TABLE t CREATE TAG a AS OF VERSION 'b'", 41, "the id of a snapshot");
    isRefused("ALTER TABLE t CREATE OR REPLACE BRANCH b", 32, "drop it first");
    isRefused("ALTER TABLE t RENAME TAG a b", 27, "'TO' is expected");
    isRefused("ALTER TABLE t DROP TAG `a,b`", 23, "no name has a comma");
    isRefused("SHOW TAGS t WHERE true", 12, "the end of the statement");
    isRefused("DESCRIBE DETAIL t LIMIT 1", 18, "the end of the statement");
    isRefused("DESCRIBE HISTORY t LIMIT x", 25, "a number of versions");
    isRefused("RESTORE t TO 5", 13, "'VERSION' is expected");
    isRefused("OPTIMIZE t WHERE dt > ZORDER BY k", 21, "");
    isRefused("OPTIMIZE t FULL", 11, "WHERE, ZORDER BY or the end");
    isRefused("VACUUM t RETAIN 7 DAYS", 18, "'HOUR' is expected");
    fails("OPTIMIZE none", "KEYLAKE_REFERENCE_NOT_FOUND", "42704", "none");
  }

  @Test
  void statementsOfSparkAndOfOtherCatalogsAreLeftAlone() {
    spark.run(
        "CREATE TABLE history (t INT COMMENT 'a column', dt STRING) PARTITIONED BY (dt)",
        "INSERT INTO history VALUES (1, 'x')");
    assertThat(spark.rows("DESCRIBE TABLE history t")).contains("comment,a column");
    assertThat(spark.rows("DESCRIBE history")).anyMatch(row -> row.startsWith("t,int"));
    assertThat(spark.rows("DESCRIBE EXTENDED history")).anyMatch(row -> row.contains("keylake"));
    assertThat(spark.rows("SHOW PARTITIONS history")).containsExactly("dt=x");
    assertThat(spark.rows("SHOW TBLPROPERTIES history ('none')").get(0)).contains("none");
    spark.run("ALTER TABLE history RENAME COLUMN t TO tag", "ALTER TABLE history DROP COLUMN tag");
    spark
        .session()
        .conf()
        .set("spark.sql.catalog.spark_catalog", KeylakeSessionCatalog.class.getName());
    spark.session().conf().set("spark.sql.catalog.spark_catalog.warehouse", warehouse.toString());
    spark.run("CREATE NAMESPACE IF NOT EXISTS spark_catalog.own");
    spark.run(
        "CREATE TABLE spark_catalog.own.ours (k INT) USING keylake",
        "CREATE TABLE spark_catalog.own.plain (k INT) USING parquet",
        "INSERT INTO spark_catalog.own.ours VALUES (1)",
        "ALTER TABLE spark_catalog.own.ours CREATE TAG one");
    assertThat(spark.rows("SHOW TAGS spark_catalog.own.ours")).hasSize(1);
    assertThat(spark.rows("DESCRIBE HISTORY spark_catalog.own.ours")).hasSize(1);
    for (String other :
        List.of(
            "OPTIMIZE spark_catalog.own.plain",
            "VACUUM spark_catalog.own.none",
            "ALTER TABLE spark_catalog.own.plain CREATE TAG one",
            "SHOW TAGS spark_catalog.own.plain")) {
      assertThatThrownBy(() -> spark.run(other))
          .as(other)
          .isInstanceOf(ParseException.class)
          .message()
          .doesNotContain("the end of the statement");
    }
    spark.run("DROP TABLE spark_catalog.own.plain", "DROP NAMESPACE spark_catalog.own CASCADE");
  }
}
