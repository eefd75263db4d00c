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

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import io.keylake.table.LakeTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * DELETE, UPDATE and MERGE on append tables give the rows that SQL says; the reference
 * implementation reads the same rows, and nothing is wrong with the tables.
 */
final class AppendRowLevelSparkTest {
  private static final String VECTORS = "'deletion-vectors.enabled' = 'true'";

  @TempDir private Path warehouse;
  private SharedSpark spark;

  /** Ways in which append tables keep their rows. */
  enum Kind {
    PLAIN("", "'file.format' = 'parquet'"),
    PLAIN_VECTORS("", VECTORS),
    PARTITIONED("PARTITIONED BY (p)", "'file.format' = 'orc'"),
    PARTITIONED_VECTORS("PARTITIONED BY (p)", VECTORS + ", 'file.format' = 'avro'"),
    BUCKETS("", "'bucket' = '2', 'bucket-key' = 'id', 'file.format' = 'avro'"),
    BUCKETS_VECTORS("", VECTORS + ", 'bucket' = '2', 'bucket-key' = 'id'"),
    PARTITIONED_BUCKETS("PARTITIONED BY (p)", "'bucket' = '2', 'bucket-key' = 'id,n'"),
    PARTITIONED_BUCKETS_VECTORS(
        "PARTITIONED BY (p)",
        VECTORS
            + ", 'deletion-vectors.bitmap64' = 'true', 'bucket' = '2', 'bucket-key' = 'id',"
            + " 'file.format' = 'orc'");

    private final String clauses;

    Kind(String partitioning, String properties) {
      this.clauses = partitioning + " TBLPROPERTIES (" + properties + ")";
    }
  }

  @BeforeEach
  void startSpark() {
    spark = SharedSpark.over(warehouse);
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private void create(String clauses) {
    spark.run(
        "CREATE TABLE t (id INT, v STRING, n INT, p STRING) " + clauses,
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), concat('v', id), IF(id % 4 = 0,"
            + " NULL, CAST(id AS INT)), concat('p', id % 3) FROM range(0, 6)",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), concat('v', id), IF(id % 4 = 0,"
            + " NULL, CAST(id AS INT)), concat('p', id % 3) FROM range(6, 12)");
  }

  private void assertRows(String... rows) {
    assertThat(spark.rows("SELECT * FROM t")).containsExactlyInAnyOrder(rows);
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo(String.valueOf(rows.length));
    assertThat(spark.rows("SELECT * FROM t LIMIT 100")).hasSize(rows.length);
  }

  private void assertReferenceAgrees() throws Exception {
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", "t");
    assertThat(reference.rows())
        .containsExactlyInAnyOrderElementsOf(
            spark.rows("SELECT to_json(struct(*), map('ignoreNullFields', 'false')) FROM t"));
    assertThat(reference.problems()).isEmpty();
  }

  /** What the newest snapshot says of its statement. */
  private String property(String name) {
    Location folder = new Location(warehouse.resolve("db.db/t").toUri().toString());
    return LakeTable.load("t", HadoopFileIO.of(new Configuration(false)), folder)
        .snapshot()
        .orElseThrow()
        .properties()
        .get("keylake." + name);
  }

  private static final String MERGE =
      "MERGE INTO t USING (VALUES (4, 'a'), (5, 'x'), (6, 'b'), (NULL, 'null'), (20, 'new'), (21,"
          + " 'skip') AS s(id, v)) s ON t.id = s.id"
          + " WHEN MATCHED AND s.v = 'x' THEN DELETE"
          + " WHEN MATCHED AND s.v = 'a' THEN UPDATE SET v = s.v, n = coalesce(t.n, 0) + 1"
          + " WHEN MATCHED THEN UPDATE SET v = s.v"
          + " WHEN NOT MATCHED AND s.v <> 'skip' THEN INSERT (id, v, p) VALUES (s.id, s.v, 'p0')"
          + " WHEN NOT MATCHED BY SOURCE AND t.id = 7 THEN DELETE"
          + " WHEN NOT MATCHED BY SOURCE AND t.id = 8 THEN UPDATE SET v = 'bysource'";

  @Test
  void statementsWhoseConditionNoRowCanFulfilDoNothing() {
    create("");
    List<String> rows = spark.rows("SELECT * FROM t");
    spark.run(
        "UPDATE t SET v = 'u' WHERE n < n AND id > 3",
        "DELETE FROM t WHERE n < n AND id > 3",
        "MERGE INTO t USING (SELECT 1 AS id WHERE false) s ON t.id = s.id WHEN MATCHED THEN"
            + " UPDATE SET v = 'u'");
    assertThat(spark.rows("SELECT * FROM t")).containsExactlyInAnyOrderElementsOf(rows);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void statementsGiveTheRowsOfSql(Kind kind) throws Exception {
    create(kind.clauses);
    spark.run("DELETE FROM t WHERE n > 8");
    assertThat(property("rows-deleted")).isEqualTo("3");
    spark.run("UPDATE t SET v = 'u', p = 'q' WHERE id IN (1, 2)");
    assertThat(property("rows-updated")).isEqualTo("2");
    spark.run("DELETE FROM t WHERE id = 3");
    assertRows(
        "0,v0,null,p0",
        "1,u,1,q",
        "2,u,2,q",
        "4,v4,null,p1",
        "5,v5,5,p2",
        "6,v6,6,p0",
        "7,v7,7,p1",
        "8,v8,null,p2");
    assertReferenceAgrees();
    spark.run(MERGE);
    assertThat(List.of(property("rows-deleted"), property("rows-updated"), property("operation")))
        .containsExactly("2", "3", "MERGE");
    assertThat(property("rows-inserted")).isEqualTo("2");
    String[] merged = {
      "0,v0,null,p0",
      "1,u,1,q",
      "2,u,2,q",
      "4,a,1,p1",
      "6,b,6,p0",
      "8,bysource,null,p2",
      "20,new,null,p0",
      "null,null,null,p0"
    };
    assertRows(merged);
    assertThat(spark.rows("SELECT p, count(*) FROM t GROUP BY p ORDER BY p"))
        .containsExactly("p0,4", "p1,1", "p2,1", "q,2");
    assertThat(spark.value("SELECT count(*) FROM t VERSION AS OF 2")).isEqualTo("12");
    assertReferenceAgrees();
    spark.run("CALL lake.sys.compact(table => 't')");
    assertRows(merged);
    spark.run(
        "MERGE INTO t USING t AS s ON t.id = s.id AND t.p = 'q' WHEN MATCHED THEN UPDATE SET n ="
            + " s.n * 10",
        "DELETE FROM t WHERE id IN (SELECT max(id) FROM t)",
        "UPDATE t SET v = (SELECT min(v) FROM t) WHERE id = 0",
        "DELETE FROM t WHERE id = 6");
    assertRows(
        "0,a,null,p0",
        "1,u,10,q",
        "2,u,20,q",
        "4,a,1,p1",
        "8,bysource,null,p2",
        "null,null,null,p0");
    assertReferenceAgrees();
    spark.run("DELETE FROM t WHERE id >= 0 OR id IS NULL");
    assertRows();
    assertReferenceAgrees();
    assertThat(spark.value("SELECT count(*) FROM `t$files`")).isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"PLAIN", "BUCKETS_VECTORS"})
  void statementThatMatchesNothingMakesNoSnapshot(Kind kind) {
    create(kind.clauses);
    spark.run(
        "DELETE FROM t WHERE n = 100",
        "UPDATE t SET v = 'x' WHERE n = 100",
        "MERGE INTO t USING (VALUES (100) AS s(id)) s ON t.id = s.id WHEN MATCHED THEN DELETE WHEN"
            + " NOT MATCHED AND s.id < 0 THEN INSERT (id) VALUES (s.id)");
    assertThat(spark.value("SELECT max(snapshot_id) FROM `t$snapshots`")).isEqualTo("2");
  }

  @Test
  void mergeThatOnlyInsertsThroughItsJoinIsAnAppend() {
    create(Kind.PLAIN.clauses);
    spark.run(
        "MERGE INTO t USING (VALUES (100, 'x') AS s(id, v)) s ON t.id = s.id WHEN MATCHED THEN"
            + " DELETE WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)");
    assertThat(spark.rows("SELECT commit_kind FROM `t$snapshots` WHERE snapshot_id = 3"))
        .containsExactly("APPEND");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("13");
  }

  @Test
  void filesWithoutChangedRowsStayAsTheyAre() {
    create(Kind.PLAIN.clauses);
    String untouched = "SELECT DISTINCT _file FROM t WHERE id BETWEEN 6 AND 11";
    List<String> before = spark.rows(untouched);
    spark.run("DELETE FROM t WHERE id = 1", "UPDATE t SET v = 'x' WHERE id = 2");
    assertThat(spark.rows(untouched)).isEqualTo(before).hasSize(1);
    assertThat(property("rows-copied")).isEqualTo("4");
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"PLAIN", "PLAIN_VECTORS"})
  void fileOfWhichAllRowsGoIsRemovedWithoutBeingRead(Kind kind) {
    create(kind.clauses);
    spark.run("DELETE FROM t WHERE id = 0", "DELETE FROM t WHERE id < 6");
    assertThat(spark.rows("SELECT DISTINCT _file FROM t")).hasSize(1);
    assertThat(spark.value("SELECT count(*) FROM `t$files`")).isEqualTo("1");
    assertThat(property("files-removed")).isEqualTo("1");
    assertThat(property("rows-copied")).isEqualTo("0");
  }

  @Test
  void vectorsOutliveTheOptionThatMadeThem() throws Exception {
    create("TBLPROPERTIES (" + VECTORS + ", 'deletion-vectors.modifiable' = 'true')");
    spark.run(
        "DELETE FROM t WHERE id IN (1, 7)",
        "ALTER TABLE t SET TBLPROPERTIES ('deletion-vectors.enabled' = 'false')",
        "DELETE FROM t WHERE id IN (2, 3)",
        "UPDATE t SET v = 'x' WHERE id = 11");
    assertThat(spark.rows("SELECT id, v FROM t"))
        .containsExactlyInAnyOrder(
            "0,v0", "4,v4", "5,v5", "6,v6", "8,v8", "9,v9", "10,v10", "11,x");
    assertReferenceAgrees();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", " + VECTORS})
  void orderOfABucketStays(String vectors) {
    spark.run(
        "CREATE TABLE t (id INT, k INT) TBLPROPERTIES ('bucket' = '1', 'bucket-key' = 'k'"
            + vectors
            + ")",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), 0 FROM range(0, 5)",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), 0 FROM range(5, 10)",
        "DELETE FROM t WHERE id IN (1, 8)",
        "CALL lake.sys.compact(table => 't')");
    assertThat(spark.rows("SELECT id FROM t"))
        .containsExactly("0", "2", "3", "4", "5", "6", "7", "9");
  }

  @Test
  void nestedFieldsAndDefaultsAreSet() {
    spark.run(
        "CREATE TABLE t (id INT, s STRUCT<a: INT, b: STRUCT<c: STRING>>, d INT DEFAULT 7)",
        "INSERT INTO t VALUES (1, named_struct('a', 1, 'b', named_struct('c', 'x')), 1), (2, NULL,"
            + " 2)",
        "UPDATE t SET s.b.c = 'y', d = DEFAULT WHERE id = 1");
    assertThat(spark.rows("SELECT id, s.a, s.b.c, d FROM t ORDER BY id"))
        .containsExactly("1,1,y,7", "2,null,null,2");
  }

  @Test
  void rowThatTwoSourceRowsMatchIsAnError() {
    create(Kind.PLAIN_VECTORS.clauses);
    assertThatThrownBy(
            () ->
                spark.run(
                    "MERGE INTO t USING (VALUES (1, 'a'), (1, 'b') AS s(id, v)) s ON t.id = s.id"
                        + " WHEN MATCHED THEN UPDATE SET v = s.v"))
        .hasMessageContaining("MERGE_CARDINALITY_VIOLATION");
    assertThat(spark.value("SELECT max(snapshot_id) FROM `t$snapshots`")).isEqualTo("2");
  }

  @Test
  void nullForANotNullColumnIsRefusedAndNothingChanges() {
    spark.run("CREATE TABLE t (id INT NOT NULL, v INT)", "INSERT INTO t VALUES (1, 1), (2, NULL)");
    assertThatThrownBy(() -> spark.run("UPDATE t SET id = v")).hasMessageContaining("id");
    assertThat(spark.rows("SELECT * FROM t ORDER BY id")).containsExactly("1,1", "2,null");
  }

  @Test
  void onlyFilesThatTheConditionMayMatchAreRead() {
    create(Kind.PLAIN_VECTORS.clauses);
    String plan = spark.value("EXPLAIN FORMATTED DELETE FROM t WHERE id > 8 AND v LIKE '%1'");
    assertThat(plan).contains("_file", "_pos").contains("v IS NOT NULL, id > 8");
    spark.run("DELETE FROM t WHERE id > 8 AND v LIKE '%1'");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("11");
  }

  @Test
  void columnsThatHideMetadataColumnsAreNoHindrance() {
    spark.run(
        "CREATE TABLE t (_file INT, _pos STRING)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
        "DELETE FROM t WHERE _file = 1",
        "UPDATE t SET _pos = 'c'");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("2,c");
  }

  @Test
  void largeDeleteWithManyIndexFilesKeepsEveryVector() throws Exception {
    create("TBLPROPERTIES (" + VECTORS + ", 'deletion-vector.index-file.target-size' = '40 b')");
    for (int file = 0; file < 4; file++) {
      spark.run(
          "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'w', 0, 'p' FROM range("
              + (100 + 10 * file)
              + ", "
              + (110 + 10 * file)
              + ")");
    }
    spark.run("DELETE FROM t WHERE id % 2 = 0", "DELETE FROM t WHERE id % 10 = 1");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("20");
    assertThat(spark.rows("SELECT id FROM t WHERE id < 20"))
        .containsExactlyInAnyOrder("3", "5", "7", "9");
    assertReferenceAgrees();
  }
}
