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

package io.keylake.spark.write;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.write.EngineColumn.Comparison;
import io.keylake.spark.write.EngineColumn.ValueSource;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random columns: every aggregate function with every type that it takes. */
final class EngineColumns {
  private static final List<AtomicType> NUMERIC =
      List.of(
          DataTypes.TINYINT,
          DataTypes.SMALLINT,
          DataTypes.INT,
          DataTypes.BIGINT,
          DataTypes.FLOAT,
          DataTypes.DOUBLE,
          DataTypes.decimal(9, 2),
          DataTypes.decimal(16, 2),
          DataTypes.decimal(24, 2));
  private static final List<AtomicType> OTHER_ORDERED =
      List.of(
          DataTypes.STRING,
          DataTypes.sized(TypeRoot.VARCHAR, 20),
          DataTypes.BYTES,
          DataTypes.DATE,
          DataTypes.sized(TypeRoot.TIME, 3),
          DataTypes.timestamp(3),
          DataTypes.timestamp(6),
          DataTypes.timestampLtz(6));
  private static final RowType PAIR = row(DataTypes.INT, DataTypes.STRING);
  private static final RowType TRIPLE = row(DataTypes.INT, DataTypes.STRING, DataTypes.BIGINT);

  private final Random random;
  private final boolean isLookup;

  private EngineColumns(Random random, boolean isLookup) {
    this.random = random;
    this.isLookup = isLookup;
  }

  static EngineColumns of(Random random) {
    return new EngineColumns(random, false);
  }

  /** Columns of a table whose compaction, by the reference, merges even a lone row. */
  static EngineColumns ofLookup(Random random) {
    return new EngineColumns(random, true);
  }

  private static RowType row(AtomicType... types) {
    // Ids of nested fields are set when the table is made.
    List<DataField> fields = new java.util.ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      fields.add(DataField.of(i, "f" + i, types[i]));
    }
    return new RowType(fields, true);
  }

  /** A column of any type, combined as the engine does by itself. */
  EngineColumn plain() {
    return any("", true);
  }

  /** A column with a function. */
  EngineColumn aggregated() {
    return switch (random.nextInt(23)) {
      case 0, 1 -> number("sum", EngineValues::scalars);
      case 2 -> number("product", EngineValues::factors);
      case 3 -> ordered("max");
      case 4 -> ordered("min");
      case 5 -> any("last_value", true);
      case 6 -> any("last_non_null_value", true);
      case 7 -> any("first_value", false);
      case 8 -> any(random.nextBoolean() ? "first_non_null_value" : "first_not_null_value", false);
      case 9, 10 -> listagg();
      case 11 -> bool("bool_and");
      case 12 -> bool("bool_or");
      case 13, 14 -> collect();
      case 15 ->
          EngineColumn.plain(
              "merge_map",
              new MapType(DataTypes.STRING, DataTypes.INT, true),
              true,
              EngineValues.maps(
                  EngineValues.few(DataTypes.STRING), EngineValues.few(DataTypes.INT)));
      case 16 ->
          EngineColumn.plain(
              "merge_map_with_keytime",
              new MapType(DataTypes.INT, PAIR, true),
              false,
              EngineValues.maps(EngineValues.few(DataTypes.INT), EngineValues.rows(PAIR)));
      case 17, 18 -> nestedUpdate();
      case 19 -> nestedPartialUpdate();
      case 20 -> bytes("rbm32", Comparison.ROARING_32, EngineValues::roaring32);
      case 21 -> bytes("rbm64", Comparison.ROARING_64, EngineValues::roaring64);
      default ->
          random.nextBoolean()
              ? bytes("hll_sketch", Comparison.HLL, EngineValues::hll)
              : bytes("theta_sketch", Comparison.THETA, EngineValues::theta);
    };
  }

  private interface SourceOfType {
    ValueSource of(DataType type);
  }

  private EngineColumn number(String function, SourceOfType values) {
    AtomicType type = pick(NUMERIC);
    return EngineColumn.plain(function, type, true, values.of(type));
  }

  private EngineColumn ordered(String function) {
    AtomicType type = pick(random.nextBoolean() ? NUMERIC : OTHER_ORDERED);
    return EngineColumn.plain(function, type, false, EngineValues.scalars(type));
  }

  private EngineColumn any(String function, boolean retracts) {
    AtomicType scalar = pick(random.nextBoolean() ? NUMERIC : OTHER_ORDERED);
    DataType type = scalar;
    ValueSource values = EngineValues.scalars(scalar);
    switch (random.nextInt(10)) {
      case 0 -> {
        type = DataTypes.BOOLEAN;
        values = EngineValues.scalars(type);
      }
      case 1 -> {
        if (scalar.root() != TypeRoot.TIME) {
          type = new ArrayType(scalar, true);
          values = EngineValues.arrays(values);
        }
      }
      case 2 -> {
        type = PAIR;
        values = EngineValues.rows(PAIR);
      }
      default -> {}
    }
    return EngineColumn.plain(function, type, retracts, values);
  }

  private EngineColumn listagg() {
    Map<String, String> settings =
        switch (random.nextInt(4)) {
          case 0 -> Map.of("list-agg-delimiter", ";");
          case 1 -> Map.of("distinct", "true");
          case 2 -> Map.of("distinct", "true", "list-agg-delimiter", "|");
          default -> Map.of();
        };
    return EngineColumn.plain("listagg", DataTypes.STRING, false, EngineValues::text)
        .with(settings, Comparison.TEXT);
  }

  private EngineColumn bool(String function) {
    return EngineColumn.plain(
        function, DataTypes.BOOLEAN, false, EngineValues.scalars(DataTypes.BOOLEAN));
  }

  private EngineColumn collect() {
    boolean distinct = random.nextBoolean();
    Map<String, String> settings = distinct ? Map.of("distinct", "true") : Map.of();
    if (random.nextInt(4) == 0) {
      // The reference fails on NULL among rows, and cannot take rows back.
      return EngineColumn.plain(
              "collect",
              new ArrayType(PAIR, true),
              false,
              EngineValues.distinctArrays(EngineValues.rows(PAIR)))
          .with(settings, Comparison.ELEMENTS);
    }
    DataType element = pick(List.of(DataTypes.INT, DataTypes.STRING, DataTypes.DATE));
    ValueSource elements = EngineValues.few(element);
    return EngineColumn.plain(
            "collect",
            new ArrayType(element, true),
            true,
            distinct && isLookup
                ? EngineValues.distinctArrays(elements)
                : EngineValues.arrays(elements))
        .with(settings, distinct ? Comparison.ELEMENTS : Comparison.TEXT);
  }

  private EngineColumn nestedUpdate() {
    DataType type = new ArrayType(TRIPLE, true);
    ValueSource values = EngineValues.arrays(EngineValues.rows(TRIPLE));
    EngineColumn column = EngineColumn.plain("nested_update", type, true, values);
    return switch (random.nextInt(4)) {
      case 0 -> column;
      case 1 -> column.with(Map.of("count-limit", "3"), Comparison.TEXT);
      default -> column.with(Map.of("nested-key", "f0"), Comparison.ELEMENTS);
    };
  }

  private EngineColumn nestedPartialUpdate() {
    ValueSource values = EngineValues.arrays(EngineValues.rows(TRIPLE));
    return EngineColumn.plain("nested_partial_update", new ArrayType(TRIPLE, true), false, values)
        .with(Map.of("nested-key", "f0"), Comparison.ELEMENTS);
  }

  private static EngineColumn bytes(String function, Comparison comparison, ValueSource values) {
    return EngineColumn.plain(function, DataTypes.BYTES, false, values).with(Map.of(), comparison);
  }

  private <T> T pick(List<? extends T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
