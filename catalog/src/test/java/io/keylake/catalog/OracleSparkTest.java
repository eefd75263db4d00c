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

import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.Dataset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables written through Spark are read by the reference implementation with equal rows and found
 * sound by its own classes, and the other way round.
 */
class OracleSparkTest {
  private static final String KEYED = "'primary-key' = 'k', 'bucket' = '2'";

  private static SparkSession spark;

  @TempDir static Path warehouse;

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  @BeforeAll
  static void startSpark() {
    spark =
        SparkSession.builder()
            .master("local[2, 2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate()
            .newSession();
    spark.conf().set("spark.sql.catalog.oracle", KeylakeCatalog.class.getName());
    spark.conf().set("spark.sql.catalog.oracle.warehouse", warehouse.toUri().toString());
    sql("CREATE NAMESPACE IF NOT EXISTS oracle.db");
    sql("USE oracle.db");
  }

  @BeforeEach
  void dropTable() {
    sql("DROP TABLE IF EXISTS t");
  }

  private static void sql(String statement) {
    spark.sql(statement);
  }

  private static ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  private static List<String> ourRows(String query) {
    Dataset<?> rows = (Dataset<?>) spark.sql(query);
    List<String> lines = new ArrayList<>();
    for (InternalRow row : rows.queryExecution().executedPlan().executeCollect()) {
      lines.add(CanonicalText.of(row, rows.schema()));
    }
    lines.sort(ReferenceValues::compareUtf8);
    return lines;
  }

  private static void assertSoundAndEqual() throws Exception {
    assertEqualRows();
    assertThat(reference().problems()).isEmpty();
  }

  private static void assertEqualRows() throws Exception {
    assertThat(withoutPadding(ourRows("SELECT * FROM t")))
        .isEqualTo(withoutPadding(reference().rows()));
  }

  /** Whether a CHAR comes with its padding depends on the reader; it is the same value. */
  private static List<String> withoutPadding(List<String> rows) {
    return rows.stream().map(row -> row.replaceFirst("(\"ch\":\"[^\"]*?) +\"", "$1\"")).toList();
  }

  private static final String ALL_TYPES =
      "k INT NOT NULL, bo BOOLEAN, ti TINYINT, sm SMALLINT, bi BIGINT, fl FLOAT, db DOUBLE, d5"
          + " DECIMAL(5,2), d18 DECIMAL(18,4), d38 DECIMAL(38,10), ch CHAR(5), vc VARCHAR(20), st"
          + " STRING, by BINARY, da DATE, tz TIMESTAMP, nt TIMESTAMP_NTZ, ar ARRAY<INT>, aa"
          + " ARRAY<ARRAY<STRING>>, ma MAP<STRING, BIGINT>, mn MAP<INT, ARRAY<STRUCT<x: INT, y:"
          + " STRING>>>, ro STRUCT<a: INT, b: STRUCT<c: DOUBLE, d: ARRAY<DECIMAL(10,3)>>>";

  private static final String ROW_1 =
      "(1, true, -1Y, 2S, 3L, 1.5F, -2.25D, 123.45, 12345.6789, 1234567890123456789.0123456789,"
          + " 'ab', 'varchar', 'text long enough to be cut in statistics', X'0102',"
          + " DATE'2024-01-31', TIMESTAMP'2024-01-31 12:00:00.123456', TIMESTAMP_NTZ'1969-12-31"
          + " 23:59:58.999999', array(1, NULL, 3), array(array('a', NULL), NULL), map('x', 1L, 'y',"
          + " NULL), map(7, array(named_struct('x', 1, 'y', 'q'), NULL)), named_struct('a', 1, 'b',"
          + " named_struct('c', 0.5D, 'd', array(1.250, NULL))))";

  private static final String ROW_2 =
      "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
          + " NULL, NULL, NULL, NULL, NULL, NULL, NULL)";

  private static final String ROW_3 =
      "(3, false, -128Y, -32768S, -9223372036854775808L, CAST('NaN' AS FLOAT), CAST('-0.0' AS"
          + " DOUBLE), -999.99, -99999999999999.9999, -9999999999999999999999999999.9999999999, '',"
          + " '', 'é中😀', X'', DATE'0001-01-01', TIMESTAMP'1900-01-01 00:00:00.000001',"
          + " TIMESTAMP_NTZ'9999-12-31 23:59:59', array(), array(array()), map(), map(),"
          + " named_struct('a', NULL, 'b', NULL))";

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "avro"})
  void everyTypeOfAnAppendTable(String format) throws Exception {
    sql("CREATE TABLE t (" + ALL_TYPES + ") TBLPROPERTIES ('file.format' = '" + format + "')");
    sql("INSERT INTO t VALUES " + ROW_1 + ", " + ROW_2 + ", " + ROW_3);
    assertThat(ourRows("SELECT * FROM t")).hasSize(3);
    assertSoundAndEqual();
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "avro"})
  void everyTypeOfAKeyedTable(String format) throws Exception {
    sql(
        "CREATE TABLE t ("
            + ALL_TYPES
            + ") TBLPROPERTIES ("
            + KEYED
            + ", 'file.format' = '"
            + format
            + "')");
    sql("INSERT INTO t VALUES " + ROW_1 + ", " + ROW_2 + ", " + ROW_3);
    sql("INSERT INTO t VALUES " + ROW_2.replaceFirst("2, NULL", "1, true"));
    assertThat(ourRows("SELECT * FROM t")).hasSize(3);
    assertSoundAndEqual();
    reference().compactFully();
    assertSoundAndEqual();
  }

  @Test
  void everyKeyTypeAndItsOrder() throws Exception {
    sql(
        "CREATE TABLE t (a BOOLEAN, b TINYINT, c SMALLINT, d INT, e BIGINT, f DECIMAL(9,2), g"
            + " DECIMAL(30,5), h STRING, i DATE, j TIMESTAMP_NTZ, l BINARY, m FLOAT, n DOUBLE, v"
            + " INT, PRIMARY KEY (a, b, c, d, e, f, g, h, i, j, l, m, n) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '3')");
    for (int round = 0; round < 2; round++) {
      sql(
          "INSERT INTO t SELECT id % 2 = 0, CAST(id - 5 AS TINYINT), CAST(-id AS SMALLINT), CAST(id"
              + " * 1000 - 3000 AS INT), -id * 5000000000, CAST(id - 3.25 AS DECIMAL(9,2)),"
              + " CAST(3.5 - id AS DECIMAL(30,5)), concat('key ', id % 3),"
              + " date_add(DATE'1969-12-30', CAST(id AS INT)), TIMESTAMP_NTZ'1969-12-31 23:59:58.5'"
              + " + make_dt_interval(0, 0, 0, id), CAST(concat('b', id) AS BINARY), CAST(id - 4.5"
              + " AS FLOAT), 4.5D - id, "
              + round
              + " FROM range("
              + (round == 0 ? 12 : 6)
              + ")");
    }
    assertThat(ourRows("SELECT v, count(*) AS n FROM t GROUP BY v"))
        .containsExactly("{\"v\":0,\"n\":6}", "{\"v\":1,\"n\":6}");
    assertSoundAndEqual();
  }

  @Test
  void everyPartitionTypeWithNullAndSpecialValues() throws Exception {
    sql(
        "CREATE TABLE t (v INT, s STRING, b BOOLEAN, i INT, l BIGINT, c DECIMAL(10,2), d DATE, ts"
            + " TIMESTAMP_NTZ, db DOUBLE) PARTITIONED BY (s, b, i, l, c, d, ts, db)");
    sql(
        "INSERT INTO t VALUES (1, 'a b:c/d=e%f', true, 1, 2L, 1.50, DATE'2024-01-02',"
            + " TIMESTAMP_NTZ'2024-01-02 03:04:05.123456', 1.5D), (2, NULL, NULL, NULL, NULL, NULL,"
            + " NULL, NULL, NULL), (3, '', false, -1, -2L, -0.01, DATE'1969-12-31',"
            + " TIMESTAMP_NTZ'1960-01-01 00:00:00', -1.0E10D), (4, '中 é\"#*', true, 0, 0L, 0,"
            + " DATE'1970-01-01', TIMESTAMP_NTZ'1970-01-01 00:00:00', 0.0D)");
    assertSoundAndEqual();
    assertThat(ourRows("SELECT v FROM t WHERE s = 'a b:c/d=e%f' AND d = DATE'2024-01-02'"))
        .containsExactly("{\"v\":1}");
    assertThat(ourRows("SELECT v FROM t WHERE s IS NULL")).containsExactly("{\"v\":2}");
    assertThat(ourRows("SELECT v FROM t WHERE s = ''")).containsExactly("{\"v\":3}");
  }

  @Test
  void everyStepOfEvolutionOnAnAppendTable() throws Exception {
    sql(
        "CREATE TABLE t (a INT, b INT, c FLOAT, d DECIMAL(5,2), s STRUCT<x: INT, y: STRING>, ar"
            + " ARRAY<STRUCT<p: INT>>)");
    sql(
        "INSERT INTO t VALUES (1, 10, 1.5, 1.25, named_struct('x', 1, 'y', 'q'),"
            + " array(named_struct('p', 5)))");
    evolve(
        List.of(
            "ALTER TABLE t ADD COLUMN e STRING",
            "ALTER TABLE t RENAME COLUMN b TO bb",
            "ALTER TABLE t ALTER COLUMN a TYPE BIGINT",
            "ALTER TABLE t ALTER COLUMN c TYPE DOUBLE",
            "ALTER TABLE t ALTER COLUMN d TYPE DECIMAL(12,2)",
            "ALTER TABLE t ADD COLUMN s.z INT",
            "ALTER TABLE t RENAME COLUMN s.y TO yy",
            "ALTER TABLE t ALTER COLUMN s.x TYPE BIGINT",
            "ALTER TABLE t ADD COLUMN ar.element.q STRING",
            "ALTER TABLE t ALTER COLUMN e FIRST",
            "ALTER TABLE t DROP COLUMN bb",
            "ALTER TABLE t ADD COLUMN b STRING AFTER a",
            "ALTER TABLE t DROP COLUMN s.x"));
  }

  @Test
  void everyStepOfEvolutionOnAKeyedTable() throws Exception {
    sql("CREATE TABLE t (k INT NOT NULL, a INT, b STRING, c DATE) TBLPROPERTIES (" + KEYED + ")");
    sql("INSERT INTO t VALUES (1, 10, 'x', DATE'2024-01-01'), (2, 20, 'y', NULL)");
    evolve(
        List.of(
            "ALTER TABLE t ADD COLUMN e STRING",
            "ALTER TABLE t RENAME COLUMN a TO aa",
            "ALTER TABLE t ALTER COLUMN aa TYPE BIGINT",
            "ALTER TABLE t ALTER COLUMN e FIRST",
            "ALTER TABLE t DROP COLUMN b",
            "ALTER TABLE t ADD COLUMN b INT"));
    reference().compactFully();
    assertSoundAndEqual();
    sql("ALTER TABLE t RENAME COLUMN k TO key");
    sql("INSERT INTO t (key, aa) VALUES (1, 99), (7, 7)");
    assertThat(ourRows("SELECT aa FROM t WHERE key IN (1, 7)"))
        .containsExactly("{\"aa\":7}", "{\"aa\":99}");
    assertEqualRows();
  }

  /** After each step a row of defaults is appended, under a key of its own where there is one. */
  private static void evolve(List<String> steps) throws Exception {
    int key = 2;
    for (String step : steps) {
      sql(step);
      assertSoundAndEqual();
      String columns =
          String.join(
              ", ",
              Arrays.stream(spark.table("t").schema().fields())
                  .map(
                      field ->
                          "CAST("
                              + (field.name().toLowerCase(Locale.ROOT).startsWith("k")
                                  ? "1"
                                  : "NULL")
                              + " AS "
                              + field.dataType().sql()
                              + ")")
                  .toList());
      sql("INSERT INTO t SELECT " + columns);
      key++;
      assertSoundAndEqual();
    }
    assertThat(key).isEqualTo(2 + steps.size());
  }

  @Test
  void bothWriteAKeyedTableInTurn() throws Exception {
    sql(
        "CREATE TABLE t (k INT NOT NULL, v STRING, p STRING NOT NULL) PARTITIONED BY (p)"
            + " TBLPROPERTIES ('primary-key' = 'k,p', 'bucket' = '2')");
    for (int round = 0; round < 4; round++) {
      sql(
          "INSERT INTO t SELECT CAST(id AS INT), 'ours "
              + round
              + "', concat('p', id % 2) FROM range("
              + round
              + ", "
              + (round + 8)
              + ")");
      assertSoundAndEqual();
      String theirs = "theirs " + round;
      reference()
          .write(
              IntStream.range(round + 2, round + 6)
                  .mapToObj(
                      k -> "{\"k\":" + k + ",\"v\":\"" + theirs + "\",\"p\":\"p" + k % 2 + "\"}")
                  .toList());
      reference()
          .write(List.of("{\"_kind\":\"-D\",\"k\":" + round + ",\"p\":\"p" + round % 2 + "\"}"));
      assertThat(ourRows("SELECT v FROM t WHERE v = '" + theirs + "'")).hasSize(4);
      assertSoundAndEqual();
    }
    reference().compactFully();
    assertSoundAndEqual();
  }

  @Test
  void weAppendToATableOfTheReference() throws Exception {
    Schema schema =
        Schema.newBuilder()
            .column("id", DataTypes.INT())
            .column("name", DataTypes.STRING())
            .option("bucket", "3")
            .option("bucket-key", "id")
            .build();
    reference().create(schema);
    reference().write(List.of("{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":\"b\"}"));
    sql("INSERT INTO t SELECT CAST(id AS INT), 'ours' FROM range(20)");
    reference().write(List.of("{\"id\":3,\"name\":\"c\"}"));
    sql("INSERT INTO t VALUES (NULL, 'null key')");
    assertThat(ourRows("SELECT * FROM t")).hasSize(24);
    assertSoundAndEqual();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'bucket' = '4', 'bucket-function.type' = 'mod', 'bucket-key' = 'k'",
        "'bucket' = '4', 'bucket-function.type' = 'hive'",
        "'bucket' = '2', 'data-file.thin-mode' = 'true'",
        "'bucket' = '1', 'file.compression' = 'snappy', 'metadata.stats-mode' = 'full'",
        "'bucket' = '1', 'metadata.stats-mode' = 'none', 'data-file.path-directory' = 'data'",
        "'bucket' = '1', 'file.parquet.delta-encoded-keys' = 'false', 'metadata.stats-dense-store'"
            + " = 'false'",
        "'bucket' = '1', 'target-file-size' = '20 kb', 'file.block-size' = '10 kb',"
            + " 'parquet.page.size' = '500'"
      })
  void tableOptionsOfTheWriter(String options) throws Exception {
    sql(
        "CREATE TABLE t (k BIGINT NOT NULL, s STRING, d DOUBLE) TBLPROPERTIES ('primary-key' = 'k',"
            + " "
            + options
            + ")");
    sql("INSERT INTO t SELECT id * 7 - 9000, concat('text ', id), id / 3D FROM range(3000)");
    sql("INSERT INTO t SELECT id * 7 - 9000, NULL, NULL FROM range(0, 3000, 10)");
    assertThat(ourRows("SELECT count(*) AS n, count(s) AS s FROM t"))
        .containsExactly("{\"n\":3000,\"s\":2700}");
    assertSoundAndEqual();
  }

  @Test
  void timeTravelSeesWhatTheReferenceSees() throws Exception {
    sql("CREATE TABLE t (k INT NOT NULL, v STRING) TBLPROPERTIES (" + KEYED + ")");
    for (int version = 1; version <= 3; version++) {
      sql("INSERT INTO t VALUES (1, 'v" + version + "'), (" + version * 10 + ", 'new')");
    }
    for (int version = 1; version <= 3; version++) {
      assertThat(ourRows("SELECT * FROM t VERSION AS OF " + version))
          .isEqualTo(reference().rows(Map.of("scan.snapshot-id", Integer.toString(version))));
    }
  }

  @Test
  void fileIndexesDenyNoValue() throws Exception {
    sql(
        "CREATE TABLE t (id INT, c STRING, n BIGINT) TBLPROPERTIES ('file-index.bitmap.columns' ="
            + " 'c', 'file-index.bloom-filter.columns' = 'n', 'file-index.bloom-filter.n.items' ="
            + " '100')");
    sql(
        "INSERT INTO t SELECT CAST(id AS INT), if(id % 7 = 0, NULL, concat('c', id % 5)), id * 11"
            + " FROM range(60)");
    assertThat(ourRows("SELECT id FROM t WHERE n = 121")).containsExactly("{\"id\":11}");
    assertThat(ourRows("SELECT id FROM t WHERE n = 122")).isEmpty();
    assertThat(ourRows("SELECT count(*) AS n FROM t WHERE c IS NULL")).containsExactly("{\"n\":9}");
    assertSoundAndEqual();
  }
}
