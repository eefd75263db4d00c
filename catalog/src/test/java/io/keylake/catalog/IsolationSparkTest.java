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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What row-level statements do about rows that another session commits while they run. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class IsolationSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;
  private SharedSpark other;

  @BeforeEach
  void startSpark() {
    spark = SharedSpark.over(warehouse, HookedFileSystem.OPTIONS);
    other = SharedSpark.over(warehouse);
  }

  @AfterEach
  void tablesAreSound() throws Exception {
    HookedFileSystem.unhook();
    SoundTable.checkAllUnder(warehouse);
  }

  private void create(String kind, String isolation) {
    String properties =
        switch (kind) {
          case "keyed" -> "'primary-key' = 'id,pt', 'bucket' = '1', ";
          case "sums" ->
              "'primary-key' = 'id,pt', 'bucket' = '1', 'merge-engine' = 'aggregation',"
                  + " 'fields.n.aggregate-function' = 'sum', ";
          case "vectors" -> "'deletion-vectors.enabled' = 'true', ";
          default -> "";
        };
    spark.run(
        "CREATE TABLE t (id INT, n INT, pt STRING) PARTITIONED BY (pt) TBLPROPERTIES ("
            + properties
            + "'isolation-level' = '"
            + isolation
            + "')",
        "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'a'), (3, 30, 'a')");
  }

  /** Runs a statement of the other session before the first manifest is made. */
  private void meanwhile(String statement) {
    AtomicBoolean done = new AtomicBoolean();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().startsWith("manifest") && done.compareAndSet(false, true)) {
            other.run(statement);
          }
        });
  }

  private void refused(String statement) {
    assertThatThrownBy(() -> spark.run(statement))
        .hasStackTraceContaining("[KEYLAKE_CONCURRENT_MODIFICATION]")
        .hasStackTraceContaining("Snapshot 2 (INSERT)")
        .hasStackTraceContaining("'isolation-level' = 'snapshot'")
        .hasStackTraceContaining("SQLSTATE: 40001");
    HookedFileSystem.unhook();
  }

  @ParameterizedTest
  @CsvSource({"keyed", "append", "vectors"})
  void rowThatTheConditionWouldSelectIsAConflict(String kind) {
    create(kind, "serializable");
    meanwhile("INSERT INTO t VALUES (100, 20, 'a')");
    refused("DELETE FROM t WHERE n = 20");
    assertThat(other.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3", "100");
    spark.run("DELETE FROM t WHERE n = 20");
    assertThat(other.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "3");
  }

  @ParameterizedTest
  @CsvSource({
    "keyed,'(100, 21, ''a'')'",
    "append,'(100, 21, ''a'')'",
    "vectors,'(100, 21, ''a'')'",
    "append,'(2, 20, ''b'')'",
    "keyed,'(2, 20, ''b'')'"
  })
  void otherRowsAreNone(String kind, String row) {
    create(kind, "serializable");
    meanwhile("INSERT INTO t VALUES " + row);
    spark.run("UPDATE t SET n = 22 WHERE n = 20 AND pt = 'a'");
    assertThat(other.rows("SELECT n FROM t WHERE id = 2 AND pt = 'a'")).containsExactly("22");
    assertThat(other.value("SELECT count(*) FROM t")).isEqualTo("4");
  }

  @ParameterizedTest
  @CsvSource({"keyed", "append", "vectors", "sums"})
  void snapshotLooksAtWrittenRowsOnly(String kind) {
    create(kind, "snapshot");
    meanwhile("INSERT INTO t VALUES (100, 20, 'a')");
    spark.run("DELETE FROM t WHERE n = 20");
    assertThat(other.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "3", "100");
  }

  /** The sum of a key may fulfil a condition that none of its rows does. */
  @ParameterizedTest
  @CsvSource({"'id = 2',false", "'n = 20',true"})
  void foldedRowsConflictByKeyOnly(String condition, boolean conflicts) {
    create("sums", "serializable");
    meanwhile("INSERT INTO t VALUES (100, 7, 'a')");
    String delete = "DELETE FROM t WHERE pt = 'a' AND " + condition;
    if (conflicts) {
      refused(delete);
    } else {
      spark.run(delete);
      assertThat(other.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "3", "100");
    }
  }

  /** Spark hands such a MERGE over as an INSERT of the rows that it did not find. */
  @ParameterizedTest
  @CsvSource({"serializable", "snapshot"})
  void mergeThatOnlyInsertsReadsTheTable(String isolation) {
    create("append", isolation);
    meanwhile("INSERT INTO t VALUES (100, 1, 'b')");
    String merge =
        "MERGE INTO t USING (SELECT 100 AS id, 2 AS n, 'b' AS pt) s ON t.id = s.id"
            + " WHEN NOT MATCHED THEN INSERT *";
    if (isolation.equals("serializable")) {
      refused(merge);
      spark.run(merge);
      assertThat(other.rows("SELECT n FROM t WHERE id = 100")).containsExactly("1");
    } else {
      spark.run(merge);
      assertThat(other.rows("SELECT n FROM t WHERE id = 100 ORDER BY n")).containsExactly("1", "2");
    }
  }

  @ParameterizedTest
  @CsvSource({"keyed", "append"})
  void compactionsAreNone(String kind) {
    create(kind, "serializable");
    spark.run(
        "INSERT INTO t VALUES (50, 1, 'b'), (51, 2, 'b')", "INSERT INTO t VALUES (52, 3, 'b')");
    meanwhile("CALL lake.sys.compact(table => 'db.t', partitions => 'pt=b')");
    spark.run("UPDATE t SET n = 21 WHERE n < 21 AND id = 2");
    assertThat(other.rows("SELECT n FROM t WHERE id = 2")).containsExactly("21");
  }
}
