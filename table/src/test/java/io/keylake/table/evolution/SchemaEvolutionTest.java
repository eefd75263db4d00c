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
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeText;
import io.keylake.table.evolution.SchemaChange.AddColumn;
import io.keylake.table.evolution.SchemaChange.DropColumn;
import io.keylake.table.evolution.SchemaChange.DropPrimaryKey;
import io.keylake.table.evolution.SchemaChange.MovePosition;
import io.keylake.table.evolution.SchemaChange.RemoveOption;
import io.keylake.table.evolution.SchemaChange.RenameColumn;
import io.keylake.table.evolution.SchemaChange.SetOption;
import io.keylake.table.evolution.SchemaChange.SetTableComment;
import io.keylake.table.evolution.SchemaChange.UpdateComment;
import io.keylake.table.evolution.SchemaChange.UpdateDefault;
import io.keylake.table.evolution.SchemaChange.UpdateNullability;
import io.keylake.table.evolution.SchemaChange.UpdateNullability.Nullability;
import io.keylake.table.evolution.SchemaChange.UpdateType;
import io.keylake.table.evolution.SchemaEvolution.History;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaEvolutionTest {
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(99), ZoneOffset.UTC);
  private static final RowType NESTED =
      new RowType(
          List.of(DataField.of(5, "x", DataTypes.INT), DataField.of(6, "y", DataTypes.STRING)),
          true);

  /** pt (partition), id (key), v INT, n DOUBLE, r ROW, l ARRAY of ROW, m MAP to INT. */
  private static final TableSchema BASE =
      new TableSchema(
          3,
          7,
          List.of(
              DataField.of(0, "pt", DataTypes.STRING.asNotNull()),
              DataField.of(1, "id", DataTypes.INT.asNotNull()),
              DataField.of(2, "v", DataTypes.INT),
              DataField.of(3, "n", DataTypes.DOUBLE),
              DataField.of(4, "r", NESTED),
              DataField.of(
                  7,
                  "l",
                  new ArrayType(
                      new RowType(List.of(DataField.of(8, "z", DataTypes.INT)), true), true)),
              DataField.of(9, "m", new MapType(DataTypes.STRING, DataTypes.INT, true))),
          12,
          List.of("pt"),
          List.of("pt", "id"),
          Map.of("bucket", "2"),
          "old",
          50,
          UnknownKeys.NONE);

  private static TableSchema withOptions(String... keysAndValues) {
    Map<String, String> options = new HashMap<>(BASE.options());
    for (int i = 0; i < keysAndValues.length; i += 2) {
      options.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return new TableSchema(
        3,
        BASE.id(),
        BASE.fields(),
        BASE.highestFieldId(),
        BASE.partitionKeys(),
        BASE.primaryKeys(),
        options,
        BASE.comment(),
        BASE.timeMillis(),
        BASE.unknown());
  }

  private static TableSchema apply(TableSchema schema, SchemaChange... changes) {
    return new SchemaEvolution("db.t", CLOCK)
        .apply(schema, Arrays.asList(changes), History.HAS_SNAPSHOTS);
  }

  private static TableSchema apply(SchemaChange... changes) {
    return apply(BASE, changes);
  }

  private static void assertRefused(
      TableSchema schema, Condition condition, SchemaChange change, String... parts) {
    assertThatThrownBy(() -> apply(schema, change))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("db.t")
        .hasMessageContainingAll(parts)
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(condition);
  }

  private static void assertRefused(SchemaChange change, String... parts) {
    assertRefused(BASE, Condition.KEYLAKE_INVALID_SCHEMA_CHANGE, change, parts);
  }

  private static AddColumn add(String path, DataType type, ColumnPosition position) {
    return new AddColumn(path(path), type, null, null, position);
  }

  private static List<String> path(String path) {
    return List.of(path.split("\\."));
  }

  private static List<String> names(TableSchema schema) {
    return schema.rowType().names();
  }

  private static DataField column(TableSchema schema, String name) {
    return schema.rowType().field(name).orElseThrow();
  }

  @Test
  void resultIsTheNextVersion() {
    TableSchema changed = apply(new SetTableComment("new"));
    assertThat(changed.id()).isEqualTo(8);
    assertThat(changed.version()).isEqualTo(3);
    assertThat(changed.timeMillis()).isEqualTo(99);
    assertThat(changed.comment()).isEqualTo("new");
    assertThat(changed.fields()).isEqualTo(BASE.fields());
    assertThat(apply(new SetTableComment(null)).comment()).isNull();
  }

  @Test
  void addedColumnTakesTheNextIdAndItsFieldsTheIdsAfterIt() {
    TableSchema changed =
        apply(
            add("new", new ArrayType(NESTED, true), ColumnPosition.DEFAULT),
            add("more", DataTypes.INT, ColumnPosition.DEFAULT));
    assertThat(column(changed, "new").id()).isEqualTo(13);
    RowType element = (RowType) ((ArrayType) column(changed, "new").type()).element();
    assertThat(element.fields()).extracting(DataField::id).containsExactly(14, 15);
    assertThat(column(changed, "more").id()).isEqualTo(16);
    assertThat(changed.highestFieldId()).isEqualTo(16);
  }

  @Test
  void addedColumnGoesWhereItIsAsked() {
    assertThat(names(apply(add("c", DataTypes.INT, ColumnPosition.FIRST)))).startsWith("c", "pt");
    assertThat(names(apply(add("c", DataTypes.INT, ColumnPosition.LAST)))).endsWith("m", "c");
    assertThat(names(apply(add("c", DataTypes.INT, ColumnPosition.after("id")))))
        .startsWith("pt", "id", "c", "v");
    assertThat(names(apply(add("c", DataTypes.INT, ColumnPosition.before("id")))))
        .startsWith("pt", "c", "id");
    assertThat(names(apply(add("c", DataTypes.INT, ColumnPosition.DEFAULT)))).endsWith("m", "c");
    assertThat(
            names(
                apply(
                    withOptions("add-column-before-partition", "true"),
                    add("c", DataTypes.INT, ColumnPosition.DEFAULT))))
        .startsWith("c", "pt");
    assertRefused(
        BASE,
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        add("c", DataTypes.INT, ColumnPosition.after("zz")),
        "zz");
  }

  @Test
  void neverWrittenTableTakesColumnsThatAreNotNull() {
    TableSchema changed =
        new SchemaEvolution("db.t", CLOCK)
            .apply(
                BASE,
                List.of(add("w", DataTypes.INT.asNotNull(), ColumnPosition.DEFAULT)),
                History.EMPTY);

    assertThat(column(changed, "w").type()).isEqualTo(DataTypes.INT.asNotNull());
  }

  @Test
  void addedColumnMustBeNullableAndNew() {
    assertRefused(add("w", DataTypes.INT.asNotNull(), ColumnPosition.DEFAULT), "column w");
    assertRefused(
        BASE,
        Condition.KEYLAKE_COLUMN_ALREADY_EXISTS,
        add("V", DataTypes.INT, ColumnPosition.DEFAULT),
        "exists already as v");
    assertRefused(
        BASE,
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        add("_KEY_a", DataTypes.INT, ColumnPosition.DEFAULT),
        "_KEY_a");
  }

  @Test
  void rowsOfBeforeTakeTheDefaultOfAnAddedColumn() {
    AddColumn added =
        new AddColumn(List.of("d"), DataTypes.INT, "why", "42", ColumnPosition.DEFAULT);
    TableSchema changed = apply(added);
    assertThat(column(changed, "d")).isEqualTo(new DataField(13, "d", DataTypes.INT, "why", "42"));
    assertThat(ExistsDefaults.of(changed)).containsExactly(Map.entry(13, 42));

    TableSchema later =
        apply(changed, new UpdateDefault("d", "8"), new RenameColumn(List.of("d"), "e"));
    assertThat(column(later, "e").defaultValue()).isEqualTo("8");
    assertThat(ExistsDefaults.of(later)).containsExactly(Map.entry(13, 42));
    assertThat(apply(changed, new DropColumn(List.of("d"))).options()).isEqualTo(BASE.options());

    TableSchema empty =
        new SchemaEvolution("db.t", CLOCK).apply(BASE, List.of(added), History.EMPTY);
    assertThat(ExistsDefaults.of(empty)).isEmpty();
    assertRefused(
        new AddColumn(path("r.d"), DataTypes.INT, null, "42", ColumnPosition.DEFAULT), "r.d");
  }

  @Test
  void nestedFieldsAreReachedThroughRowsArraysAndMaps() {
    TableSchema changed =
        apply(
            add("r.w", DataTypes.DATE, ColumnPosition.after("x")),
            add("l.element.w", DataTypes.DATE, ColumnPosition.DEFAULT),
            new RenameColumn(path("r.y"), "why"),
            new UpdateType(path("m.value"), DataTypes.BIGINT),
            new UpdateType(path("l.element.z"), DataTypes.BIGINT),
            new UpdateComment(path("r.x"), "ex"));
    assertThat(column(changed, "r").type())
        .isEqualTo(
            new RowType(
                List.of(
                    new DataField(5, "x", DataTypes.INT, "ex", null),
                    DataField.of(13, "w", DataTypes.DATE),
                    DataField.of(6, "why", DataTypes.STRING)),
                true));
    assertThat(((ArrayType) column(changed, "l").type()).element())
        .isEqualTo(
            new RowType(
                List.of(
                    DataField.of(8, "z", DataTypes.BIGINT), DataField.of(14, "w", DataTypes.DATE)),
                true));
    assertThat(((MapType) column(changed, "m").type()).value()).isEqualTo(DataTypes.BIGINT);
    assertThat(names(apply(new MovePosition(path("r.y"), ColumnPosition.FIRST))))
        .isEqualTo(names(BASE));
  }

  @Test
  void pathsThatLeadNowhereAreNamed() {
    assertRefused(
        BASE,
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        new DropColumn(path("r.zz")),
        "drop column r.zz",
        "[x, y]");
    assertRefused(
        BASE, Condition.KEYLAKE_COLUMN_NOT_FOUND, new DropColumn(path("absent")), "absent");
    assertRefused(new UpdateType(path("v.x"), DataTypes.INT), "'x'", "INT");
    assertRefused(new UpdateType(path("m.key"), DataTypes.BIGINT), "'key'", "MAP");
    assertRefused(add("l.w", DataTypes.INT, ColumnPosition.DEFAULT), "'w'", "ARRAY");
  }

  @Test
  void droppedColumnLosesItsIdForEver() {
    TableSchema dropped = apply(new DropColumn(List.of("v")));
    assertThat(names(dropped)).doesNotContain("v");
    assertThat(dropped.highestFieldId()).isEqualTo(12);
    TableSchema again = apply(dropped, add("v", DataTypes.INT, ColumnPosition.DEFAULT));
    assertThat(column(again, "v").id()).isEqualTo(13);
    RowType row = (RowType) column(apply(new DropColumn(path("r.x"))), "r").type();
    assertThat(row.names()).containsExactly("y");
  }

  @Test
  void onlyFieldIsDroppedWhereAnotherFollows() {
    TableSchema changed =
        apply(
            BASE,
            new DropColumn(path("l.element.z")),
            add("l.element.w", DataTypes.INT, ColumnPosition.DEFAULT));

    assertThat(TypeText.of(column(changed, "l").type())).contains("w INT").doesNotContain("z ");
  }

  @Test
  void structuralColumnsAreNotDropped() {
    assertRefused(new DropColumn(List.of("pt")), "column pt", "partition");
    assertRefused(new DropColumn(List.of("id")), "column id", "primary key");
    assertRefused(new DropColumn(path("l.element.z")), "only one");
    assertRefused(
        withOptions("sequence.field", "v"),
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        new DropColumn(List.of("v")),
        "sequence.field");
    assertRefused(
        withOptions("fields.v.aggregate-function", "sum"),
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        new DropColumn(List.of("v")),
        "fields.v.aggregate-function");
    assertRefused(
        withOptions("file-index.bloom-filter.columns", "id,v"),
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        new DropColumn(List.of("v")),
        "file-index.bloom-filter.columns");
  }

  @Test
  void renamedColumnIsRenamedInKeysAndOptions() {
    TableSchema schema =
        withOptions(
            "bucket-key", "id",
            "sequence.field", "v,n",
            "fields.v.aggregate-function", "sum",
            "fields.v,n.sequence-group", "r,v",
            "fields.r.nested-key", "x",
            "file-index.bloom-filter.columns", "v",
            "file-index.bloom-filter.v.fpp", "0.01",
            "file.format", "v");
    TableSchema changed =
        apply(
            schema,
            new RenameColumn(List.of("v"), "w"),
            new RenameColumn(List.of("id"), "key"),
            new RenameColumn(List.of("r"), "row"));
    assertThat(changed.primaryKeys()).containsExactly("pt", "key");
    assertThat(column(changed, "w").id()).isEqualTo(2);
    assertThat(changed.options())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "bucket", "2",
                "bucket-key", "key",
                "sequence.field", "w,n",
                "fields.w.aggregate-function", "sum",
                "fields.w,n.sequence-group", "row,w",
                "fields.row.nested-key", "x",
                "file-index.bloom-filter.columns", "w",
                "file-index.bloom-filter.w.fpp", "0.01",
                "file.format", "v"));
  }

  @Test
  void renameNeedsFreeNameAndNoPartitionColumn() {
    assertRefused(new RenameColumn(List.of("pt"), "p2"), "column pt", "partition");
    assertRefused(
        BASE,
        Condition.KEYLAKE_COLUMN_ALREADY_EXISTS,
        new RenameColumn(List.of("v"), "N"),
        "exists already as n");
    assertThat(names(apply(new RenameColumn(List.of("v"), "V")))).contains("V").doesNotContain("v");
    assertRefused(
        BASE,
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        new RenameColumn(List.of("v"), "rowkind"),
        "rowkind");
  }

  @Test
  void typeChangesByTheCastTable() {
    assertThat(column(apply(new UpdateType(List.of("v"), DataTypes.BIGINT)), "v").type())
        .isEqualTo(DataTypes.BIGINT);
    assertThat(
            column(apply(new UpdateType(List.of("v"), DataTypes.BIGINT.asNotNull())), "v").type())
        .isEqualTo(DataTypes.BIGINT);
    assertThat(column(apply(new UpdateType(List.of("v"), DataTypes.STRING)), "v").type())
        .isEqualTo(DataTypes.STRING);
    assertRefused(new UpdateType(List.of("v"), DataTypes.DATE), "INT to DATE");
    assertRefused(new UpdateType(List.of("r"), NESTED.asNotNull().project(List.of("x"))), "path");
    assertRefused(
        withOptions("disable-explicit-type-casting", "true"),
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        new UpdateType(List.of("v"), DataTypes.STRING),
        "disable-explicit-type-casting");
  }

  @Test
  void typesOfStructuralColumnsStay() {
    assertRefused(new UpdateType(List.of("pt"), DataTypes.BYTES), "column pt", "partition");
    assertRefused(new UpdateType(List.of("id"), DataTypes.BIGINT), "column id", "primary key");
    assertRefused(
        withOptions("bucket-key", "v"),
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        new UpdateType(List.of("v"), DataTypes.BIGINT),
        "bucket-key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sequence.field", "fields.v.sequence-group"})
  void sequenceColumnKeepsItsOrder(String option) {
    TableSchema schema = withOptions(option, "v");
    assertRefused(
        schema,
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        new UpdateType(List.of("v"), DataTypes.STRING),
        "column v",
        "INT to STRING",
        "order");
    assertThat(column(apply(schema, new UpdateType(List.of("v"), DataTypes.BIGINT)), "v").type())
        .isEqualTo(DataTypes.BIGINT);
  }

  @Test
  void nullabilityChangesByTheRules() {
    UpdateNullability forbid = new UpdateNullability(List.of("v"), Nullability.NOT_NULL);
    assertRefused(forbid, "column v", "alter-column-null-to-not-null.disabled");
    TableSchema permitted = withOptions("alter-column-null-to-not-null.disabled", "false");
    TableSchema strict = apply(permitted, forbid);
    assertThat(column(strict, "v").type().nullable()).isFalse();
    UpdateNullability allow = new UpdateNullability(List.of("v"), Nullability.NULLABLE);
    assertThat(column(apply(strict, allow), "v").type().nullable()).isTrue();
    assertRefused(
        new UpdateNullability(List.of("id"), Nullability.NULLABLE), "column id", "primary key");
  }

  @Test
  void columnsMoveAmongTheirNeighbours() {
    assertThat(names(apply(new MovePosition(List.of("n"), ColumnPosition.FIRST))))
        .startsWith("n", "pt");
    assertThat(names(apply(new MovePosition(List.of("pt"), ColumnPosition.after("v")))))
        .startsWith("id", "v", "pt");
    RowType row =
        (RowType) column(apply(new MovePosition(path("r.y"), ColumnPosition.FIRST)), "r").type();
    assertThat(row.names()).containsExactly("y", "x");
    assertRefused(
        new MovePosition(List.of("n"), ColumnPosition.after("n")), "move column n", "itself");
  }

  @Test
  void defaultsAreCheckedWhenTheyChange() {
    assertThat(column(apply(new UpdateDefault("v", "1")), "v").defaultValue()).isEqualTo("1");
    assertThatThrownBy(() -> apply(new UpdateDefault("v", "one")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'one' of column v");
  }

  @Test
  void optionsChangeByTheirOwnRules() {
    assertThat(apply(new SetOption("bucket", "4")).options()).containsEntry("bucket", "4");
    assertThat(apply(withOptions("file.format", "orc"), new RemoveOption("file.format")).options())
        .doesNotContainKey("file.format");
    assertRefused(
        BASE,
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        new SetOption("merge-engine", "aggregation"),
        "merge-engine");
    assertRefused(BASE, Condition.KEYLAKE_IMMUTABLE_OPTION, new RemoveOption("bucket"), "bucket");
    TableSchema renamed =
        apply(withOptions("bucket-key", "id"), new RenameColumn(List.of("id"), "key"));
    assertThat(renamed.options()).containsEntry("bucket-key", "key");
  }

  @Test
  void primaryKeyIsDroppedWhileTheTableIsEmptyOnly() {
    assertRefused(new DropPrimaryKey(), "drop the primary key");
    TableSchema changed =
        new SchemaEvolution("db.t", CLOCK)
            .apply(BASE, List.of(new DropPrimaryKey()), History.EMPTY);
    assertThat(changed.primaryKeys()).isEmpty();
    assertThat(changed.options()).containsEntry("bucket-key", "id");
  }

  @Test
  void columnWithADefaultIsNotAddedWhereRowsAreComputed() {
    AddColumn added = new AddColumn(List.of("w"), DataTypes.INT, null, "5", ColumnPosition.DEFAULT);
    assertRefused(
        withOptions("merge-engine", "aggregation"),
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        added,
        "column w",
        "aggregation");
    TableSchema empty =
        new SchemaEvolution("db.t", CLOCK)
            .apply(withOptions("merge-engine", "aggregation"), List.of(added), History.EMPTY);
    assertThat(column(empty, "w").defaultValue()).isEqualTo("5");
  }

  @Test
  void countingStartsAndEndsWhileTheTableIsEmpty() {
    String option = "fields.v.aggregate-function";
    TableSchema sum = withOptions("merge-engine", "aggregation", option, "sum");
    SetOption count = new SetOption(option, "count");
    assertRefused(sum, Condition.KEYLAKE_IMMUTABLE_OPTION, count, option);
    TableSchema counted =
        new SchemaEvolution("db.t", CLOCK).apply(sum, List.of(count), History.EMPTY);
    assertThat(counted.options())
        .containsEntry(option, "sum")
        .containsEntry("fields.v.keylake-count", "true");
    assertRefused(
        counted, Condition.KEYLAKE_IMMUTABLE_OPTION, new SetOption(option, "max"), option);
    assertRefused(counted, Condition.KEYLAKE_IMMUTABLE_OPTION, new RemoveOption(option), option);
    assertThat(apply(counted, new SetOption(option, "count")).options())
        .isEqualTo(counted.options());
    assertThat(apply(counted, new RenameColumn(List.of("v"), "w")).options())
        .containsEntry("fields.w.keylake-count", "true");
  }
}
