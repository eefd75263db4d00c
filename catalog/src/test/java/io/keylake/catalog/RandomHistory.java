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
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** One table, changed and compared at random. */
final class RandomHistory {
  private static final String[] KEY_TYPES = {
    "INT",
    "STRING",
    "DECIMAL(9,2)",
    "DATE",
    "DOUBLE",
    "BIGINT",
    "SMALLINT",
    "FLOAT",
    "DECIMAL(22,3)"
  };
  private static final String[] VALUE_TYPES = {
    "INT",
    "STRING",
    "DECIMAL(9,2)",
    "DATE",
    "DOUBLE",
    "BIGINT",
    "FLOAT",
    "BOOLEAN",
    "TINYINT",
    "DECIMAL(22,3)",
    "STRUCT<x: INT, y: STRING, z: STRUCT<a: BIGINT>>",
    "ARRAY<INT>"
  };

  private final SharedSpark spark;
  private final Path warehouse;
  private final Random random;
  private final String table;
  private final StringBuilder log = new StringBuilder();
  private final Map<String, Boolean> keys = new LinkedHashMap<>();
  private final int domain;
  private boolean keyed;
  private int fresh;
  private boolean keyRenamed;

  RandomHistory(SharedSpark spark, Path warehouse, Random random, String table) {
    this.spark = spark;
    this.warehouse = warehouse;
    this.random = random;
    this.table = table;
    this.domain = pick(20, 200, 3000);
  }

  ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", table);
  }

  /**
   * Whether a key column was renamed: the reference's own classes cannot check older files then.
   */
  boolean keyRenamed() {
    return keyRenamed;
  }

  String log() {
    return log.toString();
  }

  private void sql(String statement) {
    log.append(statement).append(";\n");
    spark.sql(statement);
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  void create() {
    keyed = random.nextInt(5) > 0;
    boolean partitioned = random.nextInt(3) == 0;
    List<String> columns = new ArrayList<>();
    List<String> primary = new ArrayList<>();
    int keyCount = keyed ? 1 + random.nextInt(3) : 0;
    for (int i = 0; i < keyCount; i++) {
      columns.add(
          "k" + i + " " + (i == 0 && random.nextBoolean() ? "INT" : pick(KEY_TYPES)) + " NOT NULL");
      primary.add("k" + i);
    }
    if (partitioned) {
      columns.add(
          "p "
              + pick("INT", "STRING", "DATE", "DECIMAL(6,1)", "BOOLEAN")
              + (keyed ? " NOT NULL" : ""));
      if (keyed) {
        primary.add(random.nextInt(primary.size() + 1), "p");
      }
    }
    for (int i = 0; i < 2 + random.nextInt(4); i++) {
      columns.add(random.nextInt(columns.size() + 1), "v" + i + " " + pick(VALUE_TYPES));
    }
    Map<String, String> options = new LinkedHashMap<>();
    if (keyed) {
      options.put("primary-key", String.join(",", primary));
      buckets(options);
    }
    maybe(options, "file.format", pick("orc", "avro", "parquet"));
    maybe(options, "file.block-size", pick("1 kb", "10 kb"));
    maybe(options, "target-file-size", pick("1 kb", "20 kb"));
    maybe(options, "source.split.target-size", pick("1 b", "10 kb"));
    maybe(options, "source.split.open-file-cost", pick("1 b", "5 kb"));
    maybe(options, "metadata.stats-mode", pick("none", "full", "counts", "truncate(3)"));
    maybe(options, "data-file.thin-mode", "true");
    maybe(options, "num-levels", "3");
    maybe(options, "read.batch-size", pick("7", "100"));
    maybe(options, "parquet.page.size", "500");
    maybe(options, "file.parquet.delta-encoded-keys", "false");
    StringBuilder text =
        new StringBuilder("CREATE TABLE " + table + " (" + String.join(", ", columns) + ")");
    if (partitioned) {
      text.append(" PARTITIONED BY (p)");
    }
    text.append(" TBLPROPERTIES ('write-only' = 'false'");
    options.forEach(
        (key, value) -> text.append(", '").append(key).append("' = '").append(value).append("'"));
    sql(text + ")");
    primary.forEach(key -> keys.put(key, true));
    if (partitioned) {
      keys.put("p", true);
    }
  }

  private void buckets(Map<String, String> options) {
    if (random.nextBoolean()) {
      options.put("bucket", "" + (1 + random.nextInt(3)));
      return;
    }
    maybe(options, "bucket", "-1");
    maybe(options, "dynamic-bucket.initial-buckets", pick("1", "2", "7"));
    maybe(options, "dynamic-bucket.max-buckets", pick("1", "5"));
    options.put("dynamic-bucket.target-row-num", pick("40", "200", "5000"));
  }

  private void maybe(Map<String, String> options, String key, String value) {
    if (random.nextInt(3) == 0) {
      options.put(key, value);
    }
  }

  void step() throws Exception {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> insert(rows(false));
      case 3, 4 -> {
        List<String> rows = rows(keyed);
        log.append("-- reference writes ").append(rows.size()).append("\n");
        reference().write(rows);
      }
      case 5 -> {
        log.append("-- reference compacts\n");
        if (keyed) {
          reference().compactFully();
        }
        insert(rows(false));
      }
      case 6 -> {
        alter();
        insert(rows(false));
      }
      default -> {
        sql(
            "ALTER TABLE "
                + table
                + " SET TBLPROPERTIES ('file.format' = '"
                + pick("orc", "avro", "parquet")
                + "')");
        insert(rows(false));
      }
    }
  }

  private void insert(List<String> rows) {
    StructType schema = schema();
    Dataset<Row> data =
        (Dataset<Row>)
            spark
                .session()
                .read()
                .schema(schema)
                .json(spark.session().createDataset(rows, Encoders.STRING()));
    data.createOrReplaceTempView("input");
    List<String> names = new ArrayList<>(List.of(schema.fieldNames()));
    boolean shuffled = random.nextBoolean();
    if (shuffled) {
      java.util.Collections.shuffle(names, random);
    }
    sql(
        "INSERT INTO "
            + table
            + (shuffled ? "(" + String.join(", ", names) + ")" : "")
            + " SELECT "
            + String.join(", ", names)
            + " FROM input -- "
            + rows.size()
            + " rows\n");
  }

  private StructType schema() {
    return spark.session().table(table).schema();
  }

  private void alter() {
    List<String> values = new ArrayList<>();
    for (String name : schema().fieldNames()) {
      if (!keys.containsKey(name)) {
        values.add(name);
      }
    }
    String column = values.get(random.nextInt(values.size()));
    String prefix = "ALTER TABLE " + table + " ";
    switch (random.nextInt(6)) {
      case 0 ->
          sql(prefix + "ADD COLUMN n" + fresh++ + " " + pick(VALUE_TYPES) + pick("", " FIRST"));
      case 1 -> sql(prefix + "RENAME COLUMN " + column + " TO r" + fresh++);
      case 2 -> {
        if (values.size() > 1) {
          sql(prefix + "DROP COLUMN " + column);
        }
        sql(
            prefix
                + "ADD COLUMN "
                + column
                + (values.size() > 1 ? "" : "b")
                + " "
                + pick(VALUE_TYPES));
      }
      case 3 ->
          sql(
              prefix
                  + "ALTER COLUMN "
                  + column
                  + pick(" FIRST", " AFTER " + schema().fieldNames()[0])
                      .replace(" AFTER " + column, " FIRST"));
      case 4 -> {
        String old = null;
        for (String key : keys.keySet()) {
          if (!key.equals("p")) {
            old = key;
          }
        }
        if (old != null) {
          sql(prefix + "RENAME COLUMN " + old + " TO kr" + fresh);
          keyRenamed = true;
          keys.remove(old);
          keys.put("kr" + fresh++, true);
        }
      }
      default -> {
        for (StructField field : schema().fields()) {
          String wider = wider(field.dataType().sql());
          if (wider != null && !keys.containsKey(field.name())) {
            sql(prefix + "ALTER COLUMN " + field.name() + " TYPE " + wider);
          }
        }
      }
    }
  }

  private static String wider(String type) {
    return switch (type) {
      case "TINYINT" -> "SMALLINT";
      case "SMALLINT" -> "INT";
      case "INT" -> "BIGINT";
      case "FLOAT" -> "DOUBLE";
      case "DECIMAL(9,2)" -> "DECIMAL(12,2)";
      case "DECIMAL(12,2)" -> "DECIMAL(21,2)";
      default -> null;
    };
  }

  private List<String> rows(boolean mayDelete) {
    int count = Math.min(domain, pick(1, 5, 40, 400, 1500));
    int from = random.nextInt(domain);
    boolean dense = random.nextBoolean();
    Map<String, String> rows = new LinkedHashMap<>();
    int deleted = mayDelete ? pick(0, 0, 3, 1) : 0;
    for (int i = 0; i < count; i++) {
      int id = dense ? (from + i) % domain : random.nextInt(domain);
      StringBuilder row = new StringBuilder("{");
      StringBuilder key = new StringBuilder();
      for (StructField field : schema().fields()) {
        boolean isKey = keys.containsKey(field.name()) && (keyed || !field.name().equals("p"));
        String value =
            field.name().equals("p")
                ? (keyed || random.nextInt(4) > 0
                    ? value(field.dataType().sql(), random.nextInt(3), true)
                    : "null")
                : isKey
                    ? value(
                        field.dataType().sql(), position(field.name()) == 0 ? id / 2 : id % 7, true)
                    : value(field.dataType().sql(), random.nextInt(pick(3, 1000)), false);
        row.append(row.length() > 1 ? "," : "")
            .append('"')
            .append(field.name())
            .append("\":")
            .append(value);
        if (isKey) {
          key.append(value).append('|');
        }
      }
      if (deleted > 0 && random.nextInt(4) < deleted) {
        row.append(",\"_kind\":\"-D\"");
      }
      rows.put(keyed ? key.toString() : "" + i, row + "}");
    }
    return new ArrayList<>(rows.values());
  }

  private int position(String key) {
    return new ArrayList<>(keys.keySet()).indexOf(key) % 2;
  }

  private String value(String type, int n, boolean isKey) {
    if (!isKey && random.nextInt(6) == 0) {
      return "null";
    }
    if (type.startsWith("STRUCT")) {
      return "{\"x\":"
          + value("INT", n, false)
          + ",\"y\":"
          + value("STRING", n, false)
          + ",\"z\":"
          + (n % 3 == 0 ? "null" : "{\"a\":" + value("BIGINT", n, false) + "}")
          + "}";
    }
    int m = n - domain / 4;
    return switch (type) {
      case "BOOLEAN" -> "" + (n % 2 == 0);
      case "TINYINT" -> "" + (byte) m;
      case "SMALLINT", "INT" -> "" + m;
      case "BIGINT" -> "" + (m * (n % 2 == 0 || isKey ? 1L : 5_000_000_000L));
      case "STRING" ->
          "\""
              + (isKey
                  ? String.format(Locale.ROOT, "%05d", n) + "é"
                  : "x".repeat(n % 20) + pick("", "😀", "a b", "%_", "\uffff") + n)
              + "\"";
      case "DATE" -> "\"" + LocalDate.ofEpochDay(m * 3L) + "\"";
      case "DOUBLE" ->
          isKey ? "" + (m / 4D) : pick("\"NaN\"", "\"Infinity\"", "-0.0", "0.0", "" + m / 3D);
      case "FLOAT" -> isKey ? "" + (m / 4F) : pick("\"NaN\"", "\"-Infinity\"", "-0.0", "" + m / 3F);
      case "ARRAY<INT>" -> pick("[]", "[1,null]", "[" + n + "," + m + "]");
      default -> {
        int scale = Integer.parseInt(type.replaceAll(".*,(\\d+)\\)", "$1"));
        int cut = type.startsWith("DECIMAL(6") ? m % 1000 : m;
        yield "\"" + BigDecimal.valueOf(cut, scale) + "\"";
      }
    };
  }

  void check() throws Exception {
    Dataset<Row> all = (Dataset<Row>) spark.session().sql("SELECT * FROM " + table);
    List<String> rows = canonical(all);
    assertThat(rows).isEqualTo(reference().rows());
    SoundTable.check(warehouse.resolve("db.db").resolve(table));
    if (rows.isEmpty()) {
      return;
    }
    ((Dataset<Row>) spark.session().createDataFrame(all.collectAsList(), all.schema()))
        .createOrReplaceTempView("naive");
    List<Row> sample = all.collectAsList();
    for (int i = 0; i < 8; i++) {
      String filter = filter(sample, 2);
      compare(projection() + " FROM %s WHERE " + filter);
      if (i % 4 == 0) {
        compare("SELECT count(*) AS n FROM %s WHERE " + filter);
      }
    }
    compare("SELECT count(*) AS n FROM %s");
    compare("SELECT " + aggregates(all.schema()) + " FROM %s");
    int limit = 1 + random.nextInt(rows.size() + 3);
    assertThat(
            canonical(
                (Dataset<Row>) spark.session().sql("SELECT * FROM " + table + " LIMIT " + limit)))
        .hasSize(Math.min(limit, rows.size()))
        .isSubsetOf(rows);
    List<String> names = new ArrayList<>(keys.keySet());
    if (!names.isEmpty()) {
      String name = pick(names.toArray(String[]::new));
      compare(
          "SELECT a.* FROM %1$s a JOIN (SELECT DISTINCT "
              + name
              + " AS j FROM %1$s WHERE "
              + filter(sample, 1)
              + ") b ON a."
              + name
              + " = b.j");
    }
  }

  private String projection() {
    if (random.nextInt(3) == 0) {
      return "SELECT *";
    }
    List<String> names = new ArrayList<>();
    for (StructField field : schema().fields()) {
      if (random.nextInt(3) == 0) {
        boolean struct = field.dataType() instanceof StructType;
        names.add(
            struct
                ? pick(
                    field.name(), field.name() + ".y", field.name() + ".z.a", field.name() + ".z")
                : field.name());
      }
    }
    return "SELECT " + (names.isEmpty() ? "1 AS one" : String.join(", ", names));
  }

  private static String aggregates(StructType schema) {
    List<String> parts = new ArrayList<>(List.of("count(*) AS n"));
    for (StructField field : schema.fields()) {
      if (!field.dataType().sql().contains("<")) {
        for (String function : List.of("min", "max", "count")) {
          parts.add(function + "(" + field.name() + ") AS " + function + "_" + field.name());
        }
      }
    }
    return String.join(", ", parts);
  }

  private String filter(List<Row> sample, int depth) {
    if (depth > 0) {
      switch (random.nextInt(5)) {
        case 0 -> {
          return "(" + filter(sample, depth - 1) + " AND " + filter(sample, depth - 1) + ")";
        }
        case 1 -> {
          return "(" + filter(sample, depth - 1) + " OR " + filter(sample, depth - 1) + ")";
        }
        case 2 -> {
          return "NOT (" + filter(sample, depth - 1) + ")";
        }
        default -> {}
      }
    }
    StructField[] fields = schema().fields();
    StructField field = fields[random.nextInt(fields.length)];
    String name = field.name();
    String type = field.dataType().sql();
    if (type.startsWith("ARRAY")) {
      return pick(name + " IS NULL", name + " IS NOT NULL", "get(" + name + ", 0) = 1");
    }
    if (type.startsWith("STRUCT")) {
      return name
          + pick(
              " IS NULL", " IS NOT NULL", ".x > 3", ".z.a IS NULL", ".y LIKE 'xx%'", ".z IS NULL");
    }
    String a = literal(sample, name, type);
    String b = literal(sample, name, type);
    String like =
        type.equals("STRING")
            ? pick(
                " LIKE 'x%'",
                " LIKE '0%'", " LIKE '%a%'", " LIKE '0001%'", " LIKE 'xxxxxxxxxxxxxxxxxx%'")
            : " = " + a;
    return name
        + pick(
            " = " + a,
            " < " + a,
            " <= " + a,
            " > " + a,
            " >= " + a,
            " IS NULL",
            " IS NOT NULL",
            " IN (" + a + ", " + b + ")",
            " IN (" + a + ", NULL)",
            " NOT IN (" + a + ", " + b + ")",
            " BETWEEN " + a + " AND " + b,
            " <=> " + a,
            " <=> NULL",
            " != " + a,
            like);
  }

  private String literal(List<Row> sample, String name, String type) {
    Row row = sample.get(random.nextInt(sample.size()));
    Object value = row.get(row.fieldIndex(name));
    if (value == null) {
      return random.nextBoolean() ? "CAST(NULL AS " + type + ")" : literalText(type, "0");
    }
    return literalText(type, value.toString());
  }

  private static String literalText(String type, String value) {
    if (type.equals("DATE") && !value.contains("-")) {
      return "DATE'1970-01-01'";
    }
    if (type.equals("BOOLEAN")) {
      return value.equals("0") ? "false" : value;
    }
    return type.equals("STRING") || type.equals("DATE") && value.contains("-")
        ? (type.equals("DATE") ? "DATE" : "") + "'" + value + "'"
        : "CAST('" + value + "' AS " + type + ")";
  }

  private void compare(String query) {
    String naive =
        String.format(
            Locale.ROOT,
            query
                .replace("LIKE '", "LIKE '")
                .replace("%", "%%")
                .replace("%%s", "%s")
                .replace("%%1$s", "%1$s"),
            "naive");
    String ours = naive.replace("naive", table);
    assertThat(canonical((Dataset<Row>) spark.session().sql(ours)))
        .as(ours)
        .isEqualTo(canonical((Dataset<Row>) spark.session().sql(naive)));
  }

  void checkTimeTravel() throws Exception {
    long last =
        ((Number)
                spark
                    .session()
                    .sql("SELECT max(snapshot_id) FROM `" + table + "$snapshots`")
                    .head()
                    .get(0))
            .longValue();
    for (long id = 1; id <= last; id++) {
      assertThat(
              canonical(
                  (Dataset<Row>)
                      spark.session().sql("SELECT * FROM " + table + " VERSION AS OF " + id)))
          .as("snapshot %d", id)
          .isEqualTo(reference().rows(Map.of("scan.snapshot-id", Long.toString(id))));
    }
  }

  private static List<String> canonical(Dataset<Row> data) {
    List<String> lines = new ArrayList<>();
    for (InternalRow row : data.queryExecution().executedPlan().executeCollect()) {
      lines.add(CanonicalText.of(row, data.schema()));
    }
    lines.sort(ReferenceValues::compareUtf8);
    return lines;
  }
}
