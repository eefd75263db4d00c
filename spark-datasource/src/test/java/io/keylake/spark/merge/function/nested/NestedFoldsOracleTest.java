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

package io.keylake.spark.merge.function.nested;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.testing.JsonRows;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.AggregateFunction.Collect;
import io.keylake.table.options.engine.AggregateFunction.MergeMapWithKeyTime;
import io.keylake.table.options.engine.AggregateFunction.NestedPartialUpdate;
import io.keylake.table.options.engine.AggregateFunction.NestedUpdate;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.Sketches;
import org.apache.datasketches.theta.UpdateSketch;
import org.apache.paimon.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Random values folded by us and, as rows of an aggregation table, by the reference. */
final class NestedFoldsOracleTest {
  private static final int KEYS = 60;
  private static final String ROWS = "ARRAY<ROW<id INT, x STRING, y STRING>>";
  private static final String TIMED = "MAP<STRING, ROW<v STRING, ts STRING>>";

  @TempDir Path warehouse;

  private final Random random = new Random(4711);

  private interface Values {
    String next() throws IOException;
  }

  /** Folds random values of {@link #KEYS} keys; ours, then those of the reference. */
  private List<List<String>> fold(
      String type, AggregateFunction function, String options, String kinds, Values values)
      throws Exception {
    List<List<String>> keys = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      List<String> steps = new ArrayList<>();
      int versions = 2 + random.nextInt(4);
      for (int version = 0; version < versions; version++) {
        String value = random.nextInt(6) == 0 ? "null" : values.next();
        boolean add = kinds.isEmpty() || random.nextInt(3) > 0;
        steps.add((add ? "add " : "retract ") + value);
        String kind = add ? "+I" : kinds;
        rows.add("{\"_kind\":\"" + kind + "\",\"k\":" + key + ",\"v\":" + value + "}");
      }
      keys.add(steps);
    }
    return List.of(
        FoldFixture.of(type.replace("ROW<", "STRUCT<").replace("BYTES", "BINARY"), function)
            .foldKeys(keys),
        reference(type, options, rows));
  }

  private List<String> reference(String type, String options, List<String> rows) throws Exception {
    Map<String, String> all = new HashMap<>(Map.of("bucket", "1", "merge-engine", "aggregation"));
    for (String option : options.split(";")) {
      String[] parts = option.split("=");
      all.put("fields.v." + parts[0], parts[1]);
    }
    ReferenceTable table = ReferenceTable.of(warehouse.toString(), "db", "t");
    table.create(
        Schema.newBuilder()
            .column("k", ReferenceValues.type("INT NOT NULL"))
            .column("v", ReferenceValues.type(type))
            .primaryKey("k")
            .options(all)
            .build());
    table.write(rows);
    String[] values = new String[KEYS];
    for (String row : table.rows()) {
      JsonNode json = JsonRows.parse(row);
      values[json.get("k").asInt()] = json.get("v").toString();
    }
    return Arrays.asList(values);
  }

  private static void assertSame(List<List<String>> results) {
    assertThat(results.get(0)).isEqualTo(results.get(1));
  }

  /** The reference keeps such elements in a hash map: their order says nothing. */
  private static void assertSameSets(List<List<String>> results) {
    assertThat(results.get(0).stream().map(NestedFoldsOracleTest::sorted))
        .isEqualTo(results.get(1).stream().map(NestedFoldsOracleTest::sorted).toList());
  }

  private static List<String> sorted(String array) {
    List<String> elements = new ArrayList<>();
    JsonRows.parse(array).forEach(element -> elements.add(element.toString()));
    elements.sort(null);
    return elements;
  }

  private String array(Values element) throws IOException {
    List<String> elements = new ArrayList<>();
    int size = random.nextInt(5);
    for (int i = 0; i < size; i++) {
      elements.add(random.nextInt(8) == 0 ? "null" : element.next());
    }
    return "[" + String.join(",", elements) + "]";
  }

  private String text(String... choices) {
    String choice = choices[random.nextInt(choices.length)];
    return choice.isEmpty() ? "null" : "\"" + choice + "\"";
  }

  private String row() {
    return "{\"id\":"
        + random.nextInt(4)
        + ",\"x\":"
        + text("", "a", "b")
        + ",\"y\":"
        + text("", "c", "d")
        + "}";
  }

  private String ints() throws IOException {
    return array(() -> Integer.toString(random.nextInt(4)));
  }

  private String map(Values value) throws IOException {
    List<String> entries = new ArrayList<>();
    for (String key : List.of("p", "q", "r")) {
      if (random.nextBoolean()) {
        entries.add("[\"" + key + "\"," + (random.nextInt(5) == 0 ? "null" : value.next()) + "]");
      }
    }
    return "[" + String.join(",", entries) + "]";
  }

  @Test
  void collectedElementsAreThoseOfTheReference() throws Exception {
    assertSame(
        fold("ARRAY<INT>", new Collect(false), "aggregate-function=collect", "-D", this::ints));
  }

  @Test
  void distinctElementsAreThoseOfTheReference() throws Exception {
    assertSameSets(
        fold(
            "ARRAY<INT>",
            new Collect(true),
            "aggregate-function=collect;distinct=true",
            "-U",
            this::ints));
  }

  @Test
  void nestedRowsAreThoseOfTheReference() throws Exception {
    assertSame(
        fold(
            ROWS,
            new NestedUpdate(List.of(), 5),
            "aggregate-function=nested_update;count-limit=5",
            "-D",
            () -> array(this::row)));
  }

  @Test
  void nestedRowsByKeyAreThoseOfTheReference() throws Exception {
    assertSameSets(
        fold(
            ROWS,
            new NestedUpdate(List.of(0, 1), 6),
            "aggregate-function=nested_update;nested-key=id,x;count-limit=6",
            "-D",
            () -> array(this::row)));
  }

  @Test
  void nestedFieldsAreThoseOfTheReference() throws Exception {
    assertSameSets(
        fold(
            ROWS,
            new NestedPartialUpdate(List.of(0)),
            "aggregate-function=nested_partial_update;nested-key=id",
            "",
            () -> array(this::row)));
  }

  @Test
  void mergedMapsAreThoseOfTheReference() throws Exception {
    assertSame(
        fold(
            "MAP<STRING, INT>",
            Plain.MERGE_MAP,
            "aggregate-function=merge_map",
            "-D",
            () -> map(() -> Integer.toString(random.nextInt(9)))));
  }

  @Test
  void timedMapsAreThoseOfTheReference() throws Exception {
    assertSame(
        fold(
            TIMED,
            new MergeMapWithKeyTime(1),
            "aggregate-function=merge_map_with_keytime",
            "",
            () ->
                map(
                    () ->
                        "{\"v\":"
                            + text("", "a", "b")
                            + ",\"ts\":"
                            + text("", "1", "2", "10")
                            + "}")));
  }

  private int[] numbers() {
    int from = random.nextInt(100_000);
    return random.ints(1 + random.nextInt(40), from, from + 50_000).toArray();
  }

  private static byte[] bytes(String text) {
    return HexFormat.of().parseHex(text.substring(3, text.length() - 1));
  }

  private static String text(byte[] bytes) {
    return "\"0x" + HexFormat.of().formatHex(bytes) + "\"";
  }

  @Test
  void bitmapsAreThoseOfTheReference() throws Exception {
    Roaring32Union bitmaps = new Roaring32Union();
    assertSame(
        fold(
            "BYTES",
            Plain.ROARING_32,
            "aggregate-function=rbm32",
            "",
            () -> {
              RoaringBitmap bitmap = RoaringBitmap.bitmapOf(numbers());
              bitmap.add(random.nextLong(50_000), 50_000 + random.nextLong(100_000));
              return text(bitmaps.write(bitmap));
            }));
  }

  @Test
  void bitmapsOf64BitsAreThoseOfTheReference() throws Exception {
    Roaring64Union bitmaps = new Roaring64Union();
    List<List<String>> results =
        fold(
            "BYTES",
            Plain.ROARING_64,
            "aggregate-function=rbm64",
            "",
            () -> {
              Roaring64Bitmap bitmap = Roaring64Bitmap.bitmapOf(random.nextLong(), 5);
              IntStream.of(numbers()).forEach(bitmap::addInt);
              bitmap.addRange(1L << 35, (1L << 35) + random.nextInt(100_000));
              return text(bitmaps.write(bitmap));
            });
    for (int key = 0; key < KEYS; key++) {
      String ours = results.get(0).get(key);
      String theirs = results.get(1).get(key);
      if (!ours.equals(theirs)) {
        assertThat(bitmaps.read(bytes(ours))).isEqualTo(bitmaps.read(bytes(theirs)));
      }
    }
  }

  @Test
  void hllSketchesAreThoseOfTheReference() throws Exception {
    List<List<String>> results =
        fold(
            "BYTES",
            Plain.HLL_SKETCH,
            "aggregate-function=hll_sketch",
            "",
            () -> {
              HllSketch sketch = new HllSketch(10 + random.nextInt(4));
              IntStream.range(0, random.nextInt(3000))
                  .forEach(i -> sketch.update(random.nextInt()));
              return text(sketch.toCompactByteArray());
            });
    assertSame(results);
  }

  @Test
  void thetaSketchesAreThoseOfTheReference() throws Exception {
    List<List<String>> results =
        fold(
            "BYTES",
            Plain.THETA_SKETCH,
            "aggregate-function=theta_sketch",
            "",
            () -> {
              UpdateSketch sketch = UpdateSketch.builder().build();
              IntStream.range(0, random.nextInt(6000))
                  .forEach(i -> sketch.update(random.nextInt()));
              return text(sketch.compact().toByteArray());
            });
    assertSame(results);
    results.get(0).stream()
        .filter(text -> !text.equals("null"))
        .forEach(text -> Sketches.wrapSketch(Memory.wrap(bytes(text))));
  }
}
