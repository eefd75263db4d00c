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

import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What statements write into the changelog of a table with a producer. */
class ChangelogProducerSparkTest {
  private static final Map<String, String> ENGINES =
      Map.of(
          "deduplicate",
          "",
          "ordered",
          "'sequence.field' = 'n',",
          "vectors",
          "'deletion-vectors.enabled' = 'true', 'changelog-producer.row-deduplicate' = 'true',",
          "partial",
          "'merge-engine' = 'partial-update',",
          "removing",
          "'merge-engine' = 'partial-update', 'partial-update.remove-record-on-delete' = 'true',",
          "sum",
          "'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'sum',",
          "sum-vectors",
          "'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'sum',"
              + " 'deletion-vectors.enabled' = 'true',",
          "first",
          "'merge-engine' = 'first-row',");

  private static final Map<String, String> KINDS =
      Map.of(
          "fixed", "PARTITIONED BY (p) TBLPROPERTIES ('primary-key' = 'id,p', 'bucket' = '2', %s)",
          "dynamic",
              "PARTITIONED BY (p) TBLPROPERTIES ('primary-key' = 'id,p', 'bucket' = '-1', %s)",
          "cross", "PARTITIONED BY (p) TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '-1', %s)",
          "postpone",
              "PARTITIONED BY (p) TBLPROPERTIES ('primary-key' = 'id,p', 'bucket' = '-2', %s)");

  private static final List<String> STATEMENTS =
      List.of(
          "INSERT INTO t VALUES (1, 'x', 'a', 10), (2, 'x', 'b', 20), (3, 'y', 'c', 30)",
          "INSERT INTO t VALUES (1, 'x', 'aa', 11), (4, 'y', 'd', 40), (4, 'y', 'dd', 41)",
          "UPDATE t SET v = upper(v) WHERE id < 3",
          "UPDATE t SET n = 5 WHERE id = 3",
          "UPDATE t SET v = NULL WHERE id = 4",
          "DELETE FROM t WHERE id = 2",
          "MERGE INTO t USING (SELECT 1 AS id, 'x' AS p, 'm' AS v, 99 AS n UNION ALL SELECT 7, 'z',"
              + " 'n', 70 UNION ALL SELECT 3, 'y', 'gone', 0) s ON t.id = s.id AND t.p = s.p"
              + " WHEN MATCHED AND s.v = 'gone' THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v, n"
              + " = s.n WHEN NOT MATCHED THEN INSERT *",
          "INSERT INTO t VALUES (2, 'x', 'back', 1), (7, 'z', NULL, 1)",
          "DELETE FROM t WHERE id IN (1, 99)");

  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  @AfterEach
  void everySnapshotIsSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private void create(String engine, String kind, String producer) {
    spark.run(
        "CREATE TABLE t (id INT, p STRING, v STRING, n INT) "
            + KINDS
                .get(kind)
                .formatted(ENGINES.get(engine) + " 'changelog-producer' = '" + producer + "'"));
  }

  @ParameterizedTest
  @CsvSource({
    "deduplicate, cross, lookup",
    "ordered, dynamic, lookup",
    "vectors, fixed, lookup",
    "sum, fixed, lookup",
    "first, fixed, lookup",
    "partial, cross, full-compaction"
  })
  void changesOfEveryStatementReplayToTheTable(String engine, String kind, String producer) {
    replay(engine, kind, producer);
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({
    "deduplicate, fixed, lookup",
    "deduplicate, postpone, lookup",
    "partial, dynamic, lookup",
    "removing, cross, lookup",
    "sum-vectors, dynamic, lookup",
    "deduplicate, dynamic, full-compaction",
    "sum, fixed, full-compaction"
  })
  void changesOfEveryStatementReplayToManyTables(String engine, String kind, String producer) {
    replay(engine, kind, producer);
  }

  private void replay(String engine, String kind, String producer) {
    create(engine, kind, producer);
    if (producer.equals("full-compaction")) {
      spark.run("ALTER TABLE t SET TBLPROPERTIES ('full-compaction.delta-commits' = '1')");
    }
    Map<String, String> replayed = new TreeMap<>();
    long seen = 0;
    for (String statement : STATEMENTS) {
      spark.run(statement);
      if (kind.equals("postpone")) {
        spark.run("CALL sys.compact(table => 't')");
      }
      long latest = latest();
      apply(replayed, changes(seen, latest), statement);
      seen = latest;
      assertThat(replayed.values())
          .as(statement)
          .containsExactlyInAnyOrderElementsOf(spark.rows("SELECT * FROM t"));
    }
  }

  private long latest() {
    return Long.parseLong(spark.value("SELECT max(snapshot_id) FROM `t$snapshots`"));
  }

  /** The rows of changelog files, those that take rows back first. */
  private List<Row> changes(long after, long upTo) {
    if (after == upTo) {
      return List.of();
    }
    List<Row> rows =
        new ArrayList<>(
            spark
                .session()
                .read()
                .option("incremental-between", after + "," + upTo)
                .option("incremental-between-scan-mode", "changelog")
                .table("`t$audit_log`")
                .collectAsList());
    rows.sort(Comparator.comparing(row -> row.getString(0).startsWith("+")));
    return rows;
  }

  private static void apply(Map<String, String> replayed, List<Row> changes, String statement) {
    for (Row change : changes) {
      String kind = change.getString(0);
      String row = change.mkString(",").substring(kind.length() + 1);
      String key = change.get(1) + "/" + change.get(2);
      String before = kind.startsWith("+") ? replayed.put(key, row) : replayed.remove(key);
      assertThat(before)
          .as("row before %s%s of %s", kind, row, statement)
          .isEqualTo(kind.startsWith("+") ? null : row);
    }
  }

  private List<String> texts(long after, long upTo) {
    return changes(after, upTo).stream().map(row -> row.mkString(",")).sorted().toList();
  }

  @Test
  void inputPassesRowsOnAsTheyComeAndImagesOfStatements() {
    create("sum", "fixed", "input");
    spark.run("INSERT INTO t VALUES (1, 'x', 'a', 10), (1, 'x', NULL, 1), (2, 'x', 'b', 20)");
    assertThat(texts(0, latest())).containsExactly("+I,1,x,a,10", "+I,1,x,null,1", "+I,2,x,b,20");
    long before = latest();
    spark.run("UPDATE t SET n = 7 WHERE id = 1");
    assertThat(texts(before, latest())).containsExactly("+U,1,x,a,7", "-U,1,x,a,11");
    before = latest();
    spark.run("DELETE FROM t WHERE id = 2");
    assertThat(texts(before, latest())).containsExactly("-D,2,x,b,20");
    before = latest();
    spark.run(
        "MERGE INTO t USING (SELECT 1 AS id, 'x' AS p, 'm' AS v, 3 AS n UNION ALL SELECT 5, 'x',"
            + " 'n', 9) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED"
            + " THEN INSERT *");
    assertThat(texts(before, latest())).containsExactly("+I,5,x,n,9", "+U,1,x,m,7", "-U,1,x,a,7");
  }

  @Test
  void fieldsOfStructsAreUpdatedBesideTheWholeRowAsItWas() {
    spark.run(
        "CREATE TABLE t (id INT, s STRUCT<a: INT, b: INT> NOT NULL) TBLPROPERTIES"
            + " ('primary-key' = 'id', 'bucket' = '1', 'changelog-producer' = 'input')",
        "INSERT INTO t VALUES (1, named_struct('a', 2, 'b', 3))",
        "UPDATE t SET s.b = 4 WHERE id = 1");
    assertThat(texts(1, latest())).containsExactly("+U,1,[2,4]", "-U,1,[2,3]");
  }

  @Test
  void inputTellsMovesBetweenPartitions() {
    create("deduplicate", "cross", "input");
    spark.run("INSERT INTO t VALUES (1, 'x', 'a', 10)", "INSERT INTO t VALUES (1, 'y', 'b', 11)");
    assertThat(texts(1, latest())).containsExactly("+I,1,y,b,11", "-D,1,x,b,11");
    long before = latest();
    spark.run("UPDATE t SET p = 'z' WHERE id = 1");
    assertThat(texts(before, latest())).containsExactly("+I,1,z,b,11", "-D,1,y,b,11");
  }

  @Test
  void overwritesWriteNoChangelog() {
    create("deduplicate", "fixed", "input");
    spark.run(
        "INSERT INTO t VALUES (1, 'x', 'a', 10)", "INSERT OVERWRITE t VALUES (2, 'x', 'b', 1)");
    assertThat(texts(1, latest())).isEmpty();
  }

  @Test
  void deleteOfPartitionsIsToldRowByRowWhereThatIsAskedFor() {
    create("deduplicate", "fixed", "lookup");
    spark.run("INSERT INTO t VALUES (1, 'x', 'a', 10), (2, 'y', 'b', 1)");
    long before = latest();
    spark.run("DELETE FROM t WHERE p = 'x'");
    assertThat(texts(before, latest())).isEmpty();
    spark.run("ALTER TABLE t SET TBLPROPERTIES ('delete.force-produce-changelog' = 'true')");
    before = latest();
    spark.run("DELETE FROM t WHERE p = 'y'");
    assertThat(texts(before, latest())).containsExactly("-D,2,y,b,1");
  }

  @Test
  void writeOnlyTablesTellTheirChangesWhenTheyAreCompacted() {
    create("sum", "fixed", "lookup");
    spark.run(
        "INSERT INTO t VALUES (1, 'x', 'a', 10)",
        "ALTER TABLE t SET TBLPROPERTIES ('write-only' = 'true')",
        "INSERT INTO t VALUES (1, 'x', 'b', 1)",
        "INSERT INTO t VALUES (1, 'x', 'c', 2), (2, 'x', 'd', 3)");
    assertThat(texts(2, latest())).isEmpty();
    spark.run("CALL sys.compact(table => 't')");
    assertThat(texts(2, latest())).containsExactly("+I,2,x,d,3", "+U,1,x,c,13", "-U,1,x,a,10");
  }

  @Test
  void lookupIsTurnedOnAndOffWhereRowsAreReadTheSame() {
    spark.run(
        "CREATE TABLE t (id INT, p STRING, v STRING, n INT) TBLPROPERTIES ('primary-key' = 'id',"
            + " 'bucket' = '1', 'merge-engine' = 'aggregation', 'fields.n.aggregate-function' ="
            + " 'sum', 'changelog-producer' = 'lookup')",
        "INSERT INTO t SELECT id, 'x', uuid(), 10 FROM range(1, 2001)",
        "INSERT INTO t VALUES (1, 'x', 'a', 1)");
    assertThatThrownBy(() -> spark.run("ALTER TABLE t UNSET TBLPROPERTIES ('changelog-producer')"))
        .hasMessageContaining("KEYLAKE_IMMUTABLE_OPTION")
        .hasMessageContaining("compact_strategy => 'full'");
    spark.run(
        "CALL sys.compact(table => 't', compact_strategy => 'full')",
        "ALTER TABLE t UNSET TBLPROPERTIES ('changelog-producer')");
    assertThat(spark.rows("SELECT n FROM t WHERE id < 4 ORDER BY id"))
        .containsExactly("11", "10", "10");
  }

  @Test
  void changelogOutlivesItsSnapshots() {
    create("deduplicate", "fixed", "lookup");
    spark.run(
        "ALTER TABLE t SET TBLPROPERTIES ('changelog.num-retained.max' = '50',"
            + " 'snapshot.num-retained.min' = '1', 'snapshot.num-retained.max' = '2')",
        "INSERT INTO t VALUES (1, 'x', 'a', 10)",
        "INSERT INTO t VALUES (1, 'x', 'b', 11)",
        "INSERT INTO t VALUES (1, 'x', 'c', 12)",
        "CALL sys.expire_snapshots(table => 't', retain_max => 1)");
    assertThat(texts(2, latest()))
        .containsExactly("+U,1,x,b,11", "+U,1,x,c,12", "-U,1,x,a,10", "-U,1,x,b,11");
    spark.run("CALL sys.expire_changelogs(table => 't', retain_max => 1)");
    assertThatThrownBy(() -> texts(2, latest())).hasMessageContaining("expired");
  }
}
