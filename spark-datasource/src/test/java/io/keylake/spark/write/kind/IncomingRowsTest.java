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

package io.keylake.spark.write.kind;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.options.TableOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IncomingRowsTest {
  private static final List<DataField> FIELDS =
      List.of(
          DataField.of(0, "k", DataTypes.INT.asNotNull()),
          DataField.of(1, "kind", DataTypes.STRING),
          DataField.of(2, "g", DataTypes.INT),
          DataField.of(3, "a", DataTypes.INT),
          DataField.of(4, "b", DataTypes.BIGINT));

  private static TableSchema schema(List<String> keys, String options) {
    Map<String, String> values = new HashMap<>(Map.of("rowkind.field", "kind"));
    for (String option : options.split(" ")) {
      int equals = option.indexOf('=');
      values.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return new TableSchema(3, 0, FIELDS, 4, List.of(), keys, values, null, 0, UnknownKeys.NONE);
  }

  private static IncomingRows rows(TableSchema schema) {
    return new IncomingRows("db.t", schema, KindRules.of(schema, TableOptions.of(schema), "db.t"));
  }

  private static IncomingRows keyed(String options) {
    return rows(schema(List.of("k"), options));
  }

  private static UnsafeRow row(@Nullable String kind, @Nullable Integer g, @Nullable Integer a) {
    Object[] values = {
      1, kind == null ? null : UTF8String.fromString(kind), g, a, a == null ? null : (long) a
    };
    return UnsafeProjection.create(SparkTypes.toSpark(schema(List.of("k"), "bucket=1").rowType()))
        .apply(new GenericInternalRow(values));
  }

  @ParameterizedTest
  @CsvSource({"+I,INSERT", "-U,UPDATE_BEFORE", "+U,UPDATE_AFTER", "-D,DELETE"})
  void textIsTheKind(String text, ChangeKind expected) {
    IncomingRows rows = keyed("bucket=1");
    UnsafeRow row = row(text, 1, 1);
    assertThat(rows.take(row)).isSameAs(row);
    assertThat(rows.kind()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "+D", "-I", "+i", "I", "+I ", "insert"})
  void otherTextsAreRefused(String text) {
    assertRefused(
        keyed("bucket=1"), row(text, 1, 1), Condition.KEYLAKE_INVALID_VALUE, "'" + text + "'");
  }

  @Test
  void nullIsRefused() {
    assertRefused(
        keyed("bucket=1"),
        row(null, 1, 1),
        Condition.KEYLAKE_INVALID_VALUE,
        "NULL",
        "column kind",
        "db.t",
        "+I, -U, +U or -D");
  }

  @Test
  void rowsWithoutAKindColumnAreInserts() {
    TableSchema named = schema(List.of("k"), "bucket=1");
    IncomingRows rows = new IncomingRows("db.t", named, new KindRules(-1, true, true, false));
    assertThat(rows.take(row("-D", 1, 1))).isNotNull();
    assertThat(rows.kind()).isEqualTo(ChangeKind.INSERT);
  }

  @ParameterizedTest
  @CsvSource({
    "ignore-delete=true,        +I +U",
    "ignore-update-before=true, +I +U -D",
    "bucket=1,                  +I -U +U -D",
  })
  void ignoredKindsAreDropped(String options, String kept) {
    IncomingRows rows = keyed(options);
    for (String kind : List.of("+I", "-U", "+U", "-D")) {
      assertThat(rows.take(row(kind, 1, 1)) != null).isEqualTo(kept.contains(kind));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "merge-engine=first-row                          | -D | ignore-delete",
        "merge-engine=first-row                          | -U | ignore-delete",
        "merge-engine=partial-update                     | -D | remove-record-on-delete",
        "merge-engine=aggregation fields.a.aggregate-function=max | -D | fields.a.ignore-retract",
        "merge-engine=aggregation fields.default-aggregate-function=first_value | -U | first_value",
        "merge-engine=aggregation fields.a.aggregate-function=max"
            + " aggregation.remove-record-on-delete=true | -U | max",
        "merge-engine=partial-update fields.g.sequence-group=a fields.a.aggregate-function=max"
            + " | -D | max",
      })
  void retractsThatCannotBeMergedAreRefused(String options, String kind, String part) {
    IncomingRows rows = keyed(options);
    assertThat(rows.take(row("+I", 1, 1))).isNotNull();
    assertRefused(rows, row(kind, 1, 1), Condition.KEYLAKE_UNSUPPORTED_RETRACTION, part, "db.t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "merge-engine=first-row ignore-update-before=true | +U",
        "merge-engine=partial-update partial-update.remove-record-on-delete=true | -U",
        "merge-engine=aggregation fields.a.aggregate-function=sum | -U",
        "merge-engine=aggregation fields.a.aggregate-function=max fields.a.ignore-retract=true"
            + " | -D",
        "merge-engine=aggregation fields.a.aggregate-function=max"
            + " aggregation.remove-record-on-delete=true | -D",
        "merge-engine=partial-update fields.g.sequence-group=b | -D",
        "merge-engine=partial-update fields.g.sequence-group=a fields.a.aggregate-function=max"
            + " partial-update.remove-record-on-sequence-group=g | -D",
      })
  void retractsThatCanBeMergedAreTaken(String options, String kind) {
    assertThat(keyed(options).take(row(kind, 1, 1))).isNotNull();
  }

  @Test
  void groupWhoseFieldsAreNullTakesNothingBack() {
    String options =
        "merge-engine=partial-update fields.g.sequence-group=a fields.a.aggregate-function=max";
    assertThat(keyed(options).take(row("-D", null, 1))).isNotNull();
  }

  @Test
  void rowsThatSetSomeColumnsTakeNothingBack() {
    IncomingRows rows = keyed("upsert.partial-column.enable=true");
    assertThat(rows.take(row("+U", 1, 1))).isNotNull();
    assertRefused(
        rows,
        row("-D", 1, 1),
        Condition.KEYLAKE_UNSUPPORTED_RETRACTION,
        "upsert.partial-column.enable");
  }

  @Test
  void appendTablesHoldInsertsOnly() {
    IncomingRows rows = rows(schema(List.of(), "bucket=-1"));
    assertThat(rows.take(row("+I", 1, 1))).isNotNull();
    assertRefused(rows, row("+U", 1, 1), Condition.KEYLAKE_INVALID_VALUE, "+U", "primary key");
  }

  @Test
  void countedColumnsAddOneForEachValue() {
    IncomingRows rows =
        keyed(
            "merge-engine=aggregation fields.a.aggregate-function=sum fields.a.keylake-count=true"
                + " fields.b.aggregate-function=sum fields.b.keylake-count=true");
    UnsafeRow given = row("+I", 1, -7);
    UnsafeRow value = requireNonNull(rows.take(given));
    assertThat(value.getInt(3)).isEqualTo(1);
    assertThat(value.getLong(4)).isEqualTo(1);
    assertThat(given.getInt(3)).isEqualTo(-7);
    UnsafeRow nothing = requireNonNull(rows.take(row("+I", 1, null)));
    assertThat(nothing.isNullAt(3)).isFalse();
    assertThat(nothing.getInt(3)).isZero();
    assertThat(nothing.getLong(4)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rowkind.field=g    | kind | contradicts",
        "bucket=1           | g    | contradicts",
      })
  void statementAndTableNameTheSameColumn(String stored, String column, String part) {
    TableSchema schema = schema(List.of("k"), stored);
    TableOptions options = TableOptions.of(schema, Map.of("row-kind-column", column));
    assertThatThrownBy(() -> KindRules.of(schema, options, "db.t"))
        .hasMessageContaining("row-kind-column")
        .hasMessageContaining(part);
  }

  private static void assertRefused(
      IncomingRows rows, UnsafeRow row, Condition condition, String... parts) {
    assertThatThrownBy(() -> rows.take(row))
        .isInstanceOf(TableException.class)
        .hasMessageContainingAll(parts)
        .extracting(e -> ((TableException) e).condition())
        .isEqualTo(condition);
  }
}
