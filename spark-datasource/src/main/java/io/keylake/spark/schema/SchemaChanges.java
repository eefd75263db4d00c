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

package io.keylake.spark.schema;

import io.keylake.format.errors.Condition;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.DataType;
import io.keylake.spark.convert.ColumnDefaults;
import io.keylake.spark.convert.KeylakeException;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.evolution.ColumnPosition;
import io.keylake.table.evolution.SchemaChange;
import io.keylake.table.evolution.SchemaEvolution;
import io.keylake.table.evolution.SchemaEvolution.History;
import io.keylake.table.evolution.SchemaUpdate;
import io.keylake.table.options.CompactionKeys;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.util.ResolveDefaultColumns;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.catalog.constraints.PrimaryKey;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.jspecify.annotations.Nullable;

/**
 * ALTER TABLE in the format's terms: each change of Spark becomes the schema changes that do it.
 * What the format cannot keep is refused by name. Keys and partition columns are given when a table
 * is created and never after.
 */
public final class SchemaChanges {
  private static final String CLAUSE = "ALTER TABLE";

  /** How each kind of change is translated. */
  private static final Map<
          Class<? extends TableChange>, BiFunction<SchemaChanges, TableChange, List<SchemaChange>>>
      KINDS =
          Map.ofEntries(
              kind(TableChange.SetProperty.class, SchemaChanges::setProperty),
              kind(TableChange.RemoveProperty.class, SchemaChanges::removeProperty),
              kind(TableChange.ClusterBy.class, SchemaChanges::clusterBy),
              kind(TableChange.AddColumn.class, SchemaChanges::addColumn),
              kind(TableChange.DeleteColumn.class, SchemaChanges::deleteColumn),
              kind(TableChange.RenameColumn.class, SchemaChanges::renameColumn),
              kind(TableChange.UpdateColumnType.class, SchemaChanges::updateType),
              kind(TableChange.UpdateColumnNullability.class, SchemaChanges::updateNullability),
              kind(TableChange.UpdateColumnComment.class, SchemaChanges::updateComment),
              kind(TableChange.UpdateColumnPosition.class, SchemaChanges::updatePosition),
              kind(TableChange.UpdateColumnDefaultValue.class, SchemaChanges::updateDefault),
              kind(TableChange.AddConstraint.class, SchemaChanges::addConstraint),
              kind(TableChange.DropConstraint.class, SchemaChanges::dropConstraint));

  private final String table;
  private final TableSchema schema;
  private final Constraint[] constraints;

  private SchemaChanges(String table, TableSchema schema, Constraint[] constraints) {
    this.table = table;
    this.schema = schema;
    this.constraints = constraints.clone();
  }

  /**
   * Carries out changes of a table, as one new schema.
   *
   * @param newest its newest schema
   * @param constraints as the table reports them
   * @throws io.keylake.format.errors.InvalidRequestException when one of them is not allowed
   */
  public static void commit(
      TableStorage storage,
      TableSchema newest,
      Constraint[] constraints,
      Clock clock,
      TableChange... changes) {
    List<SchemaChange> translated =
        new SchemaChanges(storage.name(), newest, constraints).translate(changes);
    new SchemaUpdate(storage.schemas(), new SchemaEvolution(storage.name(), clock))
        .commit(
            translated,
            () -> history(storage),
            (before, after) -> LookupModeChange.check(storage, before, after));
  }

  /** Whether rows may depend on the definition of the table. */
  public static History history(TableStorage storage) {
    return storage.snapshots().latestId().isPresent() ? History.HAS_SNAPSHOTS : History.EMPTY;
  }

  private static <T extends TableChange>
      Map.Entry<
              Class<? extends TableChange>,
              BiFunction<SchemaChanges, TableChange, List<SchemaChange>>>
          kind(Class<T> kind, BiFunction<SchemaChanges, T, List<SchemaChange>> translate) {
    return Map.entry(kind, (changes, change) -> translate.apply(changes, kind.cast(change)));
  }

  /** The schema changes of {@code changes}, in order. */
  private List<SchemaChange> translate(TableChange... changes) {
    List<SchemaChange> translated = new ArrayList<>();
    for (TableChange change : changes) {
      BiFunction<SchemaChanges, TableChange, List<SchemaChange>> kind =
          KINDS.get(change.getClass());
      if (kind == null) {
        throw refuse("the change " + change + " is not supported.");
      }
      translated.addAll(kind.apply(this, change));
    }
    return translated;
  }

  private List<SchemaChange> setProperty(TableChange.SetProperty change) {
    String key = change.property();
    String value = change.value();
    switch (key) {
      case TableCatalog.PROP_COMMENT -> {
        return List.of(new SchemaChange.SetTableComment(value));
      }
      case TableCatalog.PROP_PROVIDER,
          TableCatalog.PROP_LOCATION,
          TableCatalog.PROP_EXTERNAL,
          TableCatalog.PROP_IS_MANAGED_LOCATION,
          TableCatalog.PROP_TABLE_TYPE,
          TableCatalog.PROP_COLLATION ->
          throw refuse("'" + key + "' is fixed when the table is created.");
      default -> {
        return List.of(new SchemaChange.SetOption(key, value));
      }
    }
  }

  private List<SchemaChange> removeProperty(TableChange.RemoveProperty change) {
    return change.property().equals(TableCatalog.PROP_COMMENT)
        ? List.of(new SchemaChange.SetTableComment(null))
        : List.of(new SchemaChange.RemoveOption(change.property()));
  }

  private List<SchemaChange> clusterBy(TableChange.ClusterBy change) {
    String option = CompactionKeys.CLUSTERING_COLUMNS.name();
    List<String> columns = new ArrayList<>();
    for (NamedReference column : change.clusteringColumns()) {
      if (column.fieldNames().length != 1) {
        throw refuse(
            "CLUSTER BY names the nested field "
                + String.join(".", column.fieldNames())
                + ". Name top-level columns.");
      }
      columns.add(column.fieldNames()[0]);
    }
    if (columns.isEmpty()) {
      return List.of(new SchemaChange.RemoveOption(option));
    }
    if (schema.hasPrimaryKey()) {
      throw refuse("rows of a table with a primary key are sorted by the key, not CLUSTERED BY.");
    }
    return List.of(new SchemaChange.SetOption(option, String.join(",", columns)));
  }

  private List<SchemaChange> addColumn(TableChange.AddColumn change) {
    List<String> path = List.of(change.fieldNames());
    DataType type = type(path, change.dataType());
    ColumnDefaultValue defaultValue = change.defaultValue();
    return List.of(
        new SchemaChange.AddColumn(
            path,
            change.isNullable() ? type.asNullable() : type.asNotNull(),
            change.comment(),
            defaultValue == null ? null : defaultText(path, change.dataType(), defaultValue),
            position(change.position())));
  }

  private List<SchemaChange> deleteColumn(TableChange.DeleteColumn change) {
    List<String> path = List.of(change.fieldNames());
    boolean missing =
        schema.fields().stream().noneMatch(field -> field.name().equalsIgnoreCase(path.get(0)));
    return change.ifExists() && missing ? List.of() : List.of(new SchemaChange.DropColumn(path));
  }

  private List<SchemaChange> renameColumn(TableChange.RenameColumn change) {
    return List.of(new SchemaChange.RenameColumn(List.of(change.fieldNames()), change.newName()));
  }

  private List<SchemaChange> updateType(TableChange.UpdateColumnType change) {
    List<String> path = List.of(change.fieldNames());
    return List.of(new SchemaChange.UpdateType(path, type(path, change.newDataType())));
  }

  private List<SchemaChange> updateNullability(TableChange.UpdateColumnNullability change) {
    return List.of(
        new SchemaChange.UpdateNullability(
            List.of(change.fieldNames()),
            change.nullable()
                ? SchemaChange.UpdateNullability.Nullability.NULLABLE
                : SchemaChange.UpdateNullability.Nullability.NOT_NULL));
  }

  private List<SchemaChange> updateComment(TableChange.UpdateColumnComment change) {
    return List.of(
        new SchemaChange.UpdateComment(List.of(change.fieldNames()), change.newComment()));
  }

  private List<SchemaChange> updatePosition(TableChange.UpdateColumnPosition change) {
    return List.of(
        new SchemaChange.MovePosition(List.of(change.fieldNames()), position(change.position())));
  }

  @SuppressWarnings("deprecation") // the text is what is kept in the schema
  private List<SchemaChange> updateDefault(TableChange.UpdateColumnDefaultValue change) {
    List<String> path = List.of(change.fieldNames());
    if (path.size() != 1) {
      throw refuse("the nested field " + String.join(".", path) + " cannot have a default.");
    }
    String sql = change.newDefaultValue();
    if (sql == null || sql.isEmpty()) {
      return List.of(new SchemaChange.UpdateDefault(path.get(0), null));
    }
    DataType type =
        schema
            .rowType()
            .field(path.get(0))
            .orElseThrow(() -> refuse("it has no column " + path.get(0) + "."))
            .type();
    org.apache.spark.sql.types.DataType sparkType = SparkTypes.toSpark(path.get(0), type);
    Expression value = ResolveDefaultColumns.analyze(path.get(0), sparkType, sql, CLAUSE);
    ColumnDefaultValue analyzed =
        new ColumnDefaultValue(sql, new LiteralValue<>(value.eval(null), sparkType));
    return List.of(
        new SchemaChange.UpdateDefault(path.get(0), defaultText(path, sparkType, analyzed)));
  }

  private List<SchemaChange> addConstraint(TableChange.AddConstraint change) {
    throw refuse(
        "the constraint "
            + change.constraint().name()
            + " cannot be added: a primary key is declared when the table is created, and other"
            + " constraints are not kept.");
  }

  private List<SchemaChange> dropConstraint(TableChange.DropConstraint change) {
    boolean isPrimaryKey =
        Arrays.stream(constraints)
            .anyMatch(
                constraint ->
                    constraint instanceof PrimaryKey
                        && constraint.name().equalsIgnoreCase(change.name()));
    if (isPrimaryKey) {
      return List.of(new SchemaChange.DropPrimaryKey());
    }
    if (change.ifExists()) {
      return List.of();
    }
    throw SparkErrors.noSuchConstraint(table, change.name());
  }

  private static DataType type(List<String> path, org.apache.spark.sql.types.DataType type) {
    return SparkTypes.toFormat(String.join(".", path), type);
  }

  private static @Nullable String defaultText(
      List<String> path, org.apache.spark.sql.types.DataType type, ColumnDefaultValue value) {
    return ColumnDefaults.toText(
        Column.builderFor(String.join(".", path), type).defaultValue(value).build());
  }

  private static ColumnPosition position(TableChange.@Nullable ColumnPosition position) {
    if (position == null) {
      return ColumnPosition.DEFAULT;
    }
    return position instanceof TableChange.After after
        ? ColumnPosition.after(after.column())
        : ColumnPosition.FIRST;
  }

  private KeylakeException refuse(String reason) {
    return SparkErrors.failure(
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE, "Cannot alter table " + table + ": " + reason);
  }
}
