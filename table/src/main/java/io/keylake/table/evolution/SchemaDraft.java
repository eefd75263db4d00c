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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.FieldIds;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.TypeText;
import io.keylake.table.evolution.SchemaChange.AddColumn;
import io.keylake.table.evolution.SchemaChange.UpdateNullability.Nullability;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.StorageKeys;
import io.keylake.table.options.engine.CountedColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A schema while changes are applied to it. Made and used by {@link SchemaEvolution} only; not safe
 * for use by several threads.
 *
 * <ol>
 *   <li>An added column is nullable once the table has a snapshot, and takes the next free id, its
 *       nested fields the ids after it.
 *   <li>Partition and primary-key columns are not dropped and keep their type; a partition column
 *       keeps its name, a primary-key column may be renamed. Columns that options name are not
 *       dropped, and renamed in the options, too.
 *   <li>A new type must be castable, see {@link TypeCasts}. A column of {@code bucket-key} keeps
 *       its type, because the bucket of a row is the hash of its bytes; a sequence column takes
 *       only types that keep the order.
 *   <li>NULL becomes NOT NULL only if {@code alter-column-null-to-not-null.disabled}=false; a
 *       primary-key column stays NOT NULL.
 *   <li>A column with a default is not added to a table with data whose engine computes rows.
 *   <li>The primary key is dropped only while the table has no snapshot.
 * </ol>
 *
 * Rule source: table format, evolution. Pinned by {@code SchemaEvolutionTest}.
 */
public final class SchemaDraft {
  private final TableSchema base;
  private final String table;
  private final SchemaEvolution.History history;
  private final FieldIds ids;
  private RowType columns;
  private List<String> primaryKeys;
  private Map<String, String> options;
  private final Map<String, String> requestedOptions;
  private @Nullable String comment;

  /** The last change that took the only field away: another one has to be added after it. */
  private @Nullable String emptying;

  SchemaDraft(TableSchema base, String table, SchemaEvolution.History history) {
    this.base = base;
    this.table = table;
    this.history = history;
    this.ids = FieldIds.after(base.highestFieldId());
    this.columns = base.rowType();
    this.primaryKeys = base.primaryKeys();
    this.options = new HashMap<>(base.options());
    this.requestedOptions = new HashMap<>(base.options());
    this.comment = base.comment();
  }

  /** The stored options with the changes that were asked for, but not those that follow. */
  Map<String, String> requestedOptions() {
    return requestedOptions;
  }

  /** The schema so far, as the successor of the one it was made of. */
  TableSchema toSchema(long timeMillis) {
    if (emptying != null && ColumnPath.hasEmptyRow(columns)) {
      throw refuse(emptying, "it is the only one. Drop what contains it instead");
    }
    return new TableSchema(
        TableSchema.CURRENT_VERSION,
        base.id() + 1,
        columns.fields(),
        ids.highest(),
        base.partitionKeys(),
        primaryKeys,
        options,
        comment,
        timeMillis,
        base.unknown());
  }

  void addColumn(AddColumn change) {
    String what = "add column " + text(change.path());
    ColumnPath path = path(change.path(), what);
    if (!change.type().nullable() && history == SchemaEvolution.History.HAS_SNAPSHOTS) {
      throw refuse(
          what,
          "rows written before would hold NULL in it, but it is NOT NULL. Add it without NOT NULL");
    }
    DataField field =
        ids.number(
            new DataField(0, path.name(), change.type(), change.comment(), change.defaultValue()));
    boolean topLevel = change.path().size() == 1;
    String defaultValue = change.defaultValue();
    if (defaultValue != null && !topLevel) {
      throw refuse(what, "a nested field cannot have a default. Leave the default out");
    }
    if (defaultValue != null && history == SchemaEvolution.History.HAS_SNAPSHOTS) {
      checkHasNoComputedRows(what);
      options.put(ExistsDefaults.optionFor(field.id()), defaultValue);
    }
    columns =
        path.replaceSiblings(
            columns,
            siblings -> {
              checkNew(what, siblings, field.name(), -1);
              return insert(what, siblings, field, placed(change.position(), topLevel));
            });
  }

  private void checkHasNoComputedRows(String what) {
    MergeOptions.Engine engine = EngineKeys.MERGE_ENGINE.read(options);
    if (!primaryKeys.isEmpty()
        && (engine == MergeOptions.Engine.AGGREGATION
            || engine == MergeOptions.Engine.PARTIAL_UPDATE)) {
      throw refuse(
          what,
          "its default would take part, as the value of every row written before, in what the merge"
              + " engine "
              + EngineKeys.MERGE_ENGINE.print(engine)
              + " computes. Leave the default out");
    }
  }

  private ColumnPosition placed(ColumnPosition position, boolean topLevel) {
    if (position.place() != ColumnPosition.Place.DEFAULT) {
      return position;
    }
    boolean beforePartition =
        topLevel
            && !base.partitionKeys().isEmpty()
            && StorageKeys.ADD_COLUMN_BEFORE_PARTITION.read(options);
    return beforePartition
        ? columns.names().stream()
            .filter(base.partitionKeys()::contains)
            .findFirst()
            .map(ColumnPosition::before)
            .orElse(ColumnPosition.LAST)
        : ColumnPosition.LAST;
  }

  private List<DataField> insert(
      String what, List<DataField> siblings, DataField field, ColumnPosition position) {
    List<DataField> fields = new ArrayList<>(siblings);
    switch (position.place()) {
      case FIRST -> fields.add(0, field);
      case LAST, DEFAULT -> fields.add(field);
      case AFTER -> fields.add(neighbour(what, fields, position) + 1, field);
      case BEFORE -> fields.add(neighbour(what, fields, position), field);
    }
    return fields;
  }

  private int neighbour(String what, List<DataField> fields, ColumnPosition position) {
    String reference = String.valueOf(position.reference());
    return required(what, fields, reference);
  }

  private int required(String what, List<DataField> fields, String name) {
    int position = ColumnPath.position(fields, name);
    if (position < 0) {
      throw notFound(what, name, fields.stream().map(DataField::name).toList());
    }
    return position;
  }

  private void checkNew(String what, List<DataField> siblings, String name, int except) {
    for (int i = 0; i < siblings.size(); i++) {
      if (i != except && siblings.get(i).name().equalsIgnoreCase(name)) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_COLUMN_ALREADY_EXISTS,
            "Cannot "
                + what
                + " in table "
                + table
                + ": "
                + name
                + " exists already as "
                + siblings.get(i).name()
                + ". Choose a name that differs in more than letter case.");
      }
    }
  }

  void dropColumn(List<String> columnPath) {
    String what = "drop column " + text(columnPath);
    boolean topLevel = columnPath.size() == 1;
    if (topLevel) {
      checkNoKey(what, columnPath.get(0));
      List<String> naming =
          OptionColumns.naming(options, columnPath.get(0)).stream()
              .map(CountedColumns::shownName)
              .distinct()
              .toList();
      if (!naming.isEmpty()) {
        throw refuse(
            what,
            "the table's options " + naming + " name it. Change or unset these options first");
      }
    }
    columns =
        path(columnPath, what)
            .replaceSiblings(
                columns,
                siblings -> {
                  List<DataField> fields = new ArrayList<>(siblings);
                  DataField dropped =
                      fields.remove(required(what, fields, columnPath.get(columnPath.size() - 1)));
                  if (fields.isEmpty()) {
                    emptying = what;
                  }
                  options.remove(ExistsDefaults.optionFor(dropped.id()));
                  return fields;
                });
  }

  private void checkNoKey(String what, String column) {
    if (base.partitionKeys().contains(column)) {
      throw refuse(what, "it is a partition column. Create a new table to partition otherwise");
    }
    if (primaryKeys.contains(column)) {
      throw refuse(what, "it belongs to the primary key. Create a new table with another key");
    }
  }

  void renameColumn(List<String> columnPath, String newName) {
    String what = "rename column " + text(columnPath) + " to " + newName;
    columns =
        path(columnPath, what)
            .replaceSiblings(
                columns,
                siblings -> {
                  List<DataField> fields = new ArrayList<>(siblings);
                  int position = required(what, fields, columnPath.get(columnPath.size() - 1));
                  checkNew(what, fields, newName, position);
                  if (fields.get(position).type().root() == TypeRoot.BLOB) {
                    throw refuse(what, "a BLOB column keeps its name");
                  }
                  fields.set(position, fields.get(position).withName(newName));
                  return fields;
                });
    if (columnPath.size() == 1) {
      String column = columnPath.get(0);
      if (base.partitionKeys().contains(column)) {
        throw refuse(what, "it is a partition column, whose name is part of every file's path");
      }
      primaryKeys = primaryKeys.stream().map(key -> key.equals(column) ? newName : key).toList();
      options = OptionColumns.rename(options, column, newName);
    }
  }

  void updateType(List<String> columnPath, DataType newType) {
    String what = "change the type of column " + text(columnPath);
    boolean topLevel = columnPath.size() == 1;
    if (topLevel) {
      checkNoKey(what, columnPath.get(0));
    }
    replaceType(
        columnPath,
        what,
        oldType -> {
          checkCast(what, oldType, newType);
          if (topLevel) {
            checkUses(what, columnPath.get(0), oldType, newType);
          }
          return oldType.nullable() ? newType.asNullable() : newType.asNotNull();
        });
  }

  private void checkCast(String what, DataType from, DataType to) {
    String types = " from " + TypeText.of(from) + " to " + TypeText.of(to);
    switch (TypeCasts.of(from, to)) {
      case IMPLICIT -> {
        // always allowed
      }
      case EXPLICIT -> {
        if (StorageKeys.DISABLE_EXPLICIT_CASTS.read(options)) {
          throw refuse(
              what + types,
              "it needs an explicit cast, which the option "
                  + StorageKeys.DISABLE_EXPLICIT_CASTS.name()
                  + " forbids. Unset that option");
        }
      }
      case IMPOSSIBLE ->
          throw refuse(
              what + types,
              from.root().isNested() && from.root() == to.root()
                  ? "change the parts of a nested type one by one, by their path"
                  : "values of the one type cannot become values of the other. Add a new column"
                      + " instead");
    }
  }

  private void checkUses(String what, String column, DataType from, DataType to) {
    if (from.asNullable().equals(to.asNullable())) {
      return;
    }
    if (StorageKeys.BUCKET_KEY.find(options).orElse(List.of()).contains(column)) {
      throw refuse(
          what,
          "it belongs to "
              + StorageKeys.BUCKET_KEY.name()
              + ": rows written before"
              + " would be looked for in other buckets. Create a new table");
    }
    if (OptionColumns.isSequenceColumn(options, column) && !TypeCasts.keepOrder(from, to)) {
      throw refuse(
          what + " from " + TypeText.of(from) + " to " + TypeText.of(to),
          "rows of one key are ordered by it, and the new type would change that order");
    }
  }

  void updateNullability(List<String> columnPath, Nullability nullability) {
    String what =
        switch (nullability) {
          case NULLABLE -> "allow NULL in column " + text(columnPath);
          case NOT_NULL -> "forbid NULL in column " + text(columnPath);
        };
    if (nullability == Nullability.NULLABLE
        && columnPath.size() == 1
        && primaryKeys.contains(columnPath.get(0))) {
      throw refuse(what, "it belongs to the primary key, whose columns are NOT NULL");
    }
    replaceType(
        columnPath,
        what,
        oldType -> {
          if (nullability == Nullability.NULLABLE) {
            return oldType.asNullable();
          }
          if (oldType.nullable() && StorageKeys.NULL_TO_NOT_NULL_DISABLED.read(options)) {
            throw refuse(
                what,
                "rows written before may hold NULL. If none does, set the option "
                    + StorageKeys.NULL_TO_NOT_NULL_DISABLED.name()
                    + "=false first");
          }
          return oldType.asNotNull();
        });
  }

  private void replaceType(List<String> columnPath, String what, UnaryOperator<DataType> edit) {
    columns = (RowType) path(columnPath, what).replaceType(columns, edit);
  }

  void updateComment(List<String> columnPath, @Nullable String newComment) {
    String what = "comment on column " + text(columnPath);
    replaceField(
        columnPath,
        what,
        field ->
            new DataField(
                field.id(), field.name(), field.type(), newComment, field.defaultValue()));
  }

  void updateDefault(String column, @Nullable String defaultValue) {
    String what = "change the default of column " + column;
    replaceField(
        List.of(column),
        what,
        field ->
            new DataField(
                field.id(), field.name(), field.type(), field.description(), defaultValue));
  }

  private void replaceField(List<String> columnPath, String what, UnaryOperator<DataField> edit) {
    columns =
        path(columnPath, what)
            .replaceSiblings(
                columns,
                siblings -> {
                  List<DataField> fields = new ArrayList<>(siblings);
                  int position = required(what, fields, columnPath.get(columnPath.size() - 1));
                  fields.set(position, edit.apply(fields.get(position)));
                  return fields;
                });
  }

  void moveColumn(List<String> columnPath, ColumnPosition position) {
    String what = "move column " + text(columnPath);
    columns =
        path(columnPath, what)
            .replaceSiblings(
                columns,
                siblings -> {
                  List<DataField> fields = new ArrayList<>(siblings);
                  String name = columnPath.get(columnPath.size() - 1);
                  DataField moved = fields.remove(required(what, fields, name));
                  if (moved.name().equals(position.reference())) {
                    throw refuse(what, "it cannot be moved beside itself. Name another column");
                  }
                  return insert(what, fields, moved, position);
                });
  }

  void setOption(String key, String value) {
    CountedColumns.put(options, key, value);
    CountedColumns.put(requestedOptions, key, value);
  }

  void removeOption(String key) {
    CountedColumns.remove(options, key);
    CountedColumns.remove(requestedOptions, key);
  }

  void setComment(@Nullable String newComment) {
    comment = newComment;
  }

  void dropPrimaryKey() {
    String what = "drop the primary key";
    if (history == SchemaEvolution.History.HAS_SNAPSHOTS) {
      throw refuse(what, "the table has data, which is sorted by it. Create a new table");
    }
    if (StorageKeys.BUCKET.read(options) >= 1 && !StorageKeys.BUCKET_KEY.isSet(options)) {
      List<String> bucketKey =
          primaryKeys.stream().filter(key -> !base.partitionKeys().contains(key)).toList();
      options.put(StorageKeys.BUCKET_KEY.name(), String.join(",", bucketKey));
    }
    primaryKeys = List.of();
  }

  private ColumnPath path(List<String> columnPath, String what) {
    return new ColumnPath(
        columnPath,
        (missing, in) ->
            in instanceof RowType row
                ? notFound(what, missing, row.names())
                : refuse(
                    what,
                    "'" + missing + "' does not lead into a value of type " + TypeText.of(in)));
  }

  private static String text(List<String> columnPath) {
    return String.join(".", columnPath);
  }

  private InvalidRequestException notFound(String what, String missing, List<String> existing) {
    return new InvalidRequestException(
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "Cannot "
            + what
            + " of table "
            + table
            + ": "
            + missing
            + " does not exist. There are "
            + existing
            + ".");
  }

  private InvalidRequestException refuse(String what, String why) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_SCHEMA_CHANGE,
        "Cannot " + what + " of table " + table + ": " + why + ".");
  }
}
