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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Row-level statements on append tables that meet other commits, or fail: no row is lost, none
 * comes back, and what failed leaves nothing behind.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AppendRowLevelFaultSparkTest {
  private static final String COPIES = "'file.format' = 'parquet'";
  private static final String VECTORS = "'deletion-vectors.enabled' = 'true'";
  private static final String BUCKET_VECTORS = VECTORS + ", 'bucket' = '1', 'bucket-key' = 'id'";

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
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  /** Two files with the rows 0 to 5 and 6 to 11. */
  private void create(String properties) {
    spark.run(
        "CREATE TABLE t (id INT, v STRING) TBLPROPERTIES (" + properties + ")",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'v' FROM range(0, 6)",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'v' FROM range(6, 12)");
  }

  private List<String> ids(String condition) {
    return other.rows("SELECT id FROM t WHERE " + condition + " ORDER BY id");
  }

  /** Runs a statement of another session before the first file of this name is made. */
  private void before(String file, String statement) {
    AtomicBoolean done = new AtomicBoolean();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().startsWith(file) && done.compareAndSet(false, true)) {
            other.run(statement);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"copies,manifest", "vectors,index", "vectors,manifest", "buckets,manifest"})
  void rowsThatOthersAddStay(String kind, String point) {
    create(properties(kind) + ", 'isolation-level' = 'snapshot'");
    before(point, "INSERT INTO t VALUES (100, 'new')");
    spark.run("DELETE FROM t WHERE id IN (1, 100)");
    assertThat(ids("id IN (1, 2, 100)")).containsExactly("2", "100");
  }

  private static String properties(String kind) {
    return switch (kind) {
      case "copies" -> COPIES;
      case "vectors" -> VECTORS;
      default -> BUCKET_VECTORS;
    };
  }

  @ParameterizedTest
  @CsvSource({"vectors,index", "vectors,manifest", "buckets,index", "buckets,manifest"})
  void otherRowsOfTheSameFileGoTogether(String kind, String point) {
    create(properties(kind));
    spark.run("DELETE FROM t WHERE id = 0");
    before(point, "DELETE FROM t WHERE id IN (2, 8)");
    spark.run("UPDATE t SET v = 'u' WHERE id IN (1, 9)");
    assertThat(ids("true")).containsExactly("1", "3", "4", "5", "6", "7", "9", "10", "11");
    assertThat(other.value("SELECT count(*) FROM t WHERE v = 'u'")).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource({"vectors,index", "vectors,manifest", "buckets,index", "buckets,manifest"})
  void sameRowIsAConflict(String kind, String point) {
    create(properties(kind));
    before(point, "UPDATE t SET v = 'other' WHERE id = 1");
    assertThatThrownBy(() -> spark.run("UPDATE t SET v = 'mine' WHERE id IN (1, 2)"))
        .hasMessageContaining("KEYLAKE_CONCURRENT_MODIFICATION")
        .hasMessageContaining("run it again");
    assertThat(other.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v"))
        .containsExactly("other,1", "v,11");
  }

  @ParameterizedTest
  @CsvSource({
    "copies,manifest,CALL lake.sys.compact(table => 't')",
    "vectors,index,CALL lake.sys.compact(table => 't')",
    "vectors,manifest,CALL lake.sys.compact(table => 't')",
    "buckets,manifest,CALL lake.sys.compact(table => 't')",
    "copies,manifest,DELETE FROM t WHERE id = 2",
    "copies,manifest,TRUNCATE TABLE t",
    "vectors,manifest,TRUNCATE TABLE t"
  })
  void fileThatAnotherCommitTookAwayIsAConflict(String kind, String point, String statement) {
    create(properties(kind));
    spark.run("DELETE FROM t WHERE id = 0");
    List<String> after = new ArrayList<>();
    AtomicBoolean done = new AtomicBoolean();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().startsWith(point) && done.compareAndSet(false, true)) {
            other.run(statement);
            after.addAll(stored());
          }
        });
    assertThatThrownBy(() -> spark.run("DELETE FROM t WHERE id = 1"))
        .hasMessageContaining("KEYLAKE_CONCURRENT_MODIFICATION");
    assertThat(ids("id IN (0, 1)"))
        .isEqualTo(statement.startsWith("TRUNCATE") ? List.of() : List.of("1"));
    assertThat(after).containsAll(stored());
  }

  @ParameterizedTest
  @ValueSource(strings = {COPIES, VECTORS})
  void compactionOfRowsThatAreBeingDeletedGivesWay(String properties) {
    create(properties + ", 'compaction.min.file-num' = '2'");
    spark.run("DELETE FROM t WHERE id = 0");
    HookedFileSystem.unhook();
    AtomicBoolean done = new AtomicBoolean();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().startsWith("manifest") && done.compareAndSet(false, true)) {
            other.run("DELETE FROM t WHERE id = 1");
          }
        });
    spark.run("CALL lake.sys.compact(table => 't')");
    assertThat(ids("id < 3")).containsExactly("2");
  }

  /** All data and index files there are, referred to or not. */
  private List<String> stored() {
    try (Stream<Path> files = Files.walk(warehouse.resolve("db.db/t"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("data-") || name.startsWith("index-"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "copies,data-",
    "copies,manifest-list",
    "vectors,data-",
    "vectors,index-",
    "vectors,index-manifest",
    "vectors,manifest-list",
    "buckets,index-",
    "buckets,manifest-list"
  })
  void statementThatFailsLeavesNothing(String kind, String point) {
    create(properties(kind));
    spark.run("DELETE FROM t WHERE id = 0");
    List<String> before = stored();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().contains(point)) {
            throw new IOException("no space");
          }
        });
    assertThatThrownBy(() -> spark.run("UPDATE t SET v = 'x' WHERE id IN (1, 7)"))
        .hasMessageContaining("no space");
    HookedFileSystem.unhook();
    assertThat(stored()).isEqualTo(before);
    assertThat(other.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("v,11");
    assertThat(other.value("SELECT max(snapshot_id) FROM `t$snapshots`")).isEqualTo("3");
  }
}
