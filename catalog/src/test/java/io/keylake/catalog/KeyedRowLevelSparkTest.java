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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DELETE, UPDATE and MERGE on primary-key tables of each merge engine. */
final class KeyedRowLevelSparkTest {
  private static final String PARTIAL_UPDATE = "'merge-engine' = 'partial-update'";
  private static final String MOVES = "'row-level.key-update' = 'move'";
  private static final String SUM =
      "'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'sum'";

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

  private void create(String options) {
    spark.run(
        "CREATE TABLE t (id INT, v STRING, n INT) TBLPROPERTIES ('primary-key' = 'id', 'bucket' ="
            + " '2'"
            + (options.isEmpty() ? "" : ", " + options)
            + ")",
        "INSERT INTO t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30)");
  }

  /** The rows, which the reference and a full compaction must show, too. */
  private List<String> rows() {
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY id");
    spark.run("CALL sys.compact(table => 't', compact_strategy => 'full')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY id")).isEqualTo(rows);
    assertThat(referenceRows()).hasSameSizeAs(rows);
    return rows;
  }

  private List<String> referenceRows() {
    try {
      return ReferenceTable.of(warehouse.toString(), "db", "t").rows();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private List<String> files() {
    return spark.rows("SELECT file_path FROM `t$files` ORDER BY 1").stream()
        .map(path -> path.substring(path.lastIndexOf('/')))
        .collect(Collectors.toList());
  }

  /** A property of the newest snapshot that a statement made. */
  private String property(String name) {
    int newest = Integer.parseInt(spark.value("SELECT max(snapshot_id) FROM `t$snapshots`"));
    for (int id = newest; id > 0; id--) {
      Path file = warehouse.resolve("db.db/t/snapshot/snapshot-" + id);
      try {
        JsonNode properties = new ObjectMapper().readTree(file.toFile()).path("properties");
        if (properties.has("keylake.operation")) {
          return properties.path(name).asText();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return "";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "'sequence.field' = 'n'",
        "'deletion-vectors.enabled' = 'true'",
        "'ignore-delete' = 'true'",
        "'merge-engine' = 'first-row'",
        PARTIAL_UPDATE,
        PARTIAL_UPDATE + ", 'partial-update.remove-record-on-delete' = 'true'",
        PARTIAL_UPDATE + ", 'fields.n.sequence-group' = 'v'",
        SUM,
        SUM + ", 'aggregation.remove-record-on-delete' = 'true'",
        "'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'max',"
            + " 'fields.v.aggregate-function' = 'listagg'"
      })
  void rowsAreWhatTheStatementsSay(String options) {
    create(options);
    spark.run(
        "UPDATE t SET v = 'B', n = n - 5 WHERE n = 20",
        "UPDATE t SET v = NULL WHERE id = 3",
        "DELETE FROM t WHERE v = 'a'",
        "MERGE INTO t USING (SELECT * FROM VALUES (2, 'm', 7), (4, 'd', 40) AS s(id, v, n)) s"
            + " ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = s.n"
            + " WHEN NOT MATCHED THEN INSERT *"
            + " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET n = t.n + 1");
    assertThat(rows()).containsExactly("2,B,7", "3,null,31", "4,d,40");
    spark.run("INSERT INTO t VALUES (1, NULL, 11)");
    assertThat(rows()).containsExactly("1,null,11", "2,B,7", "3,null,31", "4,d,40");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "'sequence.field' = 'n'",
        PARTIAL_UPDATE + ", 'partial-update.remove-record-on-delete' = 'true'",
        SUM + ", 'aggregation.remove-record-on-delete' = 'true'",
        SUM
      })
  void aDeletedKeyThatIsInsertedAgainShowsTheNewRow(String options) {
    create(options);
    spark.run("DELETE FROM t WHERE id = 2", "INSERT INTO t VALUES (2, NULL, 20)");
    assertThat(spark.rows("SELECT * FROM t WHERE id = 2")).containsExactly("2,null,20");
    assertThat(rows()).containsExactly("1,a,10", "2,null,20", "3,c,30");
  }

  /** A row that was removed counts for no function, whether a record or an override removed it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sum; INT; 1; 2",
        "product; INT; 3; 4",
        "max; INT; 5; 4",
        "min; INT; 3; 4",
        "last_value; INT; 1; 2",
        "last_non_null_value; INT; 1; 2",
        "first_value; INT; 1; 2",
        "first_non_null_value; INT; 1; 2",
        "listagg; STRING; '\"a\"'; '\"b\"'",
        "bool_and; BOOLEAN; false; true",
        "bool_or; BOOLEAN; true; false",
        "collect; ARRAY<INT>; array(1); array(2)",
        "merge_map; MAP<INT, INT>; map(1, 1); map(2, 2)",
        "nested_update; ARRAY<STRUCT<a: INT>>; array(struct(1 AS a)); array(struct(2 AS a))"
      })
  void noFunctionRemembersARemovedRow(String function, String type, String old, String next) {
    spark.run(
        "CREATE TABLE t (id INT, c "
            + type
            + ") TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1', 'merge-engine' ="
            + " 'aggregation', 'fields.c.aggregate-function' = '"
            + function
            + "', 'aggregation.remove-record-on-delete' = 'true')",
        "INSERT INTO t VALUES (1, " + old + "), (2, " + old + ")",
        "DELETE FROM t WHERE id = 1",
        "INSERT INTO t VALUES (1, " + next + ")",
        "UPDATE t SET c = " + next + " WHERE id = 2");
    String wanted = spark.value("SELECT to_json(struct(" + next + " AS c))");
    assertThat(spark.rows("SELECT to_json(struct(c)) FROM t")).containsExactly(wanted, wanted);
    spark.run("CALL sys.compact(table => 't', compact_strategy => 'full')");
    assertThat(spark.rows("SELECT to_json(struct(c)) FROM t")).containsExactly(wanted, wanted);
  }

  @Test
  void anInsertThatIsOlderThanTheDeletedRowStaysHidden() {
    create("'sequence.field' = 'n'");
    spark.run("DELETE FROM t WHERE id = 2", "INSERT INTO t VALUES (2, 'late', 19)");
    assertThat(rows()).containsExactly("1,a,10", "3,c,30");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "'sequence.field' = 'n'", SUM, "'merge-engine' = 'first-row'"})
  void rowsMoveToOtherKeys(String options) {
    create(options.isEmpty() ? MOVES : MOVES + ", " + options);
    spark.run("UPDATE t SET id = id + 1");
    assertThat(rows()).containsExactly("2,a,10", "3,b,20", "4,c,30");
    spark.run("UPDATE t SET id = 6 - id, v = concat(v, id)");
    assertThat(rows()).containsExactly("2,c4,30", "3,b3,20", "4,a2,10");
  }

  @Test
  void rowsMoveToOtherPartitionsAndDynamicBuckets() {
    spark.run(
        "CREATE TABLE t (pt STRING, id INT, v STRING) PARTITIONED BY (pt) TBLPROPERTIES"
            + " ('primary-key' = 'pt,id', 'bucket' = '-1', 'dynamic-bucket.target-row-num' = '2', "
            + MOVES
            + ")",
        "INSERT INTO t SELECT concat('p', id % 2), CAST(id AS INT), 'v' FROM range(8)",
        "UPDATE t SET pt = 'p2' WHERE id >= 6",
        "UPDATE t SET id = id + 100, v = 'w' WHERE pt = 'p0' AND id < 2",
        "DELETE FROM t WHERE pt = 'p1' AND id = 5",
        "MERGE INTO t USING (SELECT 'p2' AS pt, 7 AS id, 'm' AS v UNION ALL SELECT 'p9', 9, 'new')"
            + " s ON t.pt = s.pt AND t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT"
            + " MATCHED THEN INSERT *");
    assertThat(rows())
        .containsExactlyInAnyOrder(
            "p1,1,v", "p0,2,v", "p1,3,v", "p0,4,v", "p2,6,v", "p2,7,m", "p9,9,new", "p0,100,w");
  }

  @Test
  void keysDoNotChangeUnlessRowsMayMove() {
    create("");
    List<String> before = files();
    for (String statement :
        List.of(
            "UPDATE t SET id = 5 WHERE id = 1",
            "MERGE INTO t USING (SELECT 2 AS id, 7 AS nid) s ON t.id = s.id WHEN MATCHED THEN"
                + " UPDATE SET id = s.nid")) {
      assertThatThrownBy(() -> spark.run(statement))
          .hasStackTraceContaining("[KEYLAKE_KEY_UPDATE]")
          .hasStackTraceContaining("'row-level.key-update' = 'move'")
          .hasStackTraceContaining("SQLSTATE: 42808");
    }
    assertThat(files()).isEqualTo(before);
    spark.run("UPDATE t SET id = id, v = 'A' WHERE id = 1");
    spark.run("SET `spark.keylake.row-level.key-update` = move");
    try {
      spark.run("UPDATE t SET id = 5 WHERE id = 2");
    } finally {
      spark.run("RESET `spark.keylake.row-level.key-update`");
    }
    assertThat(rows()).containsExactly("1,A,10", "3,c,30", "5,b,20");
  }

  @Test
  void twoRowsWithOneKeyAreRefused() {
    create(MOVES);
    List<String> before = files();
    String source =
        "MERGE INTO t USING (SELECT * FROM VALUES (7, 'x', 1), (7, 'y', 2) AS s(id, v, n)) s"
            + " ON t.id = s.id ";
    for (String statement :
        List.of(
            source + "WHEN NOT MATCHED THEN INSERT *",
            source + "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
            source + "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            "UPDATE t SET id = 1")) {
      assertThatThrownBy(() -> spark.run(statement))
          .as(statement)
          .hasStackTraceContaining("[KEYLAKE_DUPLICATE_KEY]")
          .hasStackTraceContaining("Nothing was changed")
          .hasStackTraceContaining("SQLSTATE: 23505");
    }
    assertThatThrownBy(
            () ->
                spark.run(
                    "MERGE INTO t USING (SELECT * FROM VALUES (1, 'x'), (1, 'y') AS s(id, v)) s"
                        + " ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v"))
        .hasStackTraceContaining("MERGE_CARDINALITY_VIOLATION");
    assertThat(files()).isEqualTo(before);
    assertThat(spark.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("1,a,10", "2,b,20", "3,c,30");
  }

  @Test
  void countsAreKeptInTheSnapshot() {
    create("");
    assertThat(property("keylake.operation")).isEqualTo("INSERT");
    assertThat(property("keylake.rows-inserted")).isEqualTo("3");
    spark.run("DELETE FROM t WHERE id < 3");
    assertThat(property("keylake.operation")).isEqualTo("DELETE");
    assertThat(property("keylake.rows-deleted")).isEqualTo("2");
    spark.run("UPDATE t SET n = 1");
    assertThat(property("keylake.rows-updated")).isEqualTo("1");
    assertThat(property("keylake.files-added")).isEqualTo("1");
    spark.run(
        "MERGE INTO t USING (SELECT explode(array(3, 8, 9)) AS id) s ON t.id = s.id"
            + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)");
    assertThat(property("keylake.operation")).isEqualTo("MERGE");
    assertThat(property("keylake.rows-deleted")).isEqualTo("1");
    assertThat(property("keylake.rows-inserted")).isEqualTo("2");
    spark.run("INSERT OVERWRITE t VALUES (5, 'e', 50)");
    assertThat(property("keylake.operation")).isEqualTo("OVERWRITE");
    assertThat(Integer.parseInt(property("keylake.files-removed"))).isPositive();
    spark.run("DELETE FROM t");
    assertThat(property("keylake.operation")).isEqualTo("DELETE");
    assertThat(property("keylake.files-removed")).isEqualTo("1");
  }

  @Test
  void aStatementThatChangesNothingMakesNoSnapshot() {
    create("");
    spark.run("DELETE FROM t WHERE id = 99", "UPDATE t SET v = 'x' WHERE n > 1000");
    assertThat(spark.value("SELECT count(*) FROM `t$snapshots`")).isEqualTo("1");
  }

  @Test
  void nullsAreRefusedInRequiredColumns() {
    spark.run(
        "CREATE TABLE t (id INT, v STRING NOT NULL, c VARCHAR(3)) TBLPROPERTIES ('primary-key' ="
            + " 'id', 'bucket' = '1')",
        "INSERT INTO t VALUES (1, 'a', 'abc')");
    assertThatThrownBy(() -> spark.run("UPDATE t SET v = CAST(NULL AS STRING)"))
        .hasStackTraceContaining("NULL");
    assertThatThrownBy(() -> spark.run("UPDATE t SET c = concat(c, 'd')"))
        .hasStackTraceContaining("EXCEED_LIMIT_LENGTH");
    spark.run("DELETE FROM t WHERE c = 'abc'");
    assertThat(rows()).isEmpty();
  }

  @Test
  void theRowAsItWasIsAMetadataColumn() {
    spark.run(
        "CREATE TABLE t (id INT, v STRING NOT NULL, n INT) TBLPROPERTIES ('primary-key' = 'id',"
            + " 'bucket' = '1', 'sequence.field' = 'n')",
        "INSERT INTO t VALUES (1, 'a', 10)",
        "INSERT INTO t VALUES (1, 'b', 11)");
    assertThat(spark.rows("SELECT v, _before, _before.n FROM t")).containsExactly("b,[b,11],11");
  }
}
