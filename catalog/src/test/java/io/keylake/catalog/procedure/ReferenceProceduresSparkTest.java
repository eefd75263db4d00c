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

package io.keylake.catalog.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags, rollback and consumers through {@code CALL}. */
final class ReferenceProceduresSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  private List<String> call(String procedure, String arguments) {
    return spark.rows("CALL lake.sys." + procedure + "(table => 't', " + arguments + ")");
  }

  private void insertThree(String properties) {
    spark.run(
        "CREATE TABLE t (k INT, v STRING) " + properties,
        "INSERT INTO t VALUES (1, 'a')",
        "INSERT INTO t VALUES (2, 'b')",
        "INSERT INTO t VALUES (3, 'c')");
  }

  @Test
  void tagsAreMadeReplacedRenamedAndDeleted() throws Exception {
    insertThree("");
    assertThat(call("create_tag", "tag => 'a', snapshot => 1, time_retained => '2 d'"))
        .containsExactly("a,1");
    assertThat(call("create_tag", "tag => 'b'")).containsExactly("b,3");
    assertThat(call("replace_tag", "tag => 'b', snapshot => 2")).containsExactly("b,3,2");
    assertThat(call("rename_tag", "tag => 'b', target_tag => 'c'")).containsExactly("c,2");
    assertThat(
            spark.rows("SELECT tag_name, snapshot_id, time_retained FROM t.tags ORDER BY tag_name"))
        .containsExactly("a,1,PT48H", "c,2,null");
    assertThat(spark.rows("SELECT k FROM t VERSION AS OF 'a'")).containsExactly("1");
    assertThat(reference().rows(Map.of("scan.tag-name", "c"))).hasSize(2);
    assertThat(call("delete_tag", "tag => 'a, c', dry_run => true")).containsExactly("a,1", "c,2");
    assertThat(spark.rows("SELECT * FROM t.tags")).hasSize(2);
    assertThatThrownBy(() -> call("delete_tag", "tag => 'a,nope'"))
        .hasMessageContainingAll("KEYLAKE_REFERENCE_NOT_FOUND", "nope");
    assertThat(call("delete_tag", "tag => 'a,c'")).containsExactly("a,1", "c,2");
    assertThat(spark.rows("SELECT * FROM t.tags")).isEmpty();
    for (String name : List.of("", " ", "a/b", "..")) {
      assertThatThrownBy(() -> call("create_tag", "tag => '" + name + "'"))
          .hasMessageContaining("KEYLAKE_");
    }
    assertThat(spark.rows("SELECT * FROM t.tags")).isEmpty();
  }

  @Test
  void tagFromATimestampIsOfTheFirstCommitFromThereOn() {
    insertThree("");
    String second = spark.value("SELECT commit_time FROM t.snapshots WHERE snapshot_id = 2");
    assertThat(call("create_tag_from_timestamp", "tag => 'x', timestamp => '" + second + "'"))
        .containsExactly("x,2");
    assertThat(call("create_tag_from_timestamp", "tag => 'y', timestamp => 1700000000000"))
        .containsExactly("y,1");
    assertThatThrownBy(
            () -> call("create_tag_from_timestamp", "tag => 'z', timestamp => '2999-01-01'"))
        .hasMessageContainingAll("KEYLAKE_VERSION_NOT_FOUND", "2999-01-01", "1 to 3");
    assertThat(call("rollback_to_timestamp", "timestamp => '" + second + "', dry_run => true"))
        .containsExactly("3,2,1,0,0,0");
    assertThat(call("rollback_to_timestamp", "timestamp => '" + second + "'"))
        .containsExactly("3,2,1,0,0,0");
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TBLPROPERTIES ('x' = 'y')",
        "TBLPROPERTIES ('deletion-vectors.enabled' = 'true')",
        "TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '1')",
        "TBLPROPERTIES ('primary-key' = 'k')",
      })
  void afterARollbackIdsAreUsedAgain(String properties) throws Exception {
    String known = properties.contains("'x'") ? "" : properties;
    spark.run(
        "CREATE TABLE t (k INT, v STRING) " + known,
        "INSERT INTO t SELECT CAST(id AS INT), 'p' FROM range(10, 16)",
        "UPDATE t SET v = 'q' WHERE k >= 13");
    assertThat(spark.value("SELECT count(*) FROM t WHERE v = 'q'")).isEqualTo("3");
    call("create_tag", "tag => 'late'");
    assertThat(call("rollback", "version => '1'").get(0)).matches("[23],1,[12],0,1,0");
    assertThat(spark.value("SELECT count(*) FROM t WHERE v = 'q'")).isEqualTo("0");
    spark.run("DELETE FROM t WHERE k IN (11, 15)");
    List<String> expected = List.of("10,p", "12,p", "13,p", "14,p");
    assertThat(spark.rows("SELECT k, v FROM t ORDER BY k")).isEqualTo(expected);
    assertThat(spark.rows("SELECT k, v FROM t VERSION AS OF 2 ORDER BY k")).isEqualTo(expected);
    assertThat(spark.rows("SELECT * FROM t.tags")).isEmpty();
    assertThat(reference().rows()).hasSize(4);
    assertThat(reference().problems()).isEmpty();
  }

  @Test
  void rollbackTakesOneVersion() {
    insertThree("");
    call("create_tag", "tag => 'one', snapshot => 1");
    assertThatThrownBy(() -> call("rollback", "dry_run => true"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "version, snapshot and tag");
    assertThatThrownBy(() -> call("rollback", "version => '2', tag => 'one'"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
    assertThatThrownBy(() -> call("rollback", "version => '9'"))
        .hasMessageContainingAll("KEYLAKE_VERSION_NOT_FOUND", "9", "one");
    assertThat(call("rollback", "snapshot => 2")).containsExactly("3,2,1,0,0,0");
    assertThat(call("rollback", "tag => 'one'")).containsExactly("2,1,1,0,0,0");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,a");
    assertThatThrownBy(() -> call("rollback_to_watermark", "watermark => 5"))
        .hasMessageContainingAll("KEYLAKE_VERSION_NOT_FOUND", "watermark 5");
  }

  @Test
  void commitOfTheReferenceAfterARollbackIsRead() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1')",
        "INSERT INTO t VALUES (1, 'a')",
        "INSERT INTO t VALUES (1, 'b')");
    call("rollback", "version => '1'");
    reference().write(List.of("{\"k\":2,\"v\":\"x\"}"));
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).containsExactly("1,a", "2,x");
  }

  @Test
  void consumersAreSetAndForgotten() {
    insertThree("");
    assertThat(call("reset_consumer", "consumer_id => 'j1', next_snapshot_id => 4"))
        .containsExactly("j1,null,4");
    assertThat(call("reset_consumer", "consumer_id => 'j1', next_snapshot_id => 2"))
        .containsExactly("j1,4,2");
    call("reset_consumer", "consumer_id => 'j2', next_snapshot_id => 4");
    call("reset_consumer", "consumer_id => 'k', next_snapshot_id => 1");
    assertThat(call("rollback", "version => '2'")).containsExactly("3,2,1,0,0,1");
    assertThat(spark.rows("SELECT * FROM t.consumers ORDER BY consumer_id"))
        .containsExactly("j1,2", "j2,3", "k,1");
    String some = "including_consumers => 'j.*', excluding_consumers => 'j2'";
    assertThat(call("clear_consumers", some + ", dry_run => true")).containsExactly("j1,2");
    assertThat(call("clear_consumers", some)).containsExactly("j1,2");
    assertThat(call("reset_consumer", "consumer_id => 'j2'")).containsExactly("j2,3,null");
    assertThat(spark.rows("SELECT * FROM t.consumers")).containsExactly("k,1");
    assertThatThrownBy(() -> call("reset_consumer", "consumer_id => 'nope'"))
        .hasMessageContainingAll("KEYLAKE_REFERENCE_NOT_FOUND", "nope", "k");
    assertThatThrownBy(() -> call("clear_consumers", "including_consumers => '('"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "including_consumers");
  }

  @Test
  void tablesMakeTagsByThemselves() {
    spark.run(
        "CREATE TABLE t (k INT) TBLPROPERTIES ('tag.automatic-creation' = 'batch',"
            + " 'tag.batch.customized-name' = 'newest', 'tag.default-time-retained' = '1 d')",
        "INSERT INTO t VALUES (1)",
        "INSERT INTO t VALUES (2)");
    assertThat(spark.rows("SELECT tag_name, snapshot_id, time_retained FROM t.tags"))
        .containsExactly("newest,2,PT24H");
    assertThatThrownBy(() -> call("create_tag", "tag => 'newest'"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "by itself");
    spark.run("ALTER TABLE t SET TBLPROPERTIES ('tag.automatic-creation' = 'process-time')");
    assertThat(call("trigger_tag_automatic_creation", "force => true").get(0))
        .matches("\\d{4}-\\d\\d-\\d\\d,1,created");
    assertThat(call("trigger_tag_automatic_creation", "force => true")).isEmpty();
  }
}
