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

package io.keylake.table.options.engine;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The aggregate functions by the names that options give them, with the types and the settings that
 * each takes.
 *
 * <p>Rule source: table behaviour, aggregate functions; pinned by {@code EngineOptionsTest}.
 */
enum EngineFunction {
  SUM("sum", Plain.SUM, "a numeric column", EngineFunction::isNumeric),
  PRODUCT("product", Plain.PRODUCT, "a numeric column", EngineFunction::isNumeric),
  MAX("max", Plain.MAX, EngineFunction.ORDERED, EngineFunction::isOrdered),
  MIN("min", Plain.MIN, EngineFunction.ORDERED, EngineFunction::isOrdered),
  LAST_VALUE("last_value", Plain.LAST_VALUE, EngineFunction.ANY, type -> true),
  LAST_NON_NULL_VALUE(
      "last_non_null_value", Plain.LAST_NON_NULL_VALUE, EngineFunction.ANY, type -> true),
  FIRST_VALUE("first_value", Plain.FIRST_VALUE, EngineFunction.ANY, type -> true),
  FIRST_NON_NULL_VALUE(
      "first_non_null_value", Plain.FIRST_NON_NULL_VALUE, EngineFunction.ANY, type -> true),
  FIRST_NOT_NULL_VALUE(
      "first_not_null_value", Plain.FIRST_NON_NULL_VALUE, EngineFunction.ANY, type -> true),
  LISTAGG(
      "listagg",
      "a column of type STRING",
      EngineFunction::isUnboundedText,
      settings ->
          new AggregateFunction.ListAgg(
              settings.text(EngineKeys.LIST_DELIMITER), settings.read(EngineKeys.DISTINCT)),
      EngineKeys.LIST_DELIMITER,
      EngineKeys.DISTINCT),
  BOOL_AND("bool_and", Plain.BOOL_AND, "a BOOLEAN column", is(TypeRoot.BOOLEAN)),
  BOOL_OR("bool_or", Plain.BOOL_OR, "a BOOLEAN column", is(TypeRoot.BOOLEAN)),
  COLLECT(
      "collect",
      "an ARRAY column",
      is(TypeRoot.ARRAY),
      settings -> new AggregateFunction.Collect(settings.read(EngineKeys.DISTINCT)),
      EngineKeys.DISTINCT),
  MERGE_MAP("merge_map", Plain.MERGE_MAP, "a MAP column", is(TypeRoot.MAP)),
  MERGE_MAP_WITH_KEYTIME(
      "merge_map_with_keytime",
      "a MAP column whose values are a STRUCT of at least two fields",
      EngineFunction::isMapOfRows,
      FunctionSettings::mergeMapWithKeyTime,
      EngineKeys.TIME_FIELD),
  NESTED_UPDATE(
      "nested_update",
      "a column of type ARRAY of STRUCT",
      EngineFunction::isArrayOfRows,
      FunctionSettings::nestedUpdate,
      EngineKeys.NESTED_KEY,
      EngineKeys.COUNT_LIMIT),
  NESTED_PARTIAL_UPDATE(
      "nested_partial_update",
      "a column of type ARRAY of STRUCT",
      EngineFunction::isArrayOfRows,
      FunctionSettings::nestedPartialUpdate,
      EngineKeys.NESTED_KEY),
  ROARING_32("rbm32", Plain.ROARING_32, "a BINARY column", is(TypeRoot.VARBINARY)),
  ROARING_64("rbm64", Plain.ROARING_64, "a BINARY column", is(TypeRoot.VARBINARY)),
  HLL_SKETCH("hll_sketch", Plain.HLL_SKETCH, "a BINARY column", is(TypeRoot.VARBINARY)),
  THETA_SKETCH("theta_sketch", Plain.THETA_SKETCH, "a BINARY column", is(TypeRoot.VARBINARY));

  /** The name of the function that is stored as {@link #SUM}. */
  static final String COUNT = "count";

  private static final String ANY = "any column";
  private static final String ORDERED = "a column of numbers, texts, bytes, dates or times";
  private static final Set<TypeRoot> NUMERIC =
      EnumSet.of(
          TypeRoot.TINYINT,
          TypeRoot.SMALLINT,
          TypeRoot.INT,
          TypeRoot.BIGINT,
          TypeRoot.FLOAT,
          TypeRoot.DOUBLE,
          TypeRoot.DECIMAL);
  private static final Set<TypeRoot> OTHER_ORDERED =
      EnumSet.of(
          TypeRoot.CHAR,
          TypeRoot.VARCHAR,
          TypeRoot.BINARY,
          TypeRoot.VARBINARY,
          TypeRoot.DATE,
          TypeRoot.TIME,
          TypeRoot.TIMESTAMP,
          TypeRoot.TIMESTAMP_LTZ);
  private static final int TYPO_DISTANCE = 3;

  private final String text;
  private final String columns;
  private final Predicate<DataType> takes;
  private final Function<FunctionSettings, AggregateFunction> builder;
  private final List<OptionKey<?>> settings;

  EngineFunction(String text, Plain function, String columns, Predicate<DataType> takes) {
    this(text, columns, takes, settings -> function);
  }

  EngineFunction(
      String text,
      String columns,
      Predicate<DataType> takes,
      Function<FunctionSettings, AggregateFunction> builder,
      OptionKey<?>... settings) {
    this.text = text;
    this.columns = columns;
    this.takes = takes;
    this.builder = builder;
    this.settings = List.of(settings);
  }

  /** As options spell it. */
  String text() {
    return text;
  }

  /** The columns that it works on, for messages. */
  String columns() {
    return columns;
  }

  /** Whether it works on columns of a type. */
  boolean takes(DataType type) {
    return takes.test(type);
  }

  /** Whether it has this setting. */
  boolean has(OptionKey<?> setting) {
    return settings.contains(setting);
  }

  /** The functions that have a setting, for messages. */
  static String taking(OptionKey<?> setting) {
    return Arrays.stream(values())
        .filter(function -> function.has(setting))
        .map(EngineFunction::text)
        .collect(Collectors.joining(" and "));
  }

  /** The function for a column of a type that it takes. */
  AggregateFunction build(FunctionSettings column) {
    return builder.apply(column);
  }

  /** The function of this name. */
  static Optional<EngineFunction> find(String name) {
    return Arrays.stream(values()).filter(function -> function.text.equals(name)).findFirst();
  }

  /** What to write instead of a name that no function has. */
  static String advice(String name) {
    String known =
        "Known functions: "
            + Arrays.stream(values()).map(EngineFunction::text).collect(Collectors.joining(", "))
            + ", "
            + COUNT
            + ".";
    String lower = name.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .map(EngineFunction::text)
        .filter(text -> distance(lower, text) < TYPO_DISTANCE)
        .min(Comparator.comparingInt(text -> distance(lower, text)))
        .map(text -> "Did you mean '" + text + "'? " + known)
        .orElse(known);
  }

  /** How many letters to insert, remove or replace to make one text of the other. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }

  private static Predicate<DataType> is(TypeRoot root) {
    return type -> type.root() == root;
  }

  private static boolean isNumeric(DataType type) {
    return NUMERIC.contains(type.root());
  }

  private static boolean isOrdered(DataType type) {
    return isNumeric(type) || OTHER_ORDERED.contains(type.root());
  }

  private static boolean isUnboundedText(DataType type) {
    return type.root() == TypeRoot.VARCHAR && ((AtomicType) type).precision() == Integer.MAX_VALUE;
  }

  private static boolean isArrayOfRows(DataType type) {
    return type instanceof ArrayType array && array.element().root() == TypeRoot.ROW;
  }

  private static boolean isMapOfRows(DataType type) {
    return type instanceof MapType map
        && map.value() instanceof RowType row
        && row.fields().size() >= 2;
  }
}
