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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.TableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableDefinitionTest {
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1234), ZoneOffset.UTC);

  private static List<DataField> columns(String... namesAndTypes) {
    List<DataField> columns = new ArrayList<>();
    for (String column : namesAndTypes) {
      int space = column.indexOf(' ');
      columns.add(
          DataField.of(
              0, column.substring(0, space), TypeParser.parse(column.substring(space + 1))));
    }
    return columns;
  }

  private static TableDefinition keyed(
      List<String> partitions, List<String> keys, String... columns) {
    return new TableDefinition(
        columns(columns),
        partitions,
        keys,
        keys.isEmpty() ? Map.of() : Map.of("bucket", "2"),
        null);
  }

  private static TableSchema create(TableDefinition definition) {
    return definition.create("db.t", CLOCK);
  }

  private static void assertInvalid(
      TableDefinition definition, Condition condition, String... parts) {
    assertThatThrownBy(() -> create(definition))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("db.t")
        .hasMessageContainingAll(parts)
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(condition);
  }

  @Test
  void definitionBecomesTheFirstSchema() {
    TableDefinition definition =
        new TableDefinition(
            columns("id INT", "dt STRING", "v DOUBLE"),
            List.of("dt"),
            List.of("id", "dt"),
            Map.of("bucket", "2"),
            "sales");
    TableSchema schema = create(definition);
    assertThat(schema.id()).isZero();
    assertThat(schema.version()).isEqualTo(3);
    assertThat(schema.timeMillis()).isEqualTo(1234);
    assertThat(schema.highestFieldId()).isEqualTo(2);
    assertThat(schema.comment()).isEqualTo("sales");
    assertThat(schema.partitionKeys()).containsExactly("dt");
    assertThat(schema.primaryKeys()).containsExactly("id", "dt");
    assertThat(schema.fields())
        .containsExactly(
            DataField.of(0, "id", DataTypes.INT.asNotNull()),
            DataField.of(1, "dt", DataTypes.STRING.asNotNull()),
            DataField.of(2, "v", DataTypes.DOUBLE));
  }

  @Test
  void keysInOptionsMoveIntoTheKeyLists() {
    TableDefinition definition =
        new TableDefinition(
            columns("Id INT", "dt STRING", "v DOUBLE"),
            List.of(),
            List.of(),
            Map.of("primary-key", "id, dt", "partition", "dt", "bucket", "2"),
            null);
    TableSchema schema = create(definition);
    assertThat(schema.primaryKeys()).containsExactly("Id", "dt");
    assertThat(schema.partitionKeys()).containsExactly("dt");
    assertThat(schema.options()).containsExactly(Map.entry("bucket", "2"));
  }

  @Test
  void contradictingKeysAreRefused() {
    TableDefinition definition =
        new TableDefinition(
            columns("a INT", "b INT"),
            List.of(),
            List.of("a"),
            Map.of("primary-key", "b", "bucket", "2"),
            null);
    assertInvalid(
        definition, Condition.KEYLAKE_INVALID_TABLE_DEFINITION, "primary-key", "[b]", "[a]");
  }

  @Test
  void bucketedAppendTableGetsAllScalarColumnsAsBucketKey() {
    List<DataField> columns =
        new ArrayList<>(columns("dt STRING", "a INT", "b STRING", "x VARIANT"));
    columns.add(DataField.of(0, "l", new ArrayType(DataTypes.INT, true)));
    TableDefinition definition =
        new TableDefinition(columns, List.of("dt"), List.of(), Map.of("bucket", "3"), null);
    assertThat(create(definition).options()).containsEntry("bucket-key", "a,b");
    TableDefinition named =
        new TableDefinition(
            columns, List.of("dt"), List.of(), Map.of("bucket", "3", "bucket-key", "b"), null);
    assertThat(create(named).options()).containsEntry("bucket-key", "b");
    TableDefinition unaware =
        new TableDefinition(columns, List.of("dt"), List.of(), Map.of(), null);
    assertThat(create(unaware).options()).doesNotContainKey("bucket-key");
  }

  @Test
  void replacementTakesFreshIdsAndTheNextNumber() {
    TableSchema old = create(keyed(List.of(), List.of(), "a INT", "b INT"));
    TableSchema replaced =
        keyed(List.of(), List.of("a"), "a INT", "c INT").replace(old, "db.t", CLOCK);
    assertThat(replaced.id()).isEqualTo(1);
    assertThat(replaced.fields()).extracting(DataField::id).containsExactly(2, 3);
    assertThat(replaced.highestFieldId()).isEqualTo(3);
  }

  @Test
  void unknownKeyColumnIsNamed() {
    assertInvalid(
        keyed(List.of(), List.of("z"), "a INT"),
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "primary-key column z",
        "[a]");
    assertInvalid(
        keyed(List.of("p"), List.of(), "a INT"),
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "partition column p");
  }

  @Test
  void namesThatDifferInLetterCaseOnlyAreRefused() {
    assertInvalid(
        keyed(List.of(), List.of(), "a INT", "A INT"),
        Condition.KEYLAKE_COLUMN_ALREADY_EXISTS,
        "column A exists already as a");
    DataType nested = new RowType(columns("x INT", "X INT"), true);
    assertInvalid(
        new TableDefinition(
            List.of(DataField.of(0, "r", new ArrayType(nested, true))),
            List.of(),
            List.of(),
            Map.of(),
            null),
        Condition.KEYLAKE_COLUMN_ALREADY_EXISTS,
        "r.X");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"_SEQUENCE_NUMBER", "_VALUE_KIND", "_LEVEL", "rowkind", "_ROW_ID", "_KEY_a"})
  void reservedNamesAreRefused(String name) {
    assertInvalid(
        keyed(List.of(), List.of(), name + " INT"),
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        name,
        "reserved");
  }

  @Test
  void keysNeedScalarColumnsNamedOnce() {
    List<DataField> columns = new ArrayList<>(columns("a INT", "v VARIANT"));
    columns.add(DataField.of(0, "l", new ArrayType(DataTypes.INT, true)));
    assertInvalid(
        new TableDefinition(columns, List.of(), List.of("l"), Map.of("bucket", "1"), null),
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "primary-key column l",
        "ARRAY<INT>");
    assertInvalid(
        new TableDefinition(columns, List.of("v"), List.of(), Map.of(), null),
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "partition column v");
    assertInvalid(
        new TableDefinition(columns, List.of(), List.of("a", "a"), Map.of("bucket", "1"), null),
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "named twice");
  }

  @Test
  void primaryKeyNeedsColumnOutsideThePartition() {
    assertInvalid(
        keyed(List.of("a", "b"), List.of("a", "b"), "a INT", "b INT", "v INT"),
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "[a, b]",
        "partition columns");
  }

  @Test
  void binaryPartitionNeedsReadableNames() {
    assertInvalid(
        keyed(List.of("b"), List.of(), "a INT", "b BYTES"),
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "partition column b",
        "partition.legacy-name=false");
    TableDefinition readable =
        new TableDefinition(
            columns("a INT", "b BYTES"),
            List.of("b"),
            List.of(),
            Map.of("partition.legacy-name", "false"),
            null);
    assertThat(create(readable).partitionKeys()).containsExactly("b");
  }

  @Test
  void tableNeedsColumn() {
    assertInvalid(
        keyed(List.of(), List.of()), Condition.KEYLAKE_INVALID_TABLE_DEFINITION, "no columns");
  }

  @Test
  void defaultMustBeValueOfItsColumn() {
    DataField column = new DataField(0, "a", DataTypes.INT, null, "many");
    assertThatThrownBy(
            () ->
                create(new TableDefinition(List.of(column), List.of(), List.of(), Map.of(), null)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'many' of column a");
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(
            () ->
                create(
                    new TableDefinition(
                        columns("a INT"), List.of(), List.of(), Map.of("bucket", "none"), null)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("bucket")
        .hasMessageContaining("none");
  }
}
