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
import io.keylake.golden.GoldenTables;
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

/** Branches in SQL: read, written, travelled, and made the main history. */
final class BranchSparkTest {
  private static final String KEYED =
      "PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '2')";

  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void makeABranch() {
    spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE t (k INT, v STRING, " + KEYED,
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
        "CALL lake.sys.create_tag(table => 't', tag => 'start')",
        "INSERT INTO t VALUES (3, 'main')",
        "CALL lake.sys.create_branch(table => 't', branch => 'b', tag => 'start')");
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"`t$branch_b`", "t.branch_b", "db.t.branch_b", "lake.db.`t$branch_b`"})
  void aBranchIsReadAndWrittenByEachOfItsNames(String branch) throws Exception {
    spark.run(
        "INSERT INTO " + branch + " VALUES (4, 'branch')",
        "UPDATE " + branch + " SET v = 'B' WHERE k = 2",
        "DELETE FROM " + branch + " WHERE k = 1",
        "MERGE INTO "
            + branch
            + " x USING (SELECT 2 AS k, 'm' AS v UNION ALL SELECT 5, 'n') s ON x.k = s.k WHEN"
            + " MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *");
    List<String> expected = List.of("2,m", "4,branch", "5,n");
    assertThat(spark.rows("SELECT * FROM " + branch + " ORDER BY k")).isEqualTo(expected);
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2", "3");
    assertThat(spark.rows("DESCRIBE " + branch)).anyMatch(row -> row.startsWith("k,int"));
    assertThat(reference().rows(Map.of("branch", "b"))).hasSize(3);
    spark.run("INSERT OVERWRITE " + branch + " VALUES (9, 'z')");
    assertThat(spark.rows("SELECT * FROM " + branch)).containsExactly("9,z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"`t$branch_b$snapshots`", "t.branch_b.snapshots", "db.t.`branch_b$snapshots`"})
  void metadataTablesAreOfTheBranch(String snapshots) {
    spark.run("INSERT INTO t.branch_b VALUES (4, 'x')", "INSERT INTO t.branch_b VALUES (5, 'x')");
    assertThat(spark.rows("SELECT snapshot_id FROM " + snapshots + " ORDER BY 1"))
        .containsExactly("1", "2", "3");
    assertThat(spark.rows("SELECT branch_name FROM t.branches")).containsExactly("b");
  }

  @Test
  void timeTravelIsOnTheBranch() {
    spark.run(
        "INSERT INTO t.branch_b VALUES (4, 'x')",
        "CALL lake.sys.create_tag(table => 't$branch_b', tag => 'mine')",
        "INSERT INTO t.branch_b VALUES (5, 'x')");
    assertThat(spark.rows("SELECT k FROM `t$branch_b` VERSION AS OF 2 ORDER BY k"))
        .containsExactly("1", "2", "4");
    assertThat(spark.rows("SELECT k FROM t.branch_b VERSION AS OF 'mine' ORDER BY k"))
        .containsExactly("1", "2", "4");
    assertThat(spark.rows("SELECT k FROM t VERSION AS OF 2 ORDER BY k"))
        .containsExactly("1", "2", "3");
    String time = spark.value("SELECT commit_time FROM t.branch_b.snapshots WHERE snapshot_id = 2");
    assertThat(spark.rows("SELECT k FROM t.branch_b TIMESTAMP AS OF '" + time + "' ORDER BY k"))
        .containsExactly("1", "2", "4");
    assertThatThrownBy(() -> spark.rows("SELECT k FROM t VERSION AS OF 'mine'"))
        .hasMessageContaining("KEYLAKE_VERSION_NOT_FOUND");
    spark.run("CALL lake.sys.rollback(table => 't.branch_b', version => 'mine')");
    assertThat(spark.rows("SELECT k FROM t.branch_b ORDER BY k")).containsExactly("1", "2", "4");
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2", "3");
  }

  @Test
  void aBranchHasColumnsOfItsOwnUntilItBecomesTheMainHistory() throws Exception {
    spark.run(
        "ALTER TABLE `t$branch_b` ADD COLUMN w INT",
        "INSERT INTO t.branch_b VALUES (4, 'x', 7)",
        "CALL lake.sys.compact(table => 't$branch_b')");
    assertThat(spark.rows("SELECT * FROM t.branch_b ORDER BY k"))
        .containsExactly("1,a,null", "2,b,null", "4,x,7");
    assertThat(spark.sql("SELECT * FROM t").columns()).containsExactly("k", "v");
    assertThat(
            spark.rows("CALL lake.sys.fast_forward(table => 't', branch => 'b', dry_run => true)"))
        .containsExactly("2,3,1,2,0");
    assertThat(spark.rows("CALL lake.sys.fast_forward(table => 't', branch => 'b')"))
        .containsExactly("2,3,1,2,0");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k"))
        .containsExactly("1,a,null", "2,b,null", "4,x,7");
    assertThat(reference().rows()).hasSize(3);
    assertThat(reference().problems()).isEmpty();
    spark.run("INSERT INTO t VALUES (5, 'y', 8)");
    assertThat(spark.value("SELECT max(snapshot_id) FROM t.snapshots")).isEqualTo("4");
  }

  @Test
  void branchesAreRenamedAndDeleted() {
    assertThat(
            spark.rows(
                "CALL lake.sys.rename_branch(table => 't', from_branch => 'b', to_branch => 'c')"))
        .containsExactly("c,1,1");
    assertThat(spark.rows("SELECT k FROM t.branch_c ORDER BY k")).containsExactly("1", "2");
    assertThat(spark.rows("CALL lake.sys.create_branch(table => 't', branch => 'empty')"))
        .containsExactly("empty,null,0");
    assertThat(spark.rows("SELECT * FROM t.branch_empty")).isEmpty();
    spark.run("CALL lake.sys.delete_branch(table => 't', branch => 'c,empty', dry_run => true)");
    assertThat(spark.rows("SELECT branch_name FROM t.branches")).containsExactly("c", "empty");
    spark.run("CALL lake.sys.delete_branch(table => 't', branch => 'c,empty')");
    assertThat(spark.rows("SELECT branch_name FROM t.branches")).isEmpty();
    assertThatThrownBy(() -> spark.rows("SELECT k FROM t.branch_c"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
  }

  @Test
  void whatIsNoBranchIsRefusedByName() {
    for (String name : List.of("main", "12", "a/b", "..", "a$b", "a:b", " ")) {
      assertThatThrownBy(
              () ->
                  spark.run("CALL lake.sys.create_branch(table => 't', branch => '" + name + "')"))
          .as(name)
          .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
    }
    assertThatThrownBy(
            () -> spark.run("CALL lake.sys.create_branch(table => 't$branch_b', branch => 'x')"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "is a branch");
    assertThatThrownBy(
            () -> spark.run("CALL lake.sys.delete_branch(table => 't', branch => 'b,nope')"))
        .hasMessageContainingAll("KEYLAKE_REFERENCE_NOT_FOUND", "nope");
    assertThat(spark.rows("SELECT branch_name FROM t.branches")).containsExactly("b");
  }

  @Test
  void branchesOfTheReferenceAreReadAndGoForward() throws Exception {
    reference().load(Map.of()).createBranch("theirs", "start");
    spark.run("INSERT INTO t.branch_theirs VALUES (8, 'ours')");
    assertThat(reference().rows(Map.of("branch", "theirs"))).hasSize(3);
    reference().load(Map.of()).fastForward("theirs");
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2", "8");
    reference().load(Map.of()).rollbackTo(1);
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2");
  }

  @Test
  void goldenTagsAndBranchesAreReadAndChanged() throws Exception {
    GoldenTables.unpack("tags_branches", warehouse.resolve("db.db"));
    ReferenceTable golden = ReferenceTable.of(warehouse.toString(), "db", "tags_branches");
    spark.run("INSERT INTO tags_branches.branch_b1 VALUES (5, 'ours', 5)");
    List<String> branch = List.of("1,branch uno,7", "3,on branch,null", "5,ours,5");
    assertThat(spark.rows("SELECT * FROM tags_branches.branch_b1 ORDER BY k")).isEqualTo(branch);
    assertThat(golden.rows(Map.of("branch", "b1"))).hasSize(3);
    assertThat(spark.rows("SELECT k, v FROM tags_branches VERSION AS OF 't1'"))
        .containsExactly("1,one");
    assertThat(spark.rows("CALL lake.sys.rollback(table => 'tags_branches', tag => 't1')").get(0))
        .startsWith("3,1,1,0,1,");
    assertThat(spark.rows("SELECT k, v FROM tags_branches")).containsExactly("1,one");
    assertThat(golden.rows()).hasSize(1);
    assertThat(golden.problems()).isEmpty();
    spark.run("CALL lake.sys.fast_forward(table => 'tags_branches', branch => 'b1')");
    assertThat(spark.rows("SELECT * FROM tags_branches ORDER BY k")).isEqualTo(branch);
    assertThat(golden.rows()).hasSize(3);
    assertThat(golden.problems()).isEmpty();
  }

  @Test
  void branchThatIsNoneIsRefusedWithTheNamesOfThoseThatAre() {
    assertThatThrownBy(
            () -> spark.run("CALL sys.expire_snapshots(table => 't', options => 'branch=c')"))
        .hasMessageContainingAll("has no branch 'c'", "Its branches: [b].");
  }
}
