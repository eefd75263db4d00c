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

import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of statements, and what {@code CHANGES} says of them: each version with its
 * changes gives the next one. Where changes are computed they are exactly what the two versions
 * differ in. {@code -Dchangelog.seed} and {@code -Dchangelog.histories} choose others.
 */
final class ChangelogHistorySparkTest {
  /** The kinds of tables. */
  private enum Kind {
    DEDUPLICATE("'primary-key' = 'k', 'bucket' = '2'"),
    DYNAMIC("'primary-key' = 'k', 'bucket' = '-1', 'dynamic-bucket.target-row-num' = '5'"),
    VECTORS("'primary-key' = 'k', 'bucket' = '1', 'deletion-vectors.enabled' = 'true'"),
    PARTITIONED("'primary-key' = 'k,p', 'bucket' = '1', 'sequence.field' = 'v'"),
    CROSS("'primary-key' = 'k', 'bucket' = '-1'"),
    FIRST_ROW("'primary-key' = 'k', 'bucket' = '2', 'merge-engine' = 'first-row'"),
    PARTIAL_UPDATE("'primary-key' = 'k', 'bucket' = '2', 'merge-engine' = 'partial-update'"),
    AGGREGATION(
        "'primary-key' = 'k', 'bucket' = '1', 'merge-engine' = 'aggregation',"
            + " 'fields.v.aggregate-function' = 'sum'"),
    APPEND("'bucket' = '-1'"),
    APPEND_BUCKETS("'bucket' = '2', 'bucket-key' = 'k'"),
    APPEND_VECTORS("'bucket' = '-1', 'deletion-vectors.enabled' = 'true'");

    private final String options;

    Kind(String options) {
      this.options = options;
    }

    boolean isKeyed() {
      return !name().startsWith("APPEND");
    }

    boolean isPartitioned() {
      return this == PARTITIONED || this == CROSS || this == APPEND_VECTORS;
    }
  }

  private static final int KEYS = 12;
  private static final int STEPS = 6;

  @TempDir private static Path warehouse;

  private static int tables;

  private final List<String> log = new ArrayList<>();
  private Kind kind = Kind.APPEND;
  private String table = "";
  private SharedSpark spark;
  private Random random = new Random(0);

  static Stream<Arguments> histories() {
    return histories(Integer.getInteger("changelog.histories", 1));
  }

  static Stream<Arguments> manyHistories() {
    return histories(Integer.getInteger("changelog.histories", 60));
  }

  private static Stream<Arguments> histories(int count) {
    long first = Long.getLong("changelog.seed", 5);
    return IntStream.range(0, count)
        .boxed()
        .flatMap(n -> Stream.of(Kind.values()).map(kind -> Arguments.of(first + n, kind)));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void everyVersionWithItsChangesGivesTheNext(long seed, Kind kind) {
    run(seed, kind);
  }

  @ParameterizedTest
  @MethodSource("manyHistories")
  @Tag("soak")
  void everyVersionOfManyHistoriesWithItsChangesGivesTheNext(long seed, Kind kind) {
    run(seed, kind);
  }

  private void run(long seed, Kind of) {
    kind = of;
    random = new Random(seed * 7919 + of.options.hashCode());
    spark = SharedSpark.over(warehouse);
    table = "lake.db." + of.name().toLowerCase(Locale.ROOT) + seed + "_" + tables++;
    try {
      sql("CREATE NAMESPACE IF NOT EXISTS lake.db");
      sql(
          "CREATE TABLE "
              + table
              + " (k INT NOT NULL, p INT"
              + (of == Kind.PARTITIONED ? " NOT NULL" : "")
              + ", v INT, w STRING)"
              + (of.isPartitioned() ? " PARTITIONED BY (p)" : "")
              + " TBLPROPERTIES ("
              + of.options
              + ")");
      sql("INSERT INTO " + table + " VALUES " + rows(10));
      for (int step = 1; step < STEPS; step++) {
        step();
      }
      check();
      SoundTable.checkAllUnder(warehouse);
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError("seed " + seed + "\n" + String.join(";\n", log), failure);
    }
  }

  private void sql(String statement) {
    log.add(statement);
    spark.sql(statement).collect();
  }

  private void step() {
    boolean changesRows = kind != Kind.FIRST_ROW;
    int rest = random.nextInt(3);
    switch (random.nextInt(changesRows ? 9 : 4)) {
      case 0, 1 -> sql("INSERT INTO " + table + " VALUES " + rows(1 + random.nextInt(8)));
      case 2 -> sql("INSERT OVERWRITE " + table + " VALUES " + rows(8));
      case 3 -> sql("CALL lake.sys.compact(table => '" + table.substring("lake.".length()) + "')");
      case 4 -> sql("DELETE FROM " + table + " WHERE k % 3 = " + rest);
      case 5 -> sql("UPDATE " + table + " SET w = concat(w, '!') WHERE k % 2 = " + rest % 2);
      case 6 -> sql("UPDATE " + table + " SET w = w WHERE k % 3 = " + rest);
      default -> merge();
    }
  }

  private void merge() {
    String set = kind.isKeyed() && !kind.options.contains("sequence") ? "t.v = s.v, " : "";
    sql(
        "MERGE INTO "
            + table
            + " t USING (SELECT DISTINCT k, 0 AS p, k * 10 AS v, 'merged' AS w FROM VALUES "
            + rows(6)
            + " AS r(k, p, v, w)) s ON t.k = s.k"
            + (kind == Kind.PARTITIONED ? " AND t.p = s.p" : "")
            + " WHEN MATCHED AND t.k % 4 = 0 THEN DELETE"
            + " WHEN MATCHED THEN UPDATE SET "
            + set
            + "t.w = s.w"
            + " WHEN NOT MATCHED THEN INSERT *");
  }

  private String rows(int count) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          "("
              + random.nextInt(KEYS)
              + ", "
              + random.nextInt(2)
              + ", "
              + (random.nextInt(4) == 0 ? "NULL" : random.nextInt(5))
              + ", '"
              + (char) ('a' + random.nextInt(3))
              + "')");
    }
    return String.join(", ", rows);
  }

  private void check() {
    int latest =
        Integer.parseInt(spark.value("SELECT max(snapshot_id) FROM " + table + ".snapshots"));
    Map<Integer, List<String>> changes = changes(latest);
    List<String> before = List.of();
    for (int version = 1; version <= latest; version++) {
      List<String> after =
          spark
              .sql("SELECT to_json(struct(k, p, v, w)) FROM " + table + " VERSION AS OF " + version)
              .collectAsList()
              .stream()
              .map(row -> row.getString(0))
              .toList();
      List<String> found = changes.getOrDefault(version, new ArrayList<>());
      Collections.sort(found);
      List<String> expected = kind.isKeyed() ? ofKeys(before, after) : ofRows(before, after);
      Collections.sort(expected);
      assertThat(found).as("changes of version %d", version).isEqualTo(expected);
      before = after;
    }
  }

  private Map<Integer, List<String>> changes(int latest) {
    Map<Integer, List<String>> changes = new TreeMap<>();
    for (Row row :
        spark
            .sql(
                "SELECT _commit_version, _change_type, to_json(struct(k, p, v, w)) FROM "
                    + table
                    + " CHANGES FROM VERSION 1 TO VERSION "
                    + latest)
            .collectAsList()) {
      changes
          .computeIfAbsent(Integer.parseInt(row.get(0).toString()), any -> new ArrayList<>())
          .add(row.getString(1) + " " + row.getString(2));
    }
    return changes;
  }

  private List<String> ofKeys(List<String> before, List<String> after) {
    Map<String, String> old = byKey(before);
    Map<String, String> now = byKey(after);
    List<String> changes = new ArrayList<>();
    old.forEach(
        (key, row) -> {
          String newer = now.get(key);
          if (newer == null) {
            changes.add("delete " + row);
          } else if (!newer.equals(row)) {
            changes.add("update_preimage " + row);
            changes.add("update_postimage " + newer);
          }
        });
    now.forEach(
        (key, row) -> {
          if (!old.containsKey(key)) {
            changes.add("insert " + row);
          }
        });
    return changes;
  }

  /** A key that moves to another partition goes here and comes there. */
  private Map<String, String> byKey(List<String> rows) {
    Map<String, String> byKey = new LinkedHashMap<>();
    for (String row : rows) {
      String key =
          kind.isPartitioned()
              ? row.substring(0, row.indexOf(",\"p\":") + 6)
              : row.substring(0, row.indexOf(','));
      assertThat(byKey.put(key, row)).isNull();
    }
    return byKey;
  }

  private static List<String> ofRows(List<String> before, List<String> after) {
    Map<String, Integer> surplus = new HashMap<>();
    before.forEach(row -> surplus.merge(row, -1, Integer::sum));
    after.forEach(row -> surplus.merge(row, 1, Integer::sum));
    List<String> changes = new ArrayList<>();
    surplus.forEach(
        (row, count) -> {
          for (int i = 0; i < Math.abs(count); i++) {
            changes.add((count < 0 ? "delete " : "insert ") + row);
          }
        });
    return changes;
  }
}
