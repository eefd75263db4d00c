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

package io.keylake.extensions.statements;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.Dataset;
import org.jspecify.annotations.Nullable;

/**
 * One table and a random sequence of statements. Each step has a random source of its own, so that
 * some steps of a history can be left out and the others stay alike.
 */
final class StatementHistory {
  /** What may differ from table to table beside the engine. */
  private record Layout(boolean partitioned, String bucket, boolean vectors) {}

  private final SparkSession spark;
  private final Path warehouse;
  private final String name;
  private final long seed;
  private final StatementEngine engine;
  private final Layout layout;
  private final ModelTable model;
  private final StringBuilder log = new StringBuilder();

  StatementHistory(SparkSession spark, Path warehouse, String name, long seed) {
    this.spark = spark;
    this.warehouse = warehouse;
    this.name = name;
    this.seed = seed;
    this.engine = engine(seed);
    Random random = new Random(seed * 31 + 7);
    this.layout =
        new Layout(
            random.nextInt(3) == 0,
            new String[] {"1", "2", "-1"}[random.nextInt(3)],
            engine != StatementEngine.FIRST_ROW && random.nextInt(2) == 0);
    this.model = new ModelTable(engine, layout.partitioned());
  }

  /** The engine of the table of a seed; about a quarter of all are append tables. */
  static StatementEngine engine(long seed) {
    StatementEngine[] engines = StatementEngine.values();
    int choice = (int) Math.floorMod(seed, engines.length + 2L);
    return engines[Math.min(choice, engines.length - 1)];
  }

  /** The statements so far, as SQL. */
  String log() {
    return log.toString();
  }

  /** Creates the table and takes steps, after each of which it must have the rows of the model. */
  void run(List<Integer> steps) throws Exception {
    create();
    for (int step : steps) {
      Random random = new Random(seed * 1_000_003 + step * 7919L);
      RandomStatements statements = new RandomStatements(random, model, name, step);
      perform(step == 0 ? statements.insert(8) : statements.next());
      check();
      if (random.nextInt(4) == 0 && isSeenByReference()) {
        checkReference();
      }
    }
    if (engine.isKeyed()) {
      perform(
          Statement.of(
              "CALL lake.sys.compact(table => 'db." + name + "', compact_strategy => 'full')",
              () -> {}));
      check();
    }
    checkReference();
    SoundTable.checkEverything(warehouse.resolve("db.db").resolve(name));
  }

  private void create() {
    Map<String, String> options = new LinkedHashMap<>(engine.options());
    Random random = new Random(seed * 17 + 3);
    options.put("bucket", layout.bucket());
    if (!engine.isKeyed() && !layout.bucket().equals("-1")) {
      options.put("bucket-key", "k");
    }
    if (layout.vectors()) {
      options.put("deletion-vectors.enabled", "true");
    }
    options.put("num-sorted-run.compaction-trigger", random.nextBoolean() ? "2" : "5");
    options.put("file.format", new String[] {"parquet", "parquet", "orc"}[random.nextInt(3)]);
    StringBuilder text = new StringBuilder("CREATE TABLE " + name + " (");
    for (int i = 0; i < model.columns().size(); i++) {
      text.append(i == 0 ? "" : ", ")
          .append(model.name(i))
          .append(" ")
          .append(model.columns().get(i).type())
          .append(model.isKey(i) ? " NOT NULL" : "");
    }
    if (engine.isKeyed()) {
      text.append(", PRIMARY KEY (k" + (layout.partitioned() ? ", p" : "") + ") NOT ENFORCED");
    }
    text.append(")").append(layout.partitioned() ? " PARTITIONED BY (p)" : "");
    text.append(" TBLPROPERTIES ('write-only' = 'false', 'row-level.key-update' = 'move'");
    options.forEach((key, value) -> text.append(", '" + key + "' = '" + value + "'"));
    perform(Statement.of(text.append(")").toString(), () -> {}));
  }

  private void perform(Statement statement) {
    statement
        .settings()
        .forEach(
            (key, value) -> {
              log.append("SET " + key + "=" + value + ";\n");
              spark.conf().set(key, value);
            });
    List<String> texts = statement.sql();
    Throwable failure = null;
    try {
      for (String text : texts) {
        log.append(text).append(";\n");
        spark.sql(text);
      }
    } catch (Exception e) {
      failure = e;
    }
    if (failure == null) {
      assertThat(statement.refusals()).as("refused: %s", texts).isEmpty();
      statement.effect().run();
      return;
    }
    String condition = condition(failure);
    boolean refused =
        statement.refusals().contains(condition)
            || statement.mayRefuse() && condition.startsWith("KEYLAKE_");
    if (!refused) {
      throw new IllegalStateException(condition + " of " + texts, failure);
    }
    log.append("-- ").append(condition).append("\n");
  }

  private static String condition(Throwable failure) {
    String found = "none";
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable named && named.getCondition() != null) {
        found = named.getCondition();
      }
    }
    return found;
  }

  private void check() {
    List<String> seen =
        query().collectAsList().stream().map(StatementHistory::text).sorted().toList();
    model.settle(seen);
    assertThat(seen).isEqualTo(model.text());
    long count = spark.sql("SELECT count(*) FROM " + name).head().getLong(0);
    assertThat(count).as("count(*)").isEqualTo(seen.size());
  }

  @SuppressWarnings("unchecked")
  private Dataset<Row> query() {
    return (Dataset<Row>) spark.sql("SELECT * FROM " + name);
  }

  private static String text(Row row) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      values.add(row.get(i));
    }
    return ModelTable.text(values);
  }

  /** The reference hides rows that are not compacted of some tables. */
  private boolean isSeenByReference() {
    return engine != StatementEngine.FIRST_ROW && (!layout.vectors() || !engine.isKeyed());
  }

  private void checkReference() throws Exception {
    Dataset<Row> rows = query();
    List<String> lines = new ArrayList<>();
    for (InternalRow row : rows.queryExecution().executedPlan().executeCollect()) {
      lines.add(CanonicalText.of(row, rows.schema()));
    }
    lines.sort(ReferenceValues::compareUtf8);
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", name);
    assertThat(reference.rows()).as("rows of the reference").isEqualTo(lines);
  }

  /** What a failure says, without names and numbers: to tell one kind from others. */
  static String sign(@Nullable Throwable failure) {
    if (failure == null) {
      return "none";
    }
    String message = String.valueOf(failure.getMessage()).strip();
    return failure.getClass().getSimpleName()
        + message.substring(0, Math.min(24, message.length()));
  }
}
