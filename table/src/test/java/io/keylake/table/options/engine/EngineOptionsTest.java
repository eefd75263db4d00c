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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.TableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.EngineRules.Retracts;
import io.keylake.table.options.support.WriteSupport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class EngineOptionsTest {
  private static final RowType ROW =
      new RowType(
          List.of(
              DataField.of(0, "x", DataTypes.INT),
              DataField.of(1, "y", DataTypes.STRING),
              DataField.of(2, "z", new ArrayType(DataTypes.INT, true))),
          true);

  private static final Map<String, DataType> TYPES =
      Map.ofEntries(
          Map.entry("BOOLEAN", DataTypes.BOOLEAN),
          Map.entry("INT", DataTypes.INT),
          Map.entry("BIGINT", DataTypes.BIGINT),
          Map.entry("DOUBLE", DataTypes.DOUBLE),
          Map.entry("DECIMAL", TypeParser.parse("DECIMAL(10, 2)")),
          Map.entry("STRING", DataTypes.STRING),
          Map.entry("VARCHAR", TypeParser.parse("VARCHAR(10)")),
          Map.entry("BINARY", TypeParser.parse("BINARY(5)")),
          Map.entry("BYTES", TypeParser.parse("BYTES")),
          Map.entry("DATE", TypeParser.parse("DATE")),
          Map.entry("TIMESTAMP", TypeParser.parse("TIMESTAMP(6)")),
          Map.entry("ARRAY", new ArrayType(DataTypes.INT, true)),
          Map.entry("ROWS", new ArrayType(ROW, true)),
          Map.entry("MAP", new MapType(DataTypes.STRING, DataTypes.INT, true)),
          Map.entry("ROW", ROW));

  private static TableSchema schema(List<DataField> columns, String options) {
    Map<String, String> values = new HashMap<>();
    for (String option : options.strip().split(" +")) {
      int equals = option.indexOf('=');
      values.put(option.substring(0, equals), option.substring(equals + 1));
    }
    List<DataField> all = new ArrayList<>();
    all.add(DataField.of(0, "k", DataTypes.INT.asNotNull()));
    all.addAll(columns);
    return new TableSchema(
        3, 0, all, all.size(), List.of(), List.of("k"), values, null, 0, UnknownKeys.NONE);
  }

  /** A table of the columns k, v of a type. */
  private static TableSchema one(DataType type, String options) {
    return schema(
        List.of(DataField.of(1, "v", type)), "bucket=1 merge-engine=aggregation " + options);
  }

  /** A table of the INT columns k, g, h, a, b. */
  private static TableSchema ints(String options) {
    List<DataField> columns = new ArrayList<>();
    for (String name : List.of("g", "h", "a", "b")) {
      columns.add(DataField.of(columns.size() + 1, name, DataTypes.INT));
    }
    return schema(columns, "bucket=1 " + options);
  }

  private static EngineRules rules(TableSchema schema) {
    WriteSupport.checkDefinition(schema, "db.t");
    return EngineRules.of(schema, "db.t");
  }

  private static ColumnRule rule(EngineRules rules, int column) {
    return rules instanceof EngineRules.Aggregation aggregation
        ? aggregation.columns().get(column)
        : ((EngineRules.PartialUpdate) rules).columns().get(column);
  }

  static Stream<Arguments> functions() {
    return Stream.of(
        Arguments.of("sum", "INT", "", Plain.SUM),
        Arguments.of("product", "DECIMAL", "", Plain.PRODUCT),
        Arguments.of("max", "STRING", "", Plain.MAX),
        Arguments.of("min", "DATE", "", Plain.MIN),
        Arguments.of("first_value", "ROW", "", Plain.FIRST_VALUE),
        Arguments.of("first_not_null_value", "INT", "", Plain.FIRST_NON_NULL_VALUE),
        Arguments.of("bool_or", "BOOLEAN", "", Plain.BOOL_OR),
        Arguments.of("merge_map", "MAP", "", Plain.MERGE_MAP),
        Arguments.of("rbm32", "BYTES", "", Plain.ROARING_32),
        Arguments.of("listagg", "STRING", "", new AggregateFunction.ListAgg(",", false)),
        Arguments.of(
            "listagg",
            "STRING",
            "fields.v.list-agg-delimiter=; fields.v.distinct=true",
            new AggregateFunction.ListAgg(";", true)),
        Arguments.of(
            "collect", "ARRAY", "fields.v.distinct=true", new AggregateFunction.Collect(true)),
        Arguments.of(
            "nested_update",
            "ROWS",
            "",
            new AggregateFunction.NestedUpdate(List.of(), Integer.MAX_VALUE)),
        Arguments.of(
            "nested_update",
            "ROWS",
            "fields.v.nested-key=y,x fields.v.count-limit=3",
            new AggregateFunction.NestedUpdate(List.of(1, 0), 3)),
        Arguments.of(
            "nested_partial_update",
            "ROWS",
            "fields.v.nested-key=x",
            new AggregateFunction.NestedPartialUpdate(List.of(0))));
  }

  @ParameterizedTest
  @MethodSource("functions")
  void functionTakesItsSettings(
      String name, String type, String options, AggregateFunction expected) {
    EngineRules rules =
        rules(one(TYPES.get(type), "fields.v.aggregate-function=" + name + " " + options));
    assertThat(rule(rules, 1)).isEqualTo(new ColumnRule(0, expected, false));
  }

  @Test
  void timeOfAMapEntryIsItsLastFieldUnlessSaid() {
    RowType entry = ROW.project(List.of("x", "y"));
    MapType map = new MapType(DataTypes.STRING, entry, true);
    String function = "fields.v.aggregate-function=merge_map_with_keytime ";
    AggregateFunction last = new AggregateFunction.MergeMapWithKeyTime(1);
    assertThat(rule(rules(one(map, function)), 1).function()).isEqualTo(last);
    assertThat(rule(rules(one(map, function + "fields.v.ts-field=y")), 1).function())
        .isEqualTo(last);
    assertRefused(one(map, function + "fields.v.ts-field=x"), "fields.v.ts-field", "'x'", "STRING");
  }

  @Test
  void delimiterKeepsItsSpaces() {
    Map<String, String> options = new HashMap<>(one(DataTypes.STRING, "").options());
    options.put("fields.v.aggregate-function", "listagg");
    options.put("fields.v.list-agg-delimiter", ", ");
    TableSchema plain = one(DataTypes.STRING, "");
    TableSchema schema =
        new TableSchema(
            3, 0, plain.fields(), 1, List.of(), List.of("k"), options, null, 0, UnknownKeys.NONE);
    assertThat(rule(rules(schema), 1).function())
        .isEqualTo(new AggregateFunction.ListAgg(", ", false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sum | INT BIGINT DOUBLE DECIMAL",
        "product | INT BIGINT DOUBLE DECIMAL",
        "max | INT BIGINT DOUBLE DECIMAL STRING VARCHAR BINARY BYTES DATE TIMESTAMP",
        "min | INT BIGINT DOUBLE DECIMAL STRING VARCHAR BINARY BYTES DATE TIMESTAMP",
        "count | INT BIGINT",
        "listagg | STRING",
        "bool_and | BOOLEAN",
        "bool_or | BOOLEAN",
        "collect | ARRAY ROWS",
        "merge_map | MAP",
        "nested_update | ROWS",
        "rbm32 | BYTES",
        "rbm64 | BYTES",
        "hll_sketch | BYTES",
        "theta_sketch | BYTES",
      })
  void functionRefusesOtherTypes(String name, String types) {
    List<String> taken = Arrays.asList(types.split(" "));
    TYPES.forEach(
        (text, type) -> {
          TableSchema asked = one(type, "fields.v.aggregate-function=" + name);
          TableSchema schema =
              new TableSchema(
                  3,
                  0,
                  asked.fields(),
                  1,
                  List.of(),
                  List.of("k"),
                  CountedColumns.stored(asked.options()),
                  null,
                  0,
                  UnknownKeys.NONE);
          if (taken.contains(text)) {
            rules(schema);
          } else {
            assertRefused(schema, "fields.v.aggregate-function", "'v'", "db.t");
          }
        });
  }

  private static void assertRefused(TableSchema schema, String... parts) {
    assertThatThrownBy(() -> WriteSupport.checkDefinition(schema, "db.t"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll(parts)
        .extracting(e -> ((TableException) e).condition())
        .isIn(Condition.KEYLAKE_INVALID_OPTION, Condition.KEYLAKE_COLUMN_NOT_FOUND);
  }

  @Test
  void columnsOfAnAggregationHaveAFunctionEach() {
    EngineRules rules =
        rules(
            ints(
                "merge-engine=aggregation sequence.field=g fields.default-aggregate-function=max"
                    + " fields.b.aggregate-function=sum fields.b.ignore-retract=true"));
    assertThat(rules)
        .isEqualTo(
            new EngineRules.Aggregation(
                false,
                List.of(
                    new ColumnRule(0, Plain.KEY, false),
                    new ColumnRule(0, Plain.LAST_VALUE, false),
                    new ColumnRule(0, Plain.MAX, false),
                    new ColumnRule(0, Plain.MAX, false),
                    new ColumnRule(0, Plain.SUM, true))));
  }

  @Test
  void groupsAreLanesOfAPartialUpdate() {
    EngineRules rules =
        rules(
            ints(
                "merge-engine=partial-update fields.g.sequence-group=a fields.h.sequence-group=b"
                    + " fields.b.aggregate-function=sum"
                    + " partial-update.remove-record-on-sequence-group=h"));
    assertThat(rules)
        .isEqualTo(
            new EngineRules.PartialUpdate(
                Retracts.BY_GROUP,
                List.of(new SequenceGroup(List.of(1), false), new SequenceGroup(List.of(2), true)),
                List.of(
                    new ColumnRule(0, Plain.KEY, false),
                    new ColumnRule(1, Plain.GROUP_ORDER, false),
                    new ColumnRule(2, Plain.GROUP_ORDER, false),
                    new ColumnRule(1, Plain.GROUP_VALUE, false),
                    new ColumnRule(2, Plain.SUM, false))));
  }

  @Test
  void defaultFunctionIsThatOfProtectedColumns() {
    EngineRules rules =
        rules(
            ints(
                "merge-engine=partial-update fields.h,g.sequence-group=a,b"
                    + " fields.default-aggregate-function=last_value"));
    assertThat(((EngineRules.PartialUpdate) rules).groups())
        .containsExactly(new SequenceGroup(List.of(2, 1), false));
    assertThat(rule(rules, 3)).isEqualTo(new ColumnRule(1, Plain.LAST_VALUE, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ignore-delete=true                          | SKIPPED",
        "partial-update.ignore-delete=true           | SKIPPED",
        "partial-update.remove-record-on-delete=true | REMOVE_ON_DELETE",
        "fields.g.sequence-group=a                   | BY_GROUP",
        "fields.g.sequence-group=a ignore-delete=true | SKIPPED",
        "bucket=1                                    | REFUSED",
      })
  void retractsAreTreatedAsTheTableSays(String options, Retracts expected) {
    EngineRules rules = rules(ints("merge-engine=partial-update " + options));
    assertThat(((EngineRules.PartialUpdate) rules).retracts()).isEqualTo(expected);
  }

  @Test
  void enginesThatKeepRowsOnlySkipRetracts() {
    assertThat(rules(ints("merge-engine=deduplicate deduplicate.ignore-delete=true")))
        .isEqualTo(new EngineRules.Deduplicate(true));
    assertThat(rules(ints("merge-engine=first-row"))).isEqualTo(new EngineRules.FirstRow(false));
  }

  @Test
  void partialUpdateHasNoColumnThatARowCannotLeaveOut() {
    DataField strict = DataField.of(1, "v", DataTypes.INT.asNotNull());
    DataField filled = new DataField(1, "v", DataTypes.INT, null, "5");
    String options = "bucket=1 merge-engine=partial-update";
    assertRefused(schema(List.of(strict), options), "'v'", "NOT NULL", "partial-update");
    assertRefused(schema(List.of(filled), options), "'v'", "DEFAULT", "partial-update");
    rules(schema(List.of(strict), "bucket=1 merge-engine=aggregation"));
    rules(schema(List.of(filled), "bucket=1 merge-engine=deduplicate"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fields.a.distinct=true                      | fields.a.distinct | collect",
        "fields.a.nested-key=x                       | fields.a.nested-key | nested_update",
        "fields.a.count-limit=1                      | fields.a.count-limit | nested_update",
        "fields.a.ts-field=x                         | fields.a.ts-field | merge_map_with_keytime",
        "fields.k.ignore-retract=true                | fields.k.ignore-retract | key",
        "fields.k.aggregate-function=max             | fields.k.aggregate-function | key",
        "fields.a.keylake-count=true                 | fields.a.keylake-count | 'count'",
        "fields.default-aggregate-function=count     | default-aggregate-function | each column",
        "fields.a.aggregate-function=maximum         | maximum | Known functions",
        "fields.a,b.aggregate-function=max           | 'a,b' | does not exist",
        "sequence.auto-padding=second-to-micro       | auto-padding | row-kind-flag",
      })
  void settingsWithoutEffectAreRefused(String options, String one, String other) {
    assertRefused(ints("merge-engine=aggregation " + options), one, other);
  }

  @Test
  void pairsOfRowsNeedNoPadding() {
    assertThat(rules(ints("sequence.field=g sequence.auto-padding=row-kind-flag")))
        .isEqualTo(new EngineRules.Deduplicate(false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x,x | twice",
        "nope | 'nope'",
        "z | scalar",
      })
  void keysOfNestedRowsAreFieldsOfThem(String keys, String part) {
    assertRefused(
        one(
            TYPES.get("ROWS"),
            "fields.v.aggregate-function=nested_update fields.v.nested-key=" + keys),
        "fields.v.nested-key",
        part);
  }

  @Test
  void countIsStoredAsAMarkedSumAndShownAsCount() {
    Map<String, String> stored =
        CountedColumns.stored(Map.of("fields.a.aggregate-function", "count", "bucket", "1"));
    assertThat(stored)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "fields.a.aggregate-function",
                "sum",
                "fields.a.keylake-count",
                "true",
                "bucket",
                "1"));
    assertThat(CountedColumns.shown(stored))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("fields.a.aggregate-function", "count", "bucket", "1"));
    TableSchema schema =
        ints(
            "merge-engine=aggregation fields.a.aggregate-function=sum fields.a.keylake-count=true");
    assertThat(rule(rules(schema), 3).function()).isEqualTo(Plain.SUM);
    assertThat(CountedColumns.of(schema)).containsExactly(3);
    CountedColumns.put(stored, "fields.a.aggregate-function", "max");
    assertThat(stored).doesNotContainKey("fields.a.keylake-count");
  }
}
