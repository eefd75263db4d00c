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

import io.keylake.golden.GoldenTables;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Postpone tables: batch writes into buckets, and rows that the reference has staged. */
final class PostponeSparkTest {
  private static final String PLAIN = "'bucket' = '-2'";

  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
    spark.session().conf().set("spark.sql.jsonGenerator.ignoreNullFields", "false");
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private void create(String properties) {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, n INT, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ("
            + properties
            + ")");
  }

  private void createPartitioned(String properties) {
    spark.run(
        "CREATE TABLE t (p STRING, k INT, v STRING, PRIMARY KEY (p, k) NOT ENFORCED)"
            + " PARTITIONED BY (p) TBLPROPERTIES ("
            + properties
            + ")");
  }

  private ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  /** What a streaming writer of another engine does at a checkpoint. */
  private void stage(String... rows) throws Exception {
    reference().write(List.of(rows));
  }

  private static String row(int k, String v, int n) {
    return "{\"k\":%d,\"v\":\"%s\",\"n\":%d}".formatted(k, v, n);
  }

  private List<String> rows() {
    return spark.rows("SELECT * FROM t ORDER BY 1, 2");
  }

  private List<String> buckets() {
    return spark.rows("SELECT DISTINCT bucket FROM `t$files` ORDER BY bucket");
  }

  private List<String> kinds() {
    return spark.rows("SELECT commit_kind FROM `t$snapshots` ORDER BY snapshot_id");
  }

  /** Sound for us and the reference, which sees the same rows once nothing is staged. */
  private void assertSound() throws Exception {
    SoundTable.check(warehouse.resolve("db.db/t"));
    assertThat(reference().problems()).isEmpty();
  }

  private void assertSameRows() throws Exception {
    SameAsReference.check(spark, warehouse, "t");
  }

  private void compactWithoutChange() throws Exception {
    List<String> before = rows();
    spark.run("CALL sys.compact(table => 't')");
    assertThat(rows()).isEqualTo(before);
    assertThat(buckets()).doesNotContain("-2");
    assertSameRows();
  }

  @Test
  void batchWritesGoIntoBuckets() throws Exception {
    create(PLAIN);
    spark.run(
        "INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2), (1, 'c', 3)",
        "INSERT INTO t VALUES (2, 'd', 4), (3, NULL, 5)");
    assertThat(rows()).containsExactly("1,c,3", "2,d,4", "3,null,5");
    assertThat(buckets()).containsExactly("0");
    assertThat(kinds()).containsExactly("APPEND", "APPEND");
    assertSameRows();
    spark.run("INSERT OVERWRITE t VALUES (9, 'x', 9)");
    assertThat(rows()).containsExactly("9,x,9");
    assertSameRows();
    compactWithoutChange();
  }

  @Test
  void partitionsKeepTheNumberOfBucketsThatTheyWereGiven() throws Exception {
    createPartitioned(PLAIN + ", 'postpone.default-bucket-num' = '3'");
    spark.run(
        "INSERT INTO t SELECT 'a', id, 'x' FROM range(50)",
        "ALTER TABLE t SET TBLPROPERTIES ('postpone.default-bucket-num' = '2')",
        "INSERT INTO t SELECT p, id, 'y' FROM range(20, 70), (VALUES ('a'), ('b')) AS v(p)");
    assertThat(spark.rows("SELECT DISTINCT partition, bucket FROM `t$files` ORDER BY 1, 2"))
        .containsExactly("{a},0", "{a},1", "{a},2", "{b},0", "{b},1");
    assertThat(spark.rows("SELECT p, v, count(*) FROM t GROUP BY p, v ORDER BY 1, 2"))
        .containsExactly("a,x,20", "a,y,50", "b,y,50");
    assertSameRows();
    for (int key : new int[] {0, 33, 69}) {
      assertThat(spark.value("SELECT count(*) FROM t WHERE p = 'a' AND k = " + key)).isEqualTo("1");
    }
    spark.run("INSERT OVERWRITE t PARTITION (p = 'a') SELECT id, 'z' FROM range(50)");
    assertThat(spark.rows("SELECT DISTINCT partition, bucket FROM `t$files` ORDER BY 1, 2"))
        .containsExactly("{a},0", "{a},1", "{b},0", "{b},1");
    assertSameRows();
    compactWithoutChange();
  }

  @Test
  void numberOfBucketsFollowsTheData() throws Exception {
    create(PLAIN + ", 'postpone.target-row-num-per-bucket' = '100', 'target-file-size' = '8 kb'");
    spark.session().conf().set("spark.sql.shuffle.partitions", "8");
    spark.session().conf().set("spark.sql.adaptive.coalescePartitions.minPartitionSize", "1kb");
    spark.run("INSERT INTO t SELECT id, uuid(), 1 FROM range(9000)");
    assertThat(buckets()).hasSizeGreaterThan(1);
    assertThat(spark.value("SELECT count(DISTINCT k) FROM t")).isEqualTo("9000");
    int buckets = buckets().size();
    spark.run("INSERT INTO t SELECT id, 'y', 2 FROM range(100)");
    assertThat(buckets()).hasSize(buckets);
    assertThat(spark.rows("SELECT n, count(*) FROM t GROUP BY n ORDER BY n"))
        .containsExactly("1,8900", "2,100");
    assertSameRows();
  }

  @Test
  void stagedRowsAreSeenAtOnceInTheOrderOfWriting() throws Exception {
    create(PLAIN);
    stage(row(1, "s1", 1), row(2, "s2", 2), row(3, "s3", 3), row(1, "s4", 4));
    assertThat(rows()).containsExactly("1,s4,4", "2,s2,2", "3,s3,3");
    stage(row(2, "s5", 5), "{\"_kind\":\"-D\",\"k\":3,\"v\":\"s3\",\"n\":3}", row(4, "s6", 6));
    assertThat(rows()).containsExactly("1,s4,4", "2,s5,5", "4,s6,6");
    assertThat(spark.rows("SELECT count(*), min(n), max(n), sum(n) FROM t"))
        .containsExactly("3,4,6,15");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("3");
    assertThat(spark.rows("SELECT v FROM t WHERE k = 2")).containsExactly("s5");
    assertThat(spark.rows("SELECT k FROM t WHERE v = 's2'")).isEmpty();
    assertThat(spark.rows("SELECT n FROM t WHERE n > 4 ORDER BY n")).containsExactly("5", "6");
    assertThat(spark.rows("SELECT k FROM t LIMIT 100")).hasSize(3);
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 1 ORDER BY k"))
        .containsExactly("1,s4,4", "2,s2,2", "3,s3,3");
    assertSound();

    spark.session().conf().set("spark.keylake.scan.visibility", "compacted");
    assertThat(rows()).isEmpty();
    spark.session().conf().unset("spark.keylake.scan.visibility");
    spark.run("ALTER TABLE t SET TBLPROPERTIES ('postpone.merge-on-read' = 'false')");
    assertThat(rows()).isEmpty();
    spark.run("ALTER TABLE t UNSET TBLPROPERTIES ('postpone.merge-on-read')");
    compactWithoutChange();
    assertThat(rows()).containsExactly("1,s4,4", "2,s5,5", "4,s6,6");
  }

  @Test
  void ownRowIsNewerThanStagedOnes() throws Exception {
    create(PLAIN);
    spark.run("INSERT INTO t VALUES (1, 'a', 1), (2, 'a', 1)");
    stage(row(1, "s", 2), row(2, "s", 2), row(5, "s", 2));
    spark.run("INSERT INTO t VALUES (1, 'b', 3)");
    assertThat(rows()).containsExactly("1,b,3", "2,s,2", "5,s,2");
    assertThat(kinds()).containsExactly("APPEND", "APPEND", "COMPACT", "APPEND");
    assertSameRows();
    stage(row(1, "s", 4));
    assertThat(rows()).containsExactly("1,s,4", "2,s,2", "5,s,2");
    compactWithoutChange();
  }

  @Test
  void partitionsThatAreNotWrittenStayStaged() throws Exception {
    createPartitioned(PLAIN);
    stage(
        "{\"p\":\"a\",\"k\":1,\"v\":\"s\"}",
        "{\"p\":\"b\",\"k\":1,\"v\":\"s\"}",
        "{\"p\":\"c\",\"k\":1,\"v\":\"s\"}");
    spark.run("INSERT INTO t VALUES ('a', 1, 'mine'), ('d', 1, 'mine')");
    assertThat(rows()).containsExactly("a,1,mine", "b,1,s", "c,1,s", "d,1,mine");
    assertThat(spark.rows("SELECT partition FROM `t$files` WHERE bucket = -2 ORDER BY partition"))
        .containsExactly("{b}", "{c}");
    assertThat(spark.rows("SELECT k, v FROM t WHERE p = 'b'")).containsExactly("1,s");
    spark.run("CALL sys.compact(table => 't', partitions => 'p=b')");
    assertThat(spark.rows("SELECT partition FROM `t$files` WHERE bucket = -2"))
        .containsExactly("{c}");
    assertSound();
    spark.run("INSERT OVERWRITE t PARTITION (p = 'c') VALUES (2, 'z')");
    assertThat(rows()).containsExactly("a,1,mine", "b,1,s", "c,2,z", "d,1,mine");
    assertSameRows();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void rowLevelStatementsSeeStagedRows(String vectors) throws Exception {
    create(PLAIN + ", 'deletion-vectors.enabled' = '" + vectors + "'");
    spark.run("INSERT INTO t VALUES (1, 'a', 1), (2, 'a', 1), (3, 'a', 1)");
    stage(row(2, "s", 2), row(3, "s", 2), row(4, "s", 2), row(5, "s", 2));
    spark.run("DELETE FROM t WHERE v = 's' AND k IN (3, 4)");
    assertThat(rows()).containsExactly("1,a,1", "2,s,2", "5,s,2");
    stage(row(4, "t", 4));
    spark.run("UPDATE t SET n = n + 10 WHERE v IN ('s', 't')");
    assertThat(rows()).containsExactly("1,a,1", "2,s,12", "4,t,14", "5,s,12");
    stage(row(6, "u", 6));
    spark.run(
        "MERGE INTO t USING (SELECT * FROM VALUES (1, 'm'), (6, 'm'), (7, 'm') AS s(k, v)) AS s"
            + " ON t.k = s.k"
            + " WHEN MATCHED AND t.k = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v"
            + " WHEN NOT MATCHED THEN INSERT (k, v, n) VALUES (s.k, s.v, 0)");
    assertThat(rows()).containsExactly("2,s,12", "4,t,14", "5,s,12", "6,m,6", "7,m,0");
    assertSound();
    compactWithoutChange();
    stage(row(8, "w", 8));
    spark.run("DELETE FROM t");
    assertThat(rows()).isEmpty();
    assertSameRows();
  }

  @ParameterizedTest
  @ValueSource(strings = {"partial-update", "aggregation", "first-row"})
  void rowLevelStatementsStandAboveStagedRows(String engine) throws Exception {
    create(PLAIN + ", 'merge-engine' = '" + engine + "'");
    spark.run("INSERT INTO t VALUES (1, 'a', 1)");
    stage(row(2, "s", 2), row(3, "s", 3), row(4, "s", 4));
    spark.run("UPDATE t SET n = NULL WHERE k = 2", "DELETE FROM t WHERE k IN (1, 3)");
    assertThat(rows()).containsExactly("2,s,null", "4,s,4");
    assertSound();
    stage(row(3, "t", 9));
    assertThat(rows()).containsExactly("2,s,null", "3,t,9", "4,s,4");
    compactWithoutChange();
  }

  @Test
  void statementThatSetsSomeColumnsCompletesStagedRows() throws Exception {
    create(PLAIN);
    stage(row(1, "s", 1), row(2, "s", 2));
    spark.run(
        "INSERT INTO t WITH ('upsert.partial-column.name' = 'n')"
            + " VALUES (1, 'ignored', 10), (3, 'ignored', 30)");
    assertThat(rows()).containsExactly("1,s,10", "2,s,2", "3,null,30");
    assertSound();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'merge-engine' = 'partial-update' | 1,b,5 2,s,2 3,c,7",
        "'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'sum' | 1,b,6 2,s,2 3,c,7",
        "'merge-engine' = 'first-row' | 1,a,1 2,s,2 3,c,7",
        "'sequence.field' = 'n' | 1,s,5 2,s,2 3,c,7",
        "'deletion-vectors.enabled' = 'true' | 1,b,null 2,s,2 3,c,7"
      })
  void stagedRowsMergeByTheEngine(String property, String expected) throws Exception {
    create(PLAIN + ", " + property);
    spark.run("INSERT INTO t VALUES (1, 'a', 1)");
    stage("{\"k\":1,\"v\":\"s\",\"n\":5}", row(2, "s", 2));
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("1", "2");
    spark.run("INSERT INTO t VALUES (1, 'b', NULL), (3, 'c', 7)");
    assertThat(String.join(" ", rows())).isEqualTo(expected);
    assertSound();
    compactWithoutChange();
    assertThat(String.join(" ", rows())).isEqualTo(expected);
  }

  @Test
  void bucketFunctionsAreThoseOfTheTable() throws Exception {
    for (String function : List.of("mod", "hive")) {
      spark.run("DROP TABLE IF EXISTS t");
      create(
          PLAIN
              + ", 'bucket-key' = 'k', 'postpone.default-bucket-num' = '3',"
              + " 'bucket-function.type' = '"
              + function
              + "'");
      spark.run("INSERT INTO t SELECT id, 'a', id FROM range(-20, 20)");
      stage(row(-3, "s", 1), row(21, "s", 1));
      assertThat(spark.rows("SELECT v FROM t WHERE k = -3")).containsExactly("s");
      assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("41");
      compactWithoutChange();
    }
  }

  @Test
  void columnsOfOlderSchemasAreStagedToo() throws Exception {
    create(PLAIN);
    stage(row(1, "s", 1), row(2, "s", 2));
    spark.run(
        "ALTER TABLE t ADD COLUMN w INT DEFAULT 7",
        "ALTER TABLE t RENAME COLUMN v TO u",
        "ALTER TABLE t ALTER COLUMN n TYPE BIGINT");
    assertThat(rows()).containsExactly("1,s,1,7", "2,s,2,7");
    spark.run("INSERT INTO t VALUES (2, 'b', 5000000000, NULL)");
    assertThat(spark.rows("SELECT k, u, n FROM t ORDER BY k"))
        .containsExactly("1,s,1", "2,b,5000000000");
    assertSound();
    compactWithoutChange();
  }

  @Test
  void goldenTableIsReadAndGoneOnWith() throws Exception {
    Path database = Files.createDirectories(warehouse.resolve("db.db"));
    GoldenTables.unpack("postpone", database);
    Files.move(database.resolve("postpone"), database.resolve("t"));
    List<String> visible = reference().rows();
    spark.session().conf().set("spark.keylake.scan.visibility", "compacted");
    assertThat(spark.sql("SELECT * FROM t").toJSON().collectAsList())
        .containsExactlyInAnyOrderElementsOf(visible);
    spark.session().conf().unset("spark.keylake.scan.visibility");
    assertThat(rows()).hasSizeGreaterThanOrEqualTo(visible.size());
    compactWithoutChange();
    assertThat(buckets()).isSubsetOf("0", "1");
  }

  @Test
  void dryRunCountsWhatIsStaged() throws Exception {
    create(PLAIN);
    stage(row(1, "s", 1), row(2, "s", 2));
    assertThat(
            spark
                .sql("CALL sys.compact(table => 't', dry_run => true)")
                .selectExpr("files_in", "rows_in")
                .collectAsList())
        .singleElement()
        .hasToString("[1,2]");
    assertThat(kinds()).containsExactly("APPEND");
    assertThat(buckets()).containsExactly("-2");
  }

  @Test
  void stagingInBatchWritesIsRefusedByName() {
    assertThatThrownBy(() -> create(PLAIN + ", 'postpone.batch-write-fixed-bucket' = 'false'"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPTION")
        .hasMessageContaining("postpone.batch-write-fixed-bucket");
    assertThatThrownBy(() -> spark.run("CREATE TABLE t (k INT) TBLPROPERTIES ('bucket' = '-2')"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("needs a primary key");
  }

  @Test
  void randomHistoriesOfBothEnginesEqualAMap() throws Exception {
    long seed = Long.getLong("keylake.test.seed", 11);
    Random random = new Random(seed);
    create(PLAIN + ", 'postpone.default-bucket-num' = '2'");
    Map<Integer, String> expected = new TreeMap<>();
    for (int step = 0; step < 12; step++) {
      step(random, step, expected);
      assertThat(rows()).as("seed %d, step %d", seed, step).isEqualTo(lines(expected));
    }
    compactWithoutChange();
    assertThat(rows()).isEqualTo(lines(expected));
  }

  private void step(Random random, int step, Map<Integer, String> expected) throws Exception {
    List<Integer> keys =
        IntStream.range(0, 6).mapToObj(i -> random.nextInt(12)).distinct().toList();
    String list = String.join(", ", keys.stream().map(String::valueOf).toList());
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        List<String> rows = new ArrayList<>();
        for (int key : keys) {
          boolean isDelete = random.nextInt(4) == 0;
          rows.add(isDelete ? "{\"_kind\":\"-D\",\"k\":" + key + "}" : row(key, "s" + step, step));
          if (isDelete) {
            expected.remove(key);
          } else {
            expected.put(key, "s" + step + "," + step);
          }
        }
        stage(rows.toArray(new String[0]));
      }
      case 2 -> {
        spark.run(
            "INSERT INTO t SELECT k, 'i%d', %d FROM (SELECT explode(array(%s)) AS k)"
                .formatted(step, step, list));
        keys.forEach(key -> expected.put(key, "i" + step + "," + step));
      }
      case 3 -> {
        spark.run("DELETE FROM t WHERE k IN (" + list + ")");
        keys.forEach(expected::remove);
      }
      case 4 -> {
        spark.run("UPDATE t SET v = 'u" + step + "', n = " + step + " WHERE k IN (" + list + ")");
        keys.forEach(key -> expected.computeIfPresent(key, (k, v) -> "u" + step + "," + step));
      }
      default -> spark.run("CALL sys.compact(table => 't')");
    }
  }

  private static List<String> lines(Map<Integer, String> rows) {
    return rows.entrySet().stream().map(row -> row.getKey() + "," + row.getValue()).toList();
  }
}
