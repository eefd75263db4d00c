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

package io.keylake.table.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.errors.TableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.schema.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the reference refuses in the definition of a merge engine we refuse, too. */
final class EngineOracleTest {
  private static final RowType NESTED =
      new RowType(
          List.of(DataField.of(0, "x", DataTypes.INT), DataField.of(1, "y", DataTypes.STRING)),
          true);
  private static final String NESTED_TEXT = "ROW<x INT, y STRING>";

  /** The type of each column, for us and for the reference. */
  private record Column(String name, DataType type, String text) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("k", DataTypes.INT, "INT NOT NULL"),
          new Column("g", DataTypes.INT, "INT"),
          new Column("h", DataTypes.BIGINT, "BIGINT"),
          new Column("a", DataTypes.INT, "INT"),
          new Column("b", DataTypes.INT, "INT"),
          new Column("t", DataTypes.STRING, "STRING"),
          new Column("f", DataTypes.BOOLEAN, "BOOLEAN"),
          new Column("n", new ArrayType(NESTED, true), "ARRAY<" + NESTED_TEXT + ">"),
          new Column(
              "m",
              new MapType(DataTypes.STRING.asNotNull(), NESTED, true),
              "MAP<STRING NOT NULL, " + NESTED_TEXT + ">"));

  @TempDir Path warehouse;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aggregation    | fields.a.aggregate-function=sum",
        "aggregation    | fields.a.aggregate-function=sum fields.a.keylake-count=true",
        "aggregation    | fields.g.sequence-group=a",
        "aggregation    | fields.m.aggregate-function=merge_map_with_keytime",
        "aggregation    | fields.n.aggregate-function=nested_update fields.n.nested-key=x",
        "aggregation    | fields.t.aggregate-function=listagg fields.t.distinct=true",
        "aggregation    | ignore-delete=true aggregation.remove-record-on-delete=true",
        "aggregation    | sequence.field=k",
        "aggregation    | sequence.field=f,a sequence.field.sort-order=descending",
        "aggregation    | rowkind.field=t",
        "partial-update | fields.a.aggregate-function=last_non_null_value",
        "partial-update | fields.default-aggregate-function=last_non_null_value",
        "partial-update | fields.g.sequence-group=a fields.a.aggregate-function=sum",
        "partial-update | fields.g.sequence-group=a fields.h.sequence-group=b",
        "partial-update | fields.g.sequence-group=g,a",
        "partial-update | fields.g,h.sequence-group=a"
            + " partial-update.remove-record-on-sequence-group=g",
        "partial-update | fields.g.sequence-group=a ignore-delete=true",
        "partial-update | fields.g.sequence-group=h,a,b,t,f,n,m"
            + " fields.default-aggregate-function=last_value",
        "first-row      | ignore-delete=true",
        "first-row      | fields.a.aggregate-function=unknown",
        "deduplicate    | fields.a.aggregate-function=unknown",
        "deduplicate    | fields.g.sequence-group=nope",
      })
  void goodDefinitionsAreAcceptedByBoth(String engine, String options) {
    assertThat(ours(engine, options)).isEmpty();
    assertThat(theirs(engine, options)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aggregation    | fields.a.aggregate-function=summ        | 'sum'",
        "aggregation    | fields.a.aggregate-function=SUM         | 'sum'",
        "aggregation    | fields.default-aggregate-function=summ  | 'sum'",
        "aggregation    | fields.nope.aggregate-function=sum      | 'nope'",
        "aggregation    | sequence.field=a fields.a.aggregate-function=sum | sequence.field",
        "aggregation    | sequence.field=nope                     | 'nope'",
        "aggregation    | sequence.field=a,a                      | twice",
        "aggregation    | rowkind.field=nope                      | 'nope'",
        "partial-update | fields.a.aggregate-function=sum         | 'a'",
        "partial-update | fields.default-aggregate-function=sum   | 'g'",
        "partial-update | fields.g.sequence-group=a fields.h.sequence-group=a | 'a'",
        "partial-update | fields.g.sequence-group=a fields.h.sequence-group=g | 'g'",
        "partial-update | fields.g.sequence-group=a,a             | twice",
        "partial-update | fields.g.sequence-group=nope            | 'nope'",
        "partial-update | fields.nope.sequence-group=a            | 'nope'",
        "partial-update | fields.g.sequence-group=                | no column",
        "partial-update | fields.sequence-group=a                 | no column",
        "partial-update | fields..sequence-group=a                | no column",
        "partial-update | ignore-delete=true partial-update.remove-record-on-delete=true"
            + " | contradict",
        "partial-update | partial-update.ignore-delete=true"
            + " partial-update.remove-record-on-delete=true | contradict",
        "partial-update | fields.g.sequence-group=a partial-update.remove-record-on-delete=true"
            + " | contradict",
        "partial-update | fields.g.sequence-group=a ignore-delete=true"
            + " partial-update.remove-record-on-sequence-group=g | contradict",
        "partial-update | fields.g.sequence-group=a"
            + " partial-update.remove-record-on-sequence-group=b | 'b'",
        "partial-update | partial-update.remove-record-on-sequence-group=g | 'g'",
        "first-row      | sequence.field=g                        | first-row",
        "first-row      | deletion-vectors.enabled=true           | first-row",
        "first-row      | changelog-producer=input                | first-row",
        "first-row      | changelog-producer=full-compaction      | first-row",
        "deduplicate    | sequence.field=a fields.a.aggregate-function=sum | sequence.field",
      })
  void wrongDefinitionsAreRefusedByBoth(String engine, String options, String part) {
    assertThat(ours(engine, options)).contains(part).contains("db.t");
    assertThat(theirs(engine, options)).isNotEmpty();
  }

  /** The reference fails with these when it first writes or reads, or ignores them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aggregation    | fields.k.aggregate-function=sum          | 'k'",
        "aggregation    | fields.a.aggregate-function=primary-key  | 'primary-key'",
        "aggregation    | fields.t.aggregate-function=sum          | 'sum'",
        "aggregation    | fields.default-aggregate-function=sum    | 't'",
        "aggregation    | fields.a.ignore-retract=true aggregation.remove-record-on-delete=true"
            + " | contradict",
        "aggregation    | sequence.field=n                         | no order",
        "deduplicate    | sequence.field=,                         | no column",
        "aggregation    | rowkind.field=a                          | STRING",
        "aggregation    | fields.a.list-agg-delimiter=;            | listagg",
        "aggregation    | fields.n.aggregate-function=nested_update fields.n.nested-key=z | 'z'",
        "aggregation    | fields.n.aggregate-function=nested_partial_update | nested-key",
        "aggregation    | fields.m.aggregate-function=merge_map_with_keytime fields.m.ts-field=z"
            + " | 'z'",
        "aggregation    | fields.m.aggregate-function=merge_map_with_keytime fields.m.ts-field=x"
            + " | STRING",
        "partial-update | fields.g.sequence-group=a fields.g.aggregate-function=sum | orders",
        "partial-update | fields.g.sequence-group=a fields.g,h.sequence-group=b | two sequence",
        "partial-update | fields.g.sequence-group=k                | 'k'",
        "partial-update | fields.k.sequence-group=a                | 'k'",
        "partial-update | fields.n.sequence-group=a                | no order",
      })
  void definitionsWithoutMeaningAreRefusedByUsAlone(String engine, String options, String part) {
    assertThat(ours(engine, options)).contains(part).contains("db.t");
    assertThat(theirs(engine, options)).isEmpty();
  }

  private static Map<String, String> options(String engine, String text) {
    Map<String, String> options = new HashMap<>(Map.of("bucket", "1", "merge-engine", engine));
    for (String option : text.split(" ")) {
      int equals = option.indexOf('=');
      options.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return options;
  }

  private String theirs(String engine, String options) {
    Schema.Builder schema = Schema.newBuilder().primaryKey("k").options(options(engine, options));
    COLUMNS.forEach(column -> schema.column(column.name(), ReferenceValues.type(column.text())));
    ReferenceTable table = ReferenceTable.of("file:" + warehouse, "db", "t");
    try {
      table.create(schema.build());
      table.rows();
      return "";
    } catch (Exception e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String ours(String engine, String options) {
    List<DataField> columns =
        COLUMNS.stream().map(column -> DataField.of(0, column.name(), column.type())).toList();
    try {
      new TableDefinition(columns, List.of(), List.of("k"), options(engine, options), null)
          .create("db.t", Clock.systemUTC());
      return "";
    } catch (TableException e) {
      return e.getMessage();
    }
  }
}
