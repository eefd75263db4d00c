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

package io.keylake.catalog.rowlevel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import io.keylake.table.LakeTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Overwrites by conditions on any column replace exactly the rows for which these are true. */
final class ReplaceWhereSparkTest {
  private static final String KEY = "'primary-key'='id,pt',";

  /** Tables of (id INT, v INT, pt STRING) partitioned by pt. */
  private enum Kind {
    APPEND("'bucket'='-1'"),
    APPEND_BUCKETS("'bucket'='2','bucket-key'='id'"),
    APPEND_VECTORS("'deletion-vectors.enabled'='true'"),
    ROW_TRACKING("'row-tracking.enabled'='true'"),
    FIXED(KEY + "'bucket'='2'"),
    DYNAMIC(KEY + "'bucket'='-1'"),
    SEQUENCE(KEY + "'bucket'='1','sequence.field'='v'"),
    VECTORS(KEY + "'bucket'='1','deletion-vectors.enabled'='true'"),
    PARTIAL_UPDATE(KEY + "'bucket'='1','merge-engine'='partial-update'"),
    AGGREGATION(
        KEY + "'bucket'='2','merge-engine'='aggregation','fields.v.aggregate-function'='max'"),
    FIRST_ROW(KEY + "'bucket'='1','merge-engine'='first-row'");

    private final String properties;

    Kind(String properties) {
      this.properties = properties;
    }

    boolean isKeyed() {
      return properties.startsWith(KEY);
    }
  }

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

  private void createTable(Kind kind) {
    spark.run(
        "CREATE TABLE t (id INT, v INT, pt STRING) PARTITIONED BY (pt) TBLPROPERTIES ("
            + kind.properties
            + ")",
        "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (6, NULL, 'a')",
        "INSERT INTO t VALUES (3, 30, 'a'), (4, 40, 'c')");
  }

  private List<String> table() {
    return spark.rows("SELECT * FROM t ORDER BY id, pt, v");
  }

  private Snapshot latest() {
    HadoopFileIO io = HadoopFileIO.of(new Configuration(false));
    Location root = new Location("file:" + warehouse.resolve("db.db/t").toAbsolutePath());
    return LakeTable.load("t", io, root).storage().snapshots().latest().orElseThrow();
  }

  private void assertReferenceAgrees() {
    try {
      ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", "t");
      assertThat(reference.rows()).hasSize(table().size());
      assertThat(reference.problems()).isEmpty();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Path> dataFiles() {
    try (Stream<Path> files = Files.walk(warehouse)) {
      return files.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFormReplacesTheRowsForWhichTheConditionIsTrue(Kind kind) throws Exception {
    createTable(kind);
    long before = latest().id();
    spark.run(
        "INSERT INTO t REPLACE WHERE v >= 20 AND pt <> 'c' VALUES (2, 22, 'b'), (5, 50, 'a'),"
            + " (3, 21, 'a')");
    assertThat(table())
        .containsExactly("1,10,a", "2,22,b", "3,21,a", "4,40,c", "5,50,a", "6,null,a");
    assertThat(latest().id()).isEqualTo(before + 1);
    assertThat(latest().commitKind().name()).isEqualTo("OVERWRITE");
    assertThat(latest().properties())
        .containsEntry("keylake.operation", "OVERWRITE")
        .containsEntry("keylake.rows-inserted", "3")
        .containsEntry("keylake.rows-deleted", "2");

    spark
        .sql("SELECT id, v - 1 AS v, pt FROM t WHERE v = 22")
        .writeTo("t")
        .overwrite(functions.col("v").between(21, 22));
    assertThat(table()).containsExactly("1,10,a", "2,21,b", "4,40,c", "5,50,a", "6,null,a");

    spark
        .sql("SELECT 7 AS id, CAST(NULL AS INT) AS v, 'c' AS pt")
        .write()
        .mode("overwrite")
        .option("replaceWhere", "v IS NULL OR (pt = 'a' AND v % 50 = 0)")
        .insertInto("t");
    assertThat(table()).containsExactly("1,10,a", "2,21,b", "4,40,c", "7,null,c");

    spark.run("INSERT INTO t REPLACE WHERE id <= 2 SELECT * FROM t WHERE false");
    assertThat(table()).containsExactly("4,40,c", "7,null,c");
    assertThat(latest().id()).isEqualTo(before + 4);
    assertThat(spark.rows("SELECT count(*) FROM t VERSION AS OF " + (before + 3)))
        .containsExactly("4");
    compact();
    assertThat(table()).containsExactly("4,40,c", "7,null,c");
    assertReferenceAgrees();
  }

  @ParameterizedTest
  @EnumSource(names = {"APPEND", "FIXED"})
  void rowsOutsideTheConditionAreRefusedAndLeaveNothing(Kind kind) {
    createTable(kind);
    List<Path> before = dataFiles();
    List<String> rows = table();
    for (String value : List.of("9", "NULL")) {
      assertThatThrownBy(
              () ->
                  spark.run(
                      "INSERT INTO t REPLACE WHERE v >= 10 SELECT id, IF(id = 3, "
                          + value
                          + ", v), pt FROM t WHERE v IS NOT NULL"))
          .hasStackTraceContaining("KEYLAKE_OVERWRITE_MISMATCH")
          .hasStackTraceContaining("lake.db.t");
    }
    assertThat(table()).isEqualTo(rows);
    assertThat(latest().id()).isEqualTo(2);
    assertThat(dataFiles()).isEqualTo(before);
  }

  @Test
  void whatChangesNothingMakesNoSnapshot() {
    createTable(Kind.FIXED);
    spark.run("INSERT INTO t REPLACE WHERE v > 1000 SELECT * FROM t WHERE v > 1000");
    assertThat(latest().id()).isEqualTo(2);
    spark.run("INSERT INTO t REPLACE WHERE v > 1000 VALUES (1, 1001, 'z')");
    assertThat(table()).hasSize(6);
    assertThat(latest().properties()).containsEntry("keylake.rows-inserted", "1");
  }

  @Test
  void rowsOfTablesThatWereNeverWrittenAreReplacedToo() {
    spark.run("CREATE TABLE t (id INT, v INT) TBLPROPERTIES ('primary-key'='id')");
    spark.run("INSERT INTO t REPLACE WHERE v > 0 VALUES (1, 1)");
    assertThat(table("SELECT * FROM t")).containsExactly("1,1");
  }

  private List<String> table(String query) {
    return spark.rows(query);
  }

  @Test
  void rowsOfKeysThatStayAreCombinedAsByInsert() {
    createTable(Kind.FIXED);
    spark.run("INSERT INTO t REPLACE WHERE v >= 30 VALUES (1, 31, 'a'), (8, 80, 'a')");
    assertThat(table()).containsExactly("1,31,a", "2,20,b", "6,null,a", "8,80,a");
  }

  @Test
  void otherFilesOfAppendTablesAreNotTouched() {
    createTable(Kind.APPEND);
    List<Path> before = dataFiles();
    spark.run("INSERT INTO t REPLACE WHERE v = 10 VALUES (1, 10, 'a')");
    assertThat(latest().properties())
        .containsEntry("keylake.rows-copied", "1")
        .containsEntry("keylake.files-removed", "1")
        .containsEntry("keylake.files-added", "2");
    assertThat(dataFiles()).containsAll(before).hasSize(before.size() + 2);
  }

  @Test
  void conditionsMeanWhatTheyMeanInWhere() {
    spark.run(
        "CREATE TABLE t (id INT, c CHAR(4), s STRUCT<x: INT, y: STRING>, ts TIMESTAMP)",
        "INSERT INTO t VALUES (1, 'ab', named_struct('x', 1, 'y', 'p'), TIMESTAMP'2024-01-01"
            + " 10:00'), (2, 'abc', named_struct('x', 2, 'y', 'q'), TIMESTAMP'2024-01-02 10:00'),"
            + " (3, NULL, NULL, NULL)");
    String row = " SELECT 9, 'ab', named_struct('x', 1, 'y', 'r'), TIMESTAMP'2024-01-01 11:00'";
    spark.run("INSERT INTO t REPLACE WHERE c = 'ab' AND s.x < 2" + row);
    assertThat(spark.rows("SELECT id FROM t ORDER BY id")).containsExactly("2", "3", "9");
    spark
        .sql(
            "SELECT 8 AS id, 'abc' AS c, named_struct('x', 1, 'y', 'q') AS s, TIMESTAMP'2024-01-02'"
                + " AS ts")
        .write()
        .mode("overwrite")
        .option("replaceWhere", "C = 'abc' AND `s`.y LIKE 'q%' AND ts >= '2024-01-02'")
        .insertInto("t");
    assertThat(spark.rows("SELECT id FROM t ORDER BY id")).containsExactly("3", "8", "9");
    spark.run(
        "INSERT INTO t REPLACE WHERE CAST(ts AS DATE) = DATE'2024-01-01'"
            + " SELECT 7, 'ab', NULL, TIMESTAMP'2024-01-01'");
    assertThat(spark.rows("SELECT id FROM t ORDER BY id")).containsExactly("3", "7", "8");
  }

  @Test
  void partitionsOfPaddedTextAreSelectedAsInWhere() {
    spark.run(
        "CREATE TABLE t (id INT, c CHAR(4)) PARTITIONED BY (c)",
        "INSERT INTO t VALUES (1, 'ab'), (2, 'abc')",
        "INSERT INTO t REPLACE WHERE c = 'ab' SELECT 3, 'ab'");
    assertThat(spark.rows("SELECT id FROM t ORDER BY id")).containsExactly("2", "3");
  }

  @Test
  void theOptionTakesConditionsThatSparkCannotHandOver() {
    createTable(Kind.APPEND);
    spark
        .sql("SELECT 9 AS id, 5 AS v, 'a' AS pt")
        .write()
        .mode("overwrite")
        .option("replaceWhere", "from_json(concat('{\"a\":', v, '}'), 'a INT').a < 30")
        .insertInto("t");
    assertThat(table()).containsExactly("3,30,a", "4,40,c", "6,null,a", "9,5,a");
  }

  @Test
  void conditionsThatARowCannotAnswerAreRefused() {
    createTable(Kind.APPEND);
    Map<String, String> refusals =
        Map.of(
            "v > rand()", "INVALID_NON_DETERMINISTIC_EXPRESSIONS",
            "v IN (SELECT 1)", "OVERWRITE_BY_SUBQUERY",
            "from_json(pt, 'a INT').a = 1", "cannot translate expression");
    refusals.forEach(
        (condition, refusal) ->
            assertThatThrownBy(
                    () ->
                        spark.run(
                            "INSERT INTO t REPLACE WHERE " + condition + " VALUES (1, 1, 'a')"))
                .hasMessageContaining(refusal));
    assertThat(latest().id()).isEqualTo(2);
  }

  @Test
  void tablesWhoseRowsGoWhereOthersAreRefuseConditionsOnRows() {
    spark.run(
        "CREATE TABLE t (id INT, v INT, pt STRING) PARTITIONED BY (pt)"
            + " TBLPROPERTIES ('primary-key'='id')");
    assertThatThrownBy(() -> spark.run("INSERT INTO t REPLACE WHERE v = 1 VALUES (1, 1, 'a')"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPERATION")
        .hasMessageContaining("DELETE");
  }

  @Test
  void rowsThatSetSomeColumnsCannotReplaceOthers() {
    createTable(Kind.FIXED);
    assertThatThrownBy(
            () ->
                spark
                    .sql("SELECT 1 AS id, 10 AS v, 'a' AS pt")
                    .write()
                    .mode("overwrite")
                    .option("replaceWhere", "v = 10")
                    .option("upsert.partial-column.enable", "true")
                    .insertInto("t"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPERATION");
  }

  /** The reference shows some tables as of their last compaction. */
  private void compact() {
    spark.run("CALL lake.sys.compact(table => 'db.t', compact_strategy => 'full')");
  }

  /** One row of a model. */
  private record Line(int id, @Nullable Integer v, String pt) {
    String sql() {
      return "(" + id + ", " + v + ", '" + pt + "')";
    }

    String text() {
      return id + "," + v + "," + pt;
    }
  }

  /** A condition, in SQL and in Java. */
  private record Where(String sql, Predicate<Line> test) {}

  private static Where where(Random random) {
    int bound = random.nextInt(60);
    int id = random.nextInt(12);
    return switch (random.nextInt(5)) {
      case 0 -> new Where("v >= " + bound, line -> line.v() != null && line.v() >= bound);
      case 1 -> new Where("v IS NULL", line -> line.v() == null);
      case 2 -> new Where("id % 3 = " + id % 3, line -> line.id() % 3 == id % 3);
      case 3 ->
          new Where(
              "pt = 'a' AND NOT (v < " + bound + ")",
              line -> line.pt().equals("a") && line.v() != null && line.v() >= bound);
      default ->
          new Where(
              "pt IN ('a', 'b') AND (id < " + id + " OR v IS NULL)",
              line -> !line.pt().equals("c") && (line.id() < id || line.v() == null));
    };
  }

  private static Line line(Random random) {
    return new Line(
        random.nextInt(12),
        random.nextInt(6) == 0 ? null : random.nextInt(60),
        List.of("a", "b", "c").get(random.nextInt(3)));
  }

  @ParameterizedTest
  @EnumSource(names = {"APPEND", "APPEND_VECTORS", "DYNAMIC", "VECTORS", "PARTIAL_UPDATE"})
  void randomOverwritesGiveWhatAModelGives(Kind kind) {
    Random random = new Random(20_000 + kind.name().hashCode());
    createTable(kind);
    List<Line> model = new ArrayList<>();
    for (String row : table()) {
      String[] parts = row.split(",");
      model.add(
          new Line(
              Integer.parseInt(parts[0]),
              parts[1].equals("null") ? null : Integer.valueOf(parts[1]),
              parts[2]));
    }
    for (int step = 0; step < 4; step++) {
      Where where = where(random);
      model.removeIf(where.test());
      Map<String, Line> rows = new TreeMap<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        Line line = line(random);
        boolean isFree = model.stream().noneMatch(old -> isSameKey(old, line));
        if (where.test().test(line) && (isFree || !kind.isKeyed())) {
          rows.put(line.id() + line.pt(), line);
        }
      }
      model.addAll(rows.values());
      String values =
          rows.isEmpty()
              ? "SELECT * FROM t WHERE false"
              : "VALUES " + String.join(", ", rows.values().stream().map(Line::sql).toList());
      spark.run("INSERT INTO t REPLACE WHERE " + where.sql() + " " + values);
      assertThat(table())
          .as("step %s of %s: %s %s", step, kind, where.sql(), values)
          .containsExactlyInAnyOrderElementsOf(model.stream().map(Line::text).toList());
    }
    compact();
    assertReferenceAgrees();
  }

  private static boolean isSameKey(Line left, Line right) {
    return left.id() == right.id() && left.pt().equals(right.pt());
  }
}
