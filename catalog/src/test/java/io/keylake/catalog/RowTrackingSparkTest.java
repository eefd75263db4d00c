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
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of tables with {@code row-tracking.enabled} keep their ids whatever becomes of them, and the
 * reference implementation sees the same ids and sequence numbers.
 */
final class RowTrackingSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void startSpark() {
    spark = SharedSpark.over(warehouse);
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  private void create(String clauses, String properties) {
    spark.run(
        "CREATE TABLE t (id INT, v STRING, p STRING) "
            + clauses
            + " TBLPROPERTIES ('row-tracking.enabled' = 'true'"
            + properties
            + ")",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), concat('v', id), 'p' FROM"
            + " range(0, 4)",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), concat('v', id), 'p' FROM"
            + " range(4, 8)");
  }

  /** Id of the row, id of the snapshot that wrote it, id, v. */
  private void assertRows(String... rows) throws Exception {
    assertThat(spark.rows("SELECT _ROW_ID, _SEQUENCE_NUMBER, id, v FROM t"))
        .containsExactlyInAnyOrder(rows);
    assertReferenceAgrees();
  }

  /** The reference implementation, 1.4.2, cannot read row ids of Avro files, not even its own. */
  private void assertReferenceAgrees() throws Exception {
    boolean isAvro = spark.value("SHOW CREATE TABLE t").contains("avro");
    String columns = isAvro ? "*" : "*, _ROW_ID, _SEQUENCE_NUMBER";
    assertThat(isAvro ? reference().rows() : reference().trackedRows())
        .containsExactlyInAnyOrderElementsOf(
            spark.rows("SELECT to_json(struct(" + columns + ")) FROM t"));
    assertThat(reference().problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ", 'file.format' = 'orc'",
        ", 'file.format' = 'avro'",
        ", 'deletion-vectors.enabled' = 'true'"
      })
  void rowsKeepTheirIds(String properties) throws Exception {
    create("", properties);
    rowsKeepTheirIds();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", 'deletion-vectors.enabled' = 'true', 'file.format' = 'orc'"})
  void rowsOfPartitionsKeepTheirIds(String properties) throws Exception {
    create("PARTITIONED BY (p)", properties);
    rowsKeepTheirIds();
  }

  private void rowsKeepTheirIds() throws Exception {
    assertRows(
        "0,1,0,v0",
        "1,1,1,v1",
        "2,1,2,v2",
        "3,1,3,v3",
        "4,2,4,v4",
        "5,2,5,v5",
        "6,2,6,v6",
        "7,2,7,v7");
    spark.run("DELETE FROM t WHERE id = 1", "UPDATE t SET v = 'u', p = 'q' WHERE id IN (2, 5)");
    assertRows("0,1,0,v0", "2,4,2,u", "3,1,3,v3", "4,2,4,v4", "5,4,5,u", "6,2,6,v6", "7,2,7,v7");
    spark.run(
        "MERGE INTO t USING (VALUES (2, 'm'), (6, 'd'), (20, 'n') AS s(id, v)) s ON t.id = s.id"
            + " WHEN MATCHED AND s.v = 'd' THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v WHEN"
            + " NOT MATCHED THEN INSERT (id, v, p) VALUES (s.id, s.v, 'q')");
    String[] merged = {
      "0,1,0,v0", "2,5,2,m", "3,1,3,v3", "4,2,4,v4", "5,4,5,u", "7,2,7,v7", "8,5,20,n"
    };
    assertRows(merged);
    spark.run("CALL lake.sys.compact(table => 't')");
    assertRows(merged);
    spark.run(
        "DELETE FROM t WHERE id = 3",
        "UPDATE t SET v = 'z' WHERE _ROW_ID = 8",
        "INSERT INTO t VALUES (30, 'w', 'q')");
    assertThat(spark.rows("SELECT _ROW_ID, id, v FROM t WHERE _ROW_ID > 6 ORDER BY id"))
        .containsExactly("7,7,v7", "8,20,z", "9,30,w");
    assertThat(spark.rows("SELECT count(*), max(_ROW_ID) FROM t")).containsExactly("7,9");
    assertThat(spark.rows("SELECT _SEQUENCE_NUMBER, count(*) FROM t GROUP BY 1 ORDER BY 1"))
        .hasSizeGreaterThan(3);
    assertReferenceAgrees();
  }

  @Test
  void addedAndRenamedColumnsAreFollowed() throws Exception {
    create("", "");
    spark.run(
        "ALTER TABLE t RENAME COLUMN v TO w",
        "ALTER TABLE t ADD COLUMN n INT",
        "UPDATE t SET n = id WHERE id < 2",
        "DELETE FROM t WHERE id = 7");
    assertThat(spark.rows("SELECT _ROW_ID, w, n FROM t WHERE id IN (0, 1, 2, 6) ORDER BY id"))
        .containsExactly("0,v0,0", "1,v1,1", "2,v2,null", "6,v6,null");
    assertThat(reference().problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'bucket' = '2', 'bucket-key' = 'id'", "'primary-key' = 'id', 'bucket' = '1'"})
  void tablesWithBucketsOrKeysAreRefused(String properties) {
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE t (id INT NOT NULL) TBLPROPERTIES ('row-tracking.enabled' ="
                        + " 'true', "
                        + properties
                        + ")"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPTION")
        .hasMessageContaining("row-tracking.enabled");
  }

  @Test
  void tablesWithoutTrackingHaveNoSuchColumns() {
    spark.run("CREATE TABLE t (id INT)");
    assertThatThrownBy(() -> spark.rows("SELECT _ROW_ID FROM t"))
        .hasMessageContaining("UNRESOLVED_COLUMN");
  }
}
