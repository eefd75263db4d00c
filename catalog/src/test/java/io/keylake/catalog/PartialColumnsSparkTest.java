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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that set some columns of rows. */
final class PartialColumnsSparkTest {
  private static final String THREE =
      "CREATE TABLE t (a INT, c2 STRING, c3 STRING, PRIMARY KEY (a) NOT ENFORCED)";
  private static final String DYNAMIC = "'upsert.partial-column.enable' = 'true'";
  private static final String STATIC = "'upsert.partial-column.name' = 'c2'";

  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  private List<String> afterEach(String insert) {
    List<String> rows = new ArrayList<>();
    for (String values : List.of("(1, 'b', 'c')", "(1, 'd', NULL)", "(1, NULL, 'e')")) {
      spark.run(insert + " VALUES " + values);
      rows.add(spark.rows("SELECT c2, c3 FROM t").toString());
    }
    return rows;
  }

  @Test
  void standardWritesSetAllColumns() {
    spark.run(THREE + " TBLPROPERTIES ('acid.partial.fields.update.enable' = 'true')");
    assertThat(afterEach("INSERT INTO t")).containsExactly("[b,c]", "[d,null]", "[null,e]");
  }

  @Test
  void columnsThatAreNotNullAreSet() {
    spark.run(THREE);
    assertThat(afterEach("INSERT INTO t WITH (" + DYNAMIC + ")"))
        .containsExactly("[b,c]", "[d,c]", "[d,e]");
    spark.run("INSERT INTO t WITH (" + DYNAMIC + ") (a, c2) VALUES (1, 'f'), (2, 'g')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY a")).containsExactly("1,f,e", "2,g,null");
  }

  @Test
  void namedColumnsAreSetWhateverIsInThem() {
    spark.run(THREE + " TBLPROPERTIES (" + STATIC + ")");
    assertThat(afterEach("INSERT INTO t")).containsExactly("[b,null]", "[d,null]", "[null,null]");
    spark.run(
        "ALTER TABLE t UNSET TBLPROPERTIES ('upsert.partial-column.name')",
        "INSERT INTO t VALUES (1, 'x', 'y')",
        "INSERT INTO t WITH (" + STATIC + ") VALUES (1, NULL, 'ignored'), (3, 'n', 'ignored')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY a")).containsExactly("1,null,y", "3,n,null");
  }

  @Test
  void rowsOfOneStatementFollowOneAnother() {
    spark.run(
        THREE,
        "INSERT INTO t WITH ("
            + DYNAMIC
            + ") VALUES (1, 'b', 'c'), (1, 'd', NULL), (1, NULL, 'e'), (2, NULL, 'q')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY a")).containsExactly("1,d,e", "2,null,q");
    spark.run(
        "INSERT INTO t WITH ("
            + STATIC
            + ") VALUES (1, 'x', 'no'), (1, NULL, 'no'), (2, 'z', 'no')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY a")).containsExactly("1,null,e", "2,z,q");
  }

  /** Rows of one statement and the same rows in statements of their own. */
  private void sameHoweverTheyCome(
      String create, String option, List<String> rows, String expected) {
    spark.run("DROP TABLE IF EXISTS t", create);
    rows.forEach(row -> spark.run("INSERT INTO t WITH (" + option + ") VALUES " + row));
    assertThat(spark.rows("SELECT * FROM t")).as("one by one").containsExactly(expected);
    for (int first = 0; first < rows.size(); first++) {
      spark.run("DROP TABLE t", create);
      if (first > 0) {
        spark.run(
            "INSERT INTO t WITH ("
                + option
                + ") VALUES "
                + String.join(",", rows.subList(0, first)));
      }
      spark.run(
          "INSERT INTO t WITH ("
              + option
              + ") SELECT /*+ COALESCE(1) */ * FROM VALUES "
              + String.join(",", rows.subList(first, rows.size())));
      assertThat(spark.rows("SELECT * FROM t")).as("cut at %d", first).containsExactly(expected);
    }
  }

  @Test
  void eachRowIsOrderedByTheSequenceFieldsThatItEndsUpWith() {
    String table =
        "CREATE TABLE t (k INT, s INT, c2 STRING, c3 STRING, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('sequence.field' = 's'%s)";
    String rising = String.format(table, "");
    sameHoweverTheyCome(
        rising,
        DYNAMIC,
        List.of("(1, 9, 'a', NULL)", "(1, 3, NULL, 'late')", "(1, NULL, 'b', NULL)"),
        "1,9,b,null");
    sameHoweverTheyCome(
        rising,
        STATIC,
        List.of("(1, NULL, 'a', NULL)", "(1, 7, 'b', NULL)", "(1, 5, 'c', NULL)"),
        "1,null,c,null");
    sameHoweverTheyCome(
        rising,
        "'upsert.partial-column.name' = 's,c3'",
        List.of("(1, 4, '-', 'a')", "(1, 6, '-', 'b')", "(1, 5, '-', 'late')", "(1, 6, '-', NULL)"),
        "1,6,null,null");
    sameHoweverTheyCome(
        String.format(table, ", 'sequence.field.sort-order' = 'descending'"),
        DYNAMIC,
        List.of("(1, 5, 'a', NULL)", "(1, 7, 'late', 'late')", "(1, 4, NULL, 'b')"),
        "1,4,a,b");
  }

  @Test
  void partialUpdateTablesTakeNamedColumns() {
    spark.run(
        THREE + " TBLPROPERTIES ('merge-engine' = 'partial-update')",
        "INSERT INTO t VALUES (1, 'b', 'c')",
        "INSERT INTO t WITH (" + STATIC + ") VALUES (1, 'd', 'ignored')",
        "INSERT INTO t WITH (" + DYNAMIC + ") VALUES (1, NULL, 'e')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,d,e");
    assertThatThrownBy(() -> spark.run("INSERT INTO t WITH (" + STATIC + ") VALUES (1, NULL, 'e')"))
        .hasStackTraceContaining("KEYLAKE_INVALID_VALUE")
        .hasStackTraceContaining("c2");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,d,e");
  }

  @Test
  void writeThatCannotBeMeantIsRefusedByItsOption() {
    spark.run(
        THREE,
        "CREATE TABLE app (a INT, c2 STRING)",
        "CREATE TABLE agg (a INT, c2 STRING, PRIMARY KEY (a) NOT ENFORCED) TBLPROPERTIES"
            + " ('merge-engine' = 'aggregation')",
        "CREATE TABLE never (a INT, c2 STRING, PRIMARY KEY (a) NOT ENFORCED) TBLPROPERTIES"
            + " ('acid.partial.fields.update.enable' = 'false')",
        "CREATE TABLE def (a INT, c2 STRING DEFAULT 'x', PRIMARY KEY (a) NOT ENFORCED)",
        "CREATE TABLE seq (a INT, c2 STRING, s INT, PRIMARY KEY (a) NOT ENFORCED) TBLPROPERTIES"
            + " ('merge-engine' = 'partial-update', 'sequence.field' = 's')");
    refused("t", "'upsert.partial-column.name' = 'nope'", "(1, 'b', 'c')", "nope");
    refused("t", "'upsert.partial-column.name' = 'a'", "(1, 'b', 'c')", "'a'");
    refused("t", "'upsert.partial-column.name' = 'c2,c2'", "(1, 'b', 'c')", "twice");
    refused("t", "'upsert.partial-column.enabled' = 'true'", "(1, 'b', 'c')", "unknown");
    refused("app", DYNAMIC, "(1, 'b')", "primary key");
    refused("agg", DYNAMIC, "(1, 'b')", "aggregation");
    refused("never", DYNAMIC, "(1, 'b')", "acid.partial.fields.update.enable");
    refused("def", DYNAMIC, "(1, 'b')", "default");
    refused("seq", STATIC, "(1, 'b', 2)", "[s]");
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE x (a INT, b INT, PRIMARY KEY (a) NOT ENFORCED) TBLPROPERTIES"
                        + " ('merge-engine' = 'first-row', 'acid.partial.fields.update.enable' ="
                        + " 'true')"))
        .hasMessageContaining("acid.partial.fields.update.enable");
  }

  private void refused(String table, String option, String values, String what) {
    assertThatThrownBy(
            () -> spark.run("INSERT INTO " + table + " WITH (" + option + ") VALUES " + values))
        .hasMessageContaining("[KEYLAKE_")
        .hasMessageContaining("upsert.partial-column")
        .hasMessageContaining(what);
    assertThat(spark.rows("SELECT * FROM " + table)).isEmpty();
  }

  @Test
  void newKeyNeedsItsRequiredColumns() {
    spark.run(
        "CREATE TABLE t (a INT, c2 STRING, c3 STRING NOT NULL, PRIMARY KEY (a) NOT ENFORCED)",
        "INSERT INTO t VALUES (1, 'b', 'c')",
        "INSERT INTO t WITH (" + STATIC + ") VALUES (1, 'd', '-')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,d,c");
    assertThatThrownBy(() -> spark.run("INSERT INTO t WITH (" + STATIC + ") VALUES (2, 'd', '-')"))
        .hasStackTraceContaining("KEYLAKE_INVALID_VALUE")
        .hasStackTraceContaining("c3");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,d,c");
  }

  @Test
  void partitionIsGivenByEveryRowWhetherItIsPartOfTheKeyOrNot() {
    spark.run(
        "CREATE TABLE t (a INT, p STRING, c2 STRING, c3 STRING, PRIMARY KEY (a) NOT ENFORCED)"
            + " PARTITIONED BY (p) TBLPROPERTIES ('bucket' = '1')",
        "INSERT INTO t VALUES (1, 'x', 'b', 'c')",
        "INSERT INTO t WITH ("
            + STATIC
            + ") VALUES (1, 'x', 'd', '-'), (1, 'y', 'e', '-'), (2, 'x', 'f', '-')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY p, a"))
        .containsExactly("1,x,d,c", "2,x,f,null", "1,y,e,null");
  }

  @Test
  void overwrittenRowsAreNotRead() {
    spark.run(
        THREE,
        "INSERT INTO t VALUES (1, 'b', 'c'), (2, 'x', 'y')",
        "INSERT OVERWRITE t WITH (" + DYNAMIC + ") VALUES (1, 'd', NULL)");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,d,null");
  }

  /** The rows that a table must have, kept naively. */
  private static final class Model {
    private final TreeMap<String, @Nullable String[]> rows = new TreeMap<>();

    void setNonNull(String key, @Nullable String[] values) {
      @Nullable String[] row = rows.computeIfAbsent(key, k -> new String[values.length]);
      for (int i = 0; i < values.length; i++) {
        row[i] = values[i] == null ? row[i] : values[i];
      }
    }

    void setFirst(String key, @Nullable String[] values) {
      rows.computeIfAbsent(key, k -> new String[values.length])[0] = values[0];
    }

    List<String> text() {
      List<String> text = new ArrayList<>();
      rows.forEach((key, row) -> text.add(key + "," + row[0] + "," + row[1]));
      return text;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'bucket' = '1'",
        "'bucket' = '2', 'file.format' = 'orc', 'target-file-size' = '1 kb'",
        "'dynamic-bucket.target-row-num' = '20', 'num-sorted-run.compaction-trigger' = '2'",
        "'bucket' = '1', 'deletion-vectors.enabled' = 'true'"
      })
  void randomWritesGiveWhatANaiveModelGives(String options) throws Exception {
    long seed = Long.getLong("partial.seed", 1);
    Random random = new Random(seed + options.hashCode());
    spark.run(
        "CREATE TABLE t (k STRING, n INT, c2 STRING, c3 STRING, PRIMARY KEY (k, n) NOT ENFORCED)"
            + " TBLPROPERTIES ("
            + options
            + ")");
    Model model = new Model();
    StructType type = Objects.requireNonNull(spark.session().table("t").schema());
    for (int step = 0; step < 7; step++) {
      boolean nonNull = random.nextBoolean();
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(60); i++) {
        String k = "k" + random.nextInt(12);
        int n = random.nextInt(6);
        @Nullable String[] values = {value(random), value(random)};
        rows.add(RowFactory.create(k, n, values[0], values[1]));
        if (nonNull) {
          model.setNonNull(k + "," + n, values);
        } else {
          model.setFirst(k + "," + n, values);
        }
      }
      spark.session().createDataFrame(rows, type).coalesce(1).createOrReplaceTempView("source");
      spark.run("INSERT INTO t WITH (" + (nonNull ? DYNAMIC : STATIC) + ") SELECT * FROM source");
      assertThat(spark.rows("SELECT * FROM t ORDER BY k, n"))
          .as("seed %d, step %d", seed, step)
          .isEqualTo(model.text());
      if (step == 4) {
        spark.run("CALL sys.compact(table => 't')");
      }
    }
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", "t");
    assertThat(reference.problems()).isEmpty();
    SoundTable.checkAllUnder(warehouse);
  }

  private static @Nullable String value(Random random) {
    return random.nextInt(3) == 0 ? null : "v" + random.nextInt(1000);
  }

  @Test
  void anotherWriteOfTheSameKeysMeanwhileIsAConflict() {
    SharedSpark hooked = SharedSpark.over(warehouse, HookedFileSystem.OPTIONS);
    hooked.run(
        THREE + " TBLPROPERTIES ('bucket' = '1')",
        "INSERT INTO t VALUES (1, 'b', 'c'), (9, 'x', 'y')");
    boolean[] done = {false};
    HookedFileSystem.hook(
        file -> {
          if (file.getName().startsWith("data-") && !done[0]) {
            done[0] = true;
            CompletableFuture.runAsync(
                    () -> hooked.run("INSERT INTO t VALUES (1, 'other', 'other')"))
                .join();
          }
        });
    try {
      assertThatThrownBy(
              () -> hooked.run("INSERT INTO t WITH (" + DYNAMIC + ") (a, c2) VALUES (1, 'd')"))
          .hasStackTraceContaining("KEYLAKE_CONCURRENT_MODIFICATION");
    } finally {
      HookedFileSystem.unhook();
    }
    assertThat(hooked.rows("SELECT * FROM t ORDER BY a")).containsExactly("1,other,other", "9,x,y");
  }
}
