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
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random statements of ours and writes of the reference on tables whose keys move between
 * partitions equal a plain map. {@code -Dcross.seed} and {@code -Dcross.histories} choose others.
 */
final class CrossPartitionModelTest {
  private enum Engine {
    DEDUPLICATE,
    PARTIAL_UPDATE,
    AGGREGATION,
    FIRST_ROW
  }

  private record Value(String partition, int v) {}

  private static final int KEYS = 12;
  private static final int STEPS = 7;

  @TempDir private Path warehouse;
  private final Map<Integer, Value> model = new TreeMap<>();
  private final List<String> log = new ArrayList<>();

  static Stream<Arguments> histories() {
    long first = Long.getLong("cross.seed", 77);
    return IntStream.range(0, Integer.getInteger("cross.histories", 1))
        .boxed()
        .flatMap(n -> Stream.of(Engine.values()).map(engine -> Arguments.of(first + n, engine)));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void everyHistoryEqualsTheMap(long seed, Engine engine) throws Exception {
    Random random = new Random(seed * 31 + engine.name().hashCode());
    SharedSpark spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE t (k INT, p STRING, v INT, PRIMARY KEY (k) NOT ENFORCED) PARTITIONED BY (p)"
            + " TBLPROPERTIES ('dynamic-bucket.target-row-num' = '2', 'merge-engine' = '"
            + engine.name().toLowerCase(Locale.ROOT).replace('_', '-')
            + "', 'deletion-vectors.enabled' = '"
            + (engine == Engine.DEDUPLICATE && random.nextBoolean())
            + "'"
            + (engine == Engine.AGGREGATION ? ", 'fields.v.aggregate-function' = 'sum'" : "")
            + ")");
    try {
      for (int step = 0; step < STEPS; step++) {
        step(spark, engine, random);
        check(spark, engine);
      }
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed + "\n" + String.join("\n", log), e);
    }
  }

  private void step(SharedSpark spark, Engine engine, Random random) throws Exception {
    int key = random.nextInt(KEYS);
    int v = random.nextInt(100);
    String partition = partition(random);
    switch (random.nextInt(engine == Engine.FIRST_ROW ? 8 : 9)) {
      case 0, 1, 2 -> insert(spark, engine, random);
      case 3 -> {
        run(spark, "UPDATE t SET p = '" + partition + "' WHERE k > " + key);
        model.replaceAll((k, old) -> k > key ? new Value(partition, old.v()) : old);
      }
      case 4 -> {
        run(spark, "UPDATE t SET v = " + v + " WHERE k = " + key);
        model.computeIfPresent(key, (k, old) -> new Value(old.partition(), v));
      }
      case 5 -> {
        run(spark, "DELETE FROM t WHERE k = " + key + " OR p = '" + partition + "'");
        model
            .entrySet()
            .removeIf(row -> row.getKey() == key || row.getValue().partition().equals(partition));
      }
      case 6 -> {
        run(
            spark,
            "INSERT OVERWRITE t PARTITION (p = '"
                + partition
                + "') VALUES ("
                + key
                + ", "
                + v
                + ")");
        model.values().removeIf(value -> value.partition().equals(partition));
        take(engine, key, new Value(partition, v));
      }
      case 7 -> run(spark, "CALL lake.sys.compact(table => 'db.t')");
      default -> {
        log.add("reference: " + key + ", " + partition + ", " + v);
        ReferenceTable.of(warehouse.toString(), "db", "t")
            .write(List.of("{\"k\":" + key + ",\"p\":\"" + partition + "\",\"v\":" + v + "}"));
        take(engine, key, new Value(partition, v));
      }
    }
  }

  private void insert(SharedSpark spark, Engine engine, Random random) {
    List<String> rows = new ArrayList<>();
    int first = random.nextInt(KEYS);
    for (int i = 0; i < 4; i++) {
      int key = (first + i) % KEYS;
      Value value = new Value(partition(random), random.nextInt(100));
      rows.add("(" + key + ", '" + value.partition() + "', " + value.v() + ")");
      take(engine, key, value);
    }
    run(spark, "INSERT INTO t VALUES " + String.join(", ", rows));
  }

  private void take(Engine engine, int key, Value value) {
    model.merge(
        key,
        value,
        (old, next) ->
            switch (engine) {
              case DEDUPLICATE -> next;
              case PARTIAL_UPDATE -> new Value(old.partition(), next.v());
              case AGGREGATION -> new Value(old.partition(), old.v() + next.v());
              case FIRST_ROW -> old;
            });
  }

  private static String partition(Random random) {
    return "p" + random.nextInt(3);
  }

  private void run(SharedSpark spark, String statement) {
    log.add(statement);
    spark.run(statement);
  }

  private void check(SharedSpark spark, Engine engine) throws Exception {
    List<String> expected =
        model.entrySet().stream()
            .map(row -> row.getKey() + "," + row.getValue().partition() + "," + row.getValue().v())
            .toList();
    assertThat(spark.rows("SELECT k, p, v FROM t ORDER BY k, p")).isEqualTo(expected);
    SoundTable.check(warehouse.resolve("db.db/t"));
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", "t");
    assertThat(reference.problems()).isEmpty();
    boolean readsLevelZero = engine != Engine.FIRST_ROW;
    if (readsLevelZero
        && spark.value("SHOW CREATE TABLE t").contains("'deletion-vectors.enabled' = 'false'")) {
      assertThat(spark.sql("SELECT * FROM t").toJSON().collectAsList())
          .containsExactlyInAnyOrderElementsOf(reference.rows());
    }
  }
}
