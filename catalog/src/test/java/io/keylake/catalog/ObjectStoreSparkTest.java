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
import io.keylake.format.fileio.ObjectStore;
import io.keylake.spark.testing.SoundTable;
import io.keylake.table.LakeTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements on a warehouse in an object store, which has neither folders nor rename. */
final class ObjectStoreSparkTest {
  private static final String WAREHOUSE = "objstore://spark/warehouse";

  @TempDir private Path folder;
  private ObjectStore store;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    store = ObjectStore.empty("spark");
    spark = SharedSpark.over(folder);
    spark.session().conf().set("spark.sql.catalog.store", KeylakeCatalog.class.getName());
    spark.session().conf().set("spark.sql.catalog.store.warehouse", WAREHOUSE);
    spark.run("CREATE NAMESPACE store.db", "USE store.db");
  }

  @AfterEach
  void nothingWasRenamed() {
    assertThat(store.renames()).isZero();
  }

  private List<String> table(String name) {
    return spark.rows("SELECT * FROM " + name + " ORDER BY 1");
  }

  private static void checkSound(String table) {
    SoundTable.checkEverything(
        LakeTable.load(
            table,
            HadoopFileIO.of(new Configuration(false)),
            new Location(WAREHOUSE + "/db.db/" + table)));
  }

  @Test
  void statementsOnKeyedTablesAreCarriedOut() {
    store.unreliable(42);
    spark.run(
        "CREATE TABLE t (id INT, v STRING) TBLPROPERTIES ('primary-key'='id','bucket'='2')",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')",
        "INSERT INTO t VALUES (2, 'B'), (4, 'd')",
        "DELETE FROM t WHERE id = 1",
        "UPDATE t SET v = 'C' WHERE id = 3");
    assertThat(table("t")).containsExactly("2,B", "3,C", "4,d");
    spark.run("CALL store.sys.compact(table => 'db.t', compact_strategy => 'full')");
    assertThat(table("t")).containsExactly("2,B", "3,C", "4,d");
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 1 ORDER BY id"))
        .containsExactly("1,a", "2,b", "3,c");
    checkSound("t");
  }

  @Test
  void referencesAndExpiryNeedNoRename() {
    spark.run(
        "CREATE TABLE t (id INT)",
        "INSERT INTO t VALUES (1)",
        "INSERT INTO t VALUES (2)",
        "INSERT INTO t VALUES (3)",
        "CALL store.sys.create_tag(table => 'db.t', tag => 'two', snapshot => 2)",
        "CALL store.sys.create_branch(table => 'db.t', branch => 'b', tag => 'two')",
        "CALL store.sys.rename_branch(table => 'db.t', from_branch => 'b', to_branch => 'c')",
        "INSERT INTO `t$branch_c` VALUES (9)");
    assertThat(table("`t$branch_c`")).containsExactly("1", "2", "9");
    spark.run("CALL store.sys.rollback(table => 'db.t', version => '2')");
    assertThat(table("t")).containsExactly("1", "2");
    spark.run(
        "INSERT OVERWRITE t VALUES (4)",
        "CALL store.sys.expire_snapshots(table => 'db.t', retain_max => 1, retain_min => 1)");
    assertThat(table("t")).containsExactly("4");
    assertThat(spark.rows("SELECT count(*) FROM `t$snapshots`")).containsExactly("1");
    assertThat(table("t VERSION AS OF 'two'")).containsExactly("1", "2");
    checkSound("t");
  }

  @Test
  void tablesAreRenamedReplacedAndDropped() {
    spark.run(
        "CREATE TABLE t (id INT, v STRING)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
        "ALTER TABLE t RENAME TO u",
        "INSERT INTO u VALUES (3, 'c')");
    assertThat(table("u")).containsExactly("1,a", "2,b", "3,c");
    assertThat(store.keys()).noneMatch(key -> key.contains("/t/"));
    checkSound("u");

    spark.run(
        "CREATE OR REPLACE TABLE u PARTITIONED BY (v) AS SELECT * FROM u WHERE id < 3",
        "INSERT OVERWRITE u PARTITION (v = 'a') VALUES (9)");
    assertThat(table("u")).containsExactly("2,b", "9,a");
    checkSound("u");

    spark.run("DROP TABLE u");
    assertThat(store.keys()).noneMatch(key -> key.contains("/u/"));
  }

  @Test
  void storeWithoutConditionalPutsIsRefusedByTheFirstWrite() {
    store.withoutConditions();
    assertThatThrownBy(() -> spark.run("CREATE TABLE t (id INT)"))
        .hasMessageContaining("KEYLAKE_UNSAFE_STORAGE");
    assertThat(store.keys()).noneMatch(key -> key.contains("/t/"));
  }
}
