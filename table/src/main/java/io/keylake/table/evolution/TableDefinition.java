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

import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.FieldIds;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.StorageKeys;
import io.keylake.table.options.engine.CountedColumns;
import io.keylake.table.options.support.WriteSupport;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table as a user defines it, before it has field ids.
 *
 * <ol>
 *   <li>The options {@code primary-key} and {@code partition} are moved into the key lists.
 *   <li>Key columns are found whatever their letter case, and take the spelling of the column.
 *   <li>Primary-key columns become NOT NULL.
 *   <li>A bucketed table without primary key and {@code bucket-key} gets all its scalar columns
 *       that are no partition columns as {@code bucket-key}, because the format needs one.
 *   <li>Fields are numbered as {@link FieldIds} says.
 * </ol>
 *
 * Rule source: table format, rules at table creation. Pinned by {@code TableDefinitionTest}.
 *
 * @param columns in order; their ids do not matter
 * @param partitionKeys partition columns in order, empty for none
 * @param primaryKeys primary-key columns in order, empty for an append table
 * @param options as the user gives them
 * @param comment null for none
 */
public record TableDefinition(
    List<DataField> columns,
    List<String> partitionKeys,
    List<String> primaryKeys,
    Map<String, String> options,
    @Nullable String comment) {
  /** Copies the collections. */
  public TableDefinition {
    columns = List.copyOf(columns);
    partitionKeys = List.copyOf(partitionKeys);
    primaryKeys = List.copyOf(primaryKeys);
    options = Map.copyOf(options);
  }

  /**
   * The first schema of a new table.
   *
   * @param table its name, for messages
   * @throws io.keylake.format.errors.InvalidRequestException when the definition breaks a rule
   * @throws io.keylake.format.errors.UnsupportedTableException when it asks for something that this
   *     version does not do
   */
  public TableSchema create(String table, Clock clock) {
    return toSchema(table, 0, FieldIds.fromZero(), clock);
  }

  /** The schema that follows {@code previous} when a table is replaced: all ids are fresh. */
  public TableSchema replace(TableSchema previous, String table, Clock clock) {
    return toSchema(table, previous.id() + 1, FieldIds.after(previous.highestFieldId()), clock);
  }

  private TableSchema toSchema(String table, long id, FieldIds ids, Clock clock) {
    DefinitionRules rules = new DefinitionRules(table);
    List<String> keys = keys(rules, primaryKeys, EngineKeys.PRIMARY_KEY);
    List<String> partitions = keys(rules, partitionKeys, EngineKeys.PARTITION);
    List<DataField> fields =
        ids.number(columns).stream()
            .map(
                field ->
                    keys.contains(field.name()) ? field.withType(field.type().asNotNull()) : field)
            .toList();
    TableSchema schema =
        new TableSchema(
            TableSchema.CURRENT_VERSION,
            id,
            fields,
            ids.highest(),
            partitions,
            keys,
            storedOptions(keys, partitions),
            comment,
            clock.millis(),
            UnknownKeys.NONE);
    rules.check(schema);
    rules.checkDefaults(fields, List.of());
    WriteSupport.checkDefinition(schema, table);
    return schema;
  }

  private List<String> keys(
      DefinitionRules rules, List<String> declared, OptionKey<List<String>> option) {
    List<String> inOption = spelled(option.find(options).orElse(List.of()));
    List<String> given = spelled(declared);
    if (!inOption.isEmpty() && !given.isEmpty() && !inOption.equals(given)) {
      throw rules.invalid(
          "the option "
              + option.name()
              + " says "
              + inOption
              + ", but the statement itself says "
              + given
              + ". Give one of them");
    }
    return given.isEmpty() ? inOption : given;
  }

  private List<String> spelled(List<String> names) {
    return names.stream().map(this::spelled).toList();
  }

  private String spelled(String name) {
    List<String> alike =
        columns.stream().map(DataField::name).filter(name::equalsIgnoreCase).toList();
    return alike.isEmpty() || alike.contains(name) ? name : alike.get(0);
  }

  private Map<String, String> storedOptions(List<String> keys, List<String> partitions) {
    Map<String, String> stored = CountedColumns.stored(options);
    stored.remove(EngineKeys.PRIMARY_KEY.name());
    stored.remove(EngineKeys.PARTITION.name());
    if (keys.isEmpty()
        && StorageKeys.BUCKET.read(stored) >= 1
        && !StorageKeys.BUCKET_KEY.isSet(stored)) {
      List<String> scalar = scalarColumns(partitions);
      if (!scalar.isEmpty()) {
        stored.put(StorageKeys.BUCKET_KEY.name(), String.join(",", scalar));
      }
    }
    return stored;
  }

  private List<String> scalarColumns(List<String> partitions) {
    return columns.stream()
        .filter(
            column ->
                !column.type().root().isNested()
                    && column.type().root() != TypeRoot.VARIANT
                    && column.type().root() != TypeRoot.BLOB
                    && !partitions.contains(column.name()))
        .map(DataField::name)
        .toList();
  }
}
