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

import io.keylake.catalog.HookedFileSystem;
import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Restores of older versions, and the history and the detail of a table. */
final class RestoreSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  @AfterEach
  void tablesAreSound() {
    HookedFileSystem.unhook();
    SoundTable.checkAllUnder(warehouse);
  }

  private ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  private Row restore(String arguments) {
    return spark.sql("CALL lake.sys.restore(table => 't', " + arguments + ")").head();
  }

  private String newest() {
    return spark.value("SELECT max(snapshot_id) FROM `t$snapshots`");
  }

  private List<String> rows(String of) {
    return spark.rows("SELECT * FROM " + of + " ORDER BY k, v");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "key 'bucket' = '2', 'changelog-producer' = 'lookup'",
        "key 'bucket' = '-1'",
        "key 'bucket' = '-2'",
        "key 'bucket' = '1', 'deletion-vectors.enabled' = 'true'",
        "'deletion-vectors.enabled' = 'true', 'row-tracking.enabled' = 'true'",
      })
  void restoredVersionHoldsWhatItHeldForAllReadersAndOutlivesItsHistory(String kind)
      throws Exception {
    boolean isKeyed = kind.startsWith("key ");
    boolean isPostponed = kind.contains("'-2'");
    spark.run(
        "CREATE TABLE t (k INT, v BIGINT, dt STRING"
            + (isKeyed ? ", PRIMARY KEY (k, dt) NOT ENFORCED" : "")
            + ") PARTITIONED BY (dt) TBLPROPERTIES ('snapshot.num-retained.min' = '1', "
            + (isKeyed ? kind.substring(4) : kind)
            + ")",
        "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'a'), (3, 30, 'b'), (4, 40, 'c')",
        "INSERT INTO t VALUES (2, 21, 'a'), (3, 31, 'b')");
    if (!isPostponed) {
      spark.run("DELETE FROM t WHERE k = 1");
    }
    String version = newest();
    List<String> then = rows("t");
    spark.run(
        "ALTER TABLE t ADD COLUMN w STRING",
        "INSERT INTO t VALUES (2, 22, 'a', 'w'), (9, 90, 'd', 'w')",
        "CALL lake.sys.compact(table => 't')",
        "CALL lake.sys.drop_partition(table => 't', partitions => 'dt=b')",
        "INSERT INTO t VALUES (5, 50, 'b', 'w')");
    String before = newest();
    List<String> meanwhile = rows("t");
    Row planned = restore("version => '" + version + "', dry_run => true");
    assertThat(newest()).isEqualTo(before);
    Row done = restore("version => '" + version + "'");
    assertThat(done.getLong(6)).isEqualTo(Long.parseLong(before) + 1);
    assertThat(done.toSeq().take(6)).isEqualTo(planned.toSeq().take(6));
    assertThat(done.getLong(2)).isPositive();
    List<String> restored = then.stream().map(row -> row + ",null").toList();
    assertThat(rows("t")).isEqualTo(restored);
    assertThat(rows("t VERSION AS OF " + before)).isEqualTo(meanwhile);
    assertThat(
            spark.rows(
                "SELECT _change_type, k, dt FROM t CHANGES FROM VERSION "
                    + done.getLong(6)
                    + " TO VERSION "
                    + done.getLong(6)
                    + " WHERE dt IN ('b', 'd') AND k > 4"))
        .containsExactlyInAnyOrder("delete,5,b", "delete,9,d");
    assertThat(restore("version => '" + newest() + "'").isNullAt(6)).isTrue();
    assertThat(reference().problems()).isEmpty();
    if (!isPostponed) {
      assertThat(reference().rows()).hasSameSizeAs(restored);
      reference().expire(1);
    }
    spark.run("CALL lake.sys.expire_snapshots(table => 't', retain_max => 1)");
    assertThat(rows("t")).isEqualTo(restored);
    spark.run("INSERT INTO t VALUES (2, 1, 'a', 'again')");
    assertThat(spark.rows("SELECT k FROM t WHERE w = 'again'")).containsExactly("2");
    assertThat(reference().problems()).isEmpty();
  }

  @Test
  void otherCommitsMeanwhileAreReplacedTooAndFailuresLeaveNothing() throws Exception {
    SharedSpark hooked = SharedSpark.over(warehouse, HookedFileSystem.OPTIONS);
    hooked.run(
        "CREATE TABLE t (k INT, v INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1')",
        "INSERT INTO t VALUES (1, 1)",
        "INSERT INTO t VALUES (1, 2), (2, 2)",
        "CALL lake.sys.compact(table => 't')",
        "INSERT OVERWRITE t VALUES (7, 7)");
    long files = files();
    HookedFileSystem.hook(
        file -> {
          if (file.getName().startsWith("data-")) {
            throw new IOException("no space");
          }
        });
    assertThatThrownBy(() -> hooked.run("CALL lake.sys.restore(table => 't', version => '2')"))
        .hasMessageContaining("no space");
    HookedFileSystem.unhook();
    assertThat(files()).isEqualTo(files);
    AtomicInteger manifests = new AtomicInteger();
    HookedFileSystem.hook(
        file -> {
          if (file.getName().startsWith("manifest-") && manifests.getAndIncrement() == 0) {
            SharedSpark other = SharedSpark.over(warehouse);
            CompletableFuture.runAsync(() -> other.run("INSERT INTO t VALUES (8, 8)")).join();
          }
        });
    List<String> result = hooked.rows("CALL lake.sys.restore(table => 't', version => '2')");
    assertThat(result.get(0)).endsWith(",6");
    assertThat(hooked.rows("SELECT * FROM t ORDER BY k")).containsExactly("1,2", "2,2");
    assertThat(files()).isEqualTo(files + 3);
  }

  private long files() throws Exception {
    try (Stream<Path> files = Files.walk(warehouse.resolve("db.db/t/bucket-0"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("data-")).count();
    }
  }

  @Test
  void whatCannotBeRestoredIsRefused() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v INT) TBLPROPERTIES ('snapshot.num-retained.min' = '1',"
            + " 'deletion-vectors.modifiable' = 'true')",
        "INSERT INTO t VALUES (1, 1)",
        "INSERT OVERWRITE t VALUES (2, 2)",
        "INSERT OVERWRITE t VALUES (3, 3)");
    assertThatThrownBy(() -> restore("dry_run => true"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "version and timestamp");
    assertThatThrownBy(() -> restore("version => '9'"))
        .hasMessageContainingAll("KEYLAKE_VERSION_NOT_FOUND", "Snapshots 1 to 3 exist");
    assertThatThrownBy(() -> restore("timestamp => '2001-01-01'"))
        .hasMessageContaining("KEYLAKE_VERSION_NOT_FOUND");
    String lost = spark.value("SELECT file_path FROM t.files VERSION AS OF 2");
    Files.delete(Path.of(lost.substring(lost.indexOf('/'))));
    assertThatThrownBy(() -> restore("version => '2'"))
        .hasMessageContainingAll("KEYLAKE_VERSION_NOT_FOUND", "is gone", "oldest snapshot is 1");
    spark.run("ALTER TABLE t SET TBLPROPERTIES ('deletion-vectors.enabled' = 'true')");
    assertThatThrownBy(() -> restore("version => '1'"))
        .hasMessageContainingAll(
            "KEYLAKE_UNSUPPORTED_OPERATION", "deletion-vectors.enabled", "INSERT OVERWRITE");
    spark.run("CALL lake.sys.expire_snapshots(table => 't', retain_max => 1)");
    assertThatThrownBy(() -> restore("version => '2'"))
        .hasMessageContainingAll("KEYLAKE_VERSION_NOT_FOUND", "Snapshots 3 to 3 exist");
    assertThat(newest()).isEqualTo("3");
  }

  @Test
  void historyAndDetailTellOfTheTable() {
    spark.run(
        "CREATE TABLE t (k INT COMMENT 'key', dt STRING, PRIMARY KEY (k, dt) NOT ENFORCED)"
            + " PARTITIONED BY (dt) COMMENT 'things' TBLPROPERTIES ('bucket' = '1')");
    Row empty = spark.sql("CALL lake.sys.detail('t')").head();
    assertThat(empty.<Long>getAs("numFiles")).isZero();
    assertThat(empty.isNullAt(empty.fieldIndex("snapshotId"))).isTrue();
    spark.run(
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
        "INSERT OVERWRITE t VALUES (3, 'a')",
        "DELETE FROM t WHERE k = 3",
        "CALL lake.sys.compact(table => 't')",
        "CALL lake.sys.restore('t', '1')");
    assertThat(spark.rows("CALL lake.sys.history('t', 2)")).hasSize(2);
    Map<Long, Row> history = new HashMap<>();
    spark
        .sql("CALL lake.sys.history(table => 't')")
        .collectAsList()
        .forEach(row -> history.put(row.getLong(0), row));
    assertThat(history.get(1L).<String>getAs("operation")).isEqualTo("INSERT");
    assertThat(history.get(1L).<Boolean>getAs("isBlindAppend")).isTrue();
    assertThat(history.get(1L).getJavaMap(7))
        .containsEntry("numAddedFiles", "2")
        .containsEntry("numOutputRows", "2");
    assertThat(history.get(2L).getJavaMap(4)).containsEntry("commitKind", "OVERWRITE");
    assertThat(history.get(3L).<String>getAs("operation")).isEqualTo("DELETE");
    assertThat(history.get(3L).<Boolean>getAs("isBlindAppend")).isFalse();
    long newest = Long.parseLong(newest());
    assertThat(history.get(newest).<String>getAs("operation")).isEqualTo("RESTORE");
    assertThat(history.get(newest).getJavaMap(4)).containsEntry("version", "1");
    assertThat(history.get(newest - 1).<String>getAs("operation")).isEqualTo("OPTIMIZE");
    Row detail = spark.sql("CALL lake.sys.detail('t')").head();
    assertThat(detail.<String>getAs("name")).isEqualTo("lake.db.t");
    assertThat(detail.<String>getAs("description")).isEqualTo("things");
    assertThat(detail.<Long>getAs("numFiles")).isEqualTo(2);
    assertThat(detail.getList(detail.fieldIndex("partitionColumns")).get(0)).isEqualTo("dt");
    assertThat(detail.getJavaMap(detail.fieldIndex("properties"))).containsEntry("bucket", "1");
    assertThatThrownBy(() -> spark.run("CALL lake.sys.history('t', 0)"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
  }
}
