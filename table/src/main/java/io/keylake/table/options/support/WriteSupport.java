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

package io.keylake.table.options.support;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.KnownOptions;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.StorageKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineDefinition;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.NamedColumns;
import io.keylake.table.options.engine.PartialColumns;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether this version may create, alter and write a table with its options. An option whose
 * meaning would not be carried out is refused by name instead of ignored, for tables of others,
 * too.
 */
public final class WriteSupport {
  private static final String FIELDS_PREFIX = "fields.";

  /** The only option of this prefix that names several columns in its key. */
  private static final String GROUP_SUFFIX = ".sequence-group";

  private WriteSupport() {}

  /**
   * Checks a definition that a statement creates or alters: values, the columns that options name,
   * and everything of {@link #check}.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION or KEYLAKE_COLUMN_NOT_FOUND
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_OPTION
   */
  public static void checkDefinition(TableSchema schema, String table) {
    checkValues(schema);
    checkColumns(schema, table);
    checkBuckets(schema, table);
    EngineDefinition.check(schema, table);
    CompactionSupport.checkDefinition(schema, table);
    ChangelogSupport.checkDefinition(schema, table);
    PartialColumns.of(schema, TableOptions.of(schema), table);
    check(schema, table);
  }

  /**
   * Checks that rows may be written into the table.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_OPTION with the option and what to do
   * @throws InvalidRequestException as {@link EngineRules#of} says
   */
  public static void check(TableSchema schema, String table) {
    ReadSupport.checkFeatures(schema, table);
    for (Map.Entry<String, String> option : new TreeMap<>(schema.options()).entrySet()) {
      Optional<OptionKey<?>> key = KnownOptions.find(option.getKey());
      if (key.isPresent() && !key.get().supports(option.getValue())) {
        throw refuse(schema, table, option, supported(key.get()));
      }
    }
    checkBucketMode(schema, table);
    checkBucketFunction(schema, table);
    checkRowTracking(schema, table);
    if (schema.hasPrimaryKey()) {
      EngineRules.of(schema, table);
    }
  }

  /** Rule source: observed behaviour of the reference implementation, 1.4.2. */
  private static void checkRowTracking(TableSchema schema, String table) {
    boolean isTracked = EngineKeys.ROW_TRACKING.read(schema.options());
    if (isTracked && (schema.hasPrimaryKey() || StorageKeys.BUCKET.read(schema.options()) != -1)) {
      throw unsupported(
          "Option '"
              + EngineKeys.ROW_TRACKING.name()
              + "' = 'true' of table "
              + table
              + " needs a table without a primary key and without buckets ('bucket' = '-1'). Remove"
              + " the option, or the "
              + (schema.hasPrimaryKey() ? "primary key." : "buckets."));
    }
  }

  private static void checkBucketMode(TableSchema schema, String table) {
    boolean isDynamic = StorageKeys.BUCKET.read(schema.options()) == -1;
    if (schema.hasPrimaryKey()
        && isDynamic
        && !schema.primaryKeys().containsAll(schema.partitionKeys())) {
      checkMovingKeys(schema, table);
    }
  }

  /**
   * Where keys move between partitions no option may keep a row from being moved.
   *
   * <p>Rule source: table format, cross-partition upsert, for sequence fields; rows of kind -D that
   * are passed over would leave the key where it was.
   */
  private static void checkMovingKeys(TableSchema schema, String table) {
    MergeOptions merge = TableOptions.of(schema).merge();
    String option = null;
    if (!merge.sequenceFields().isEmpty()) {
      option = EngineKeys.SEQUENCE_FIELD.name();
    } else if (merge.engine() == MergeOptions.Engine.DEDUPLICATE && merge.ignoreDelete()) {
      option = EngineKeys.IGNORE_DELETE.name();
    }
    if (option != null) {
      throw invalid(
          "Option '"
              + option
              + "' of table "
              + table
              + " does not go with its primary key "
              + schema.primaryKeys()
              + ", which does not hold all partition columns "
              + schema.partitionKeys()
              + ": a key moves to the partition of its newest row. Remove the option, add the"
              + " partition columns to the primary key, or set 'bucket' to a number of at least 1:"
              + " keys are then unique in each partition.");
    }
  }

  private static void checkValues(TableSchema schema) {
    schema.options().forEach(WriteSupport::checkValue);
    TableOptions options = TableOptions.of(schema);
    options.dataFile();
    options.stats();
    options.fileIndex();
    options.retention();
    options.compaction();
  }

  private static void checkValue(String name, String text) {
    KnownOptions.find(name).ifPresent(key -> key.parse(text));
  }

  private static void checkColumns(TableSchema schema, String table) {
    for (String name : new TreeMap<>(schema.options()).keySet()) {
      boolean isOfColumns =
          name.startsWith(FIELDS_PREFIX) && !name.equals(EngineKeys.DEFAULT_FUNCTION.name());
      if (isOfColumns) {
        checkColumnsOf(name, schema, table);
      }
    }
  }

  /**
   * Rule source: observed behaviour of the reference implementation, 1.4.2, which takes what is
   * between the first two dots for columns joined by commas, and does not open a table whose
   * options name others.
   */
  private static void checkColumnsOf(String option, TableSchema schema, String table) {
    int end = option.lastIndexOf('.');
    String columns =
        option.substring(FIELDS_PREFIX.length(), Math.max(end, FIELDS_PREFIX.length()));
    if (columns.isEmpty()) {
      throw invalid(
          "Option '"
              + option
              + "' of table "
              + table
              + " names no column. Write 'fields.<column>."
              + option.substring(end + 1)
              + "'.");
    }
    boolean isList = option.endsWith(GROUP_SUFFIX);
    for (String column : isList ? List.of(columns.split(",", -1)) : List.of(columns)) {
      if (!column.equals(column.strip())) {
        throw invalid(
            "Option '"
                + option
                + "' of table "
                + table
                + " has a blank beside a column's name."
                + " Remove it.");
      }
      NamedColumns.find(schema, table, option, column);
      if (column.contains(".") || column.contains(",")) {
        throw invalid(
            "Option '"
                + option
                + "' of table "
                + table
                + " names the column '"
                + column
                + "', whose dot or comma other engines take for the end of the name: they would not"
                + " open the table. Rename the column, or leave the option out.");
      }
    }
  }

  /** Rule source: table format, rules at table creation (bucket and bucket-key). */
  private static void checkBuckets(TableSchema schema, String table) {
    BucketOptions buckets = TableOptions.of(schema).bucket();
    String option = StorageKeys.BUCKET_KEY.name();
    boolean keyGiven = StorageKeys.BUCKET_KEY.isSet(schema.options());
    if (keyGiven && buckets.count() == -1) {
      throw invalid(
          "Table "
              + table
              + " sets '"
              + option
              + "' but not 'bucket'. Set 'bucket' to a number of"
              + " at least 1, or remove '"
              + option
              + "'.");
    }
    if (!schema.hasPrimaryKey() && buckets.count() == -2) {
      throw invalid(
          "Table "
              + table
              + " has 'bucket' = '-2', which needs a primary key. Use 'bucket' ="
              + " '-1', or a number of at least 1 with '"
              + option
              + "'.");
    }
    if (!schema.hasPrimaryKey() && buckets.count() >= 1 && buckets.keys().isEmpty()) {
      throw invalid(
          "Table "
              + table
              + " has 'bucket' = '"
              + buckets.count()
              + "' without a primary key:"
              + " name the columns to hash in '"
              + option
              + "'.");
    }
    if (!keyGiven) {
      return;
    }
    if (new HashSet<>(buckets.keys()).size() != buckets.keys().size()) {
      throw invalid(
          "Option '"
              + option
              + "' of table "
              + table
              + " names a column twice: "
              + buckets.keys()
              + ". Name each column once.");
    }
    for (String name : buckets.keys()) {
      checkBucketColumn(schema, table, NamedColumns.find(schema, table, option, name));
    }
  }

  private static void checkBucketColumn(TableSchema schema, String table, DataField column) {
    String where = "Option '" + StorageKeys.BUCKET_KEY.name() + "' of table " + table;
    String name = column.name();
    if (schema.partitionKeys().contains(name)) {
      throw invalid(
          where
              + " names the partition column '"
              + name
              + "'. Remove it: every partition"
              + " has its own buckets.");
    }
    if (schema.hasPrimaryKey() && !schema.primaryKeys().contains(name)) {
      throw invalid(
          where
              + " names the column '"
              + name
              + "', which is not in the primary key "
              + schema.primaryKeys()
              + ". Use key columns only.");
    }
    if (column.type().root().isNested() || column.type().root() == TypeRoot.VARIANT) {
      throw invalid(
          where
              + " names the column '"
              + name
              + "' of type "
              + column.type().root()
              + ". Use columns of scalar type.");
    }
  }

  /** The reference implementation takes any key when a table is made, and then writes none. */
  private static void checkBucketFunction(TableSchema schema, String table) {
    BucketOptions buckets = TableOptions.of(schema).bucket();
    if (buckets.count() == -1 || buckets.keys().isEmpty()) {
      return;
    }
    List<TypeRoot> types =
        schema.rowType().project(buckets.keys()).fields().stream()
            .map(field -> field.type().root())
            .toList();
    boolean fits =
        switch (buckets.function()) {
          case DEFAULT -> true;
          case MOD -> types.equals(List.of(TypeRoot.INT)) || types.equals(List.of(TypeRoot.BIGINT));
          case HIVE ->
              !types.contains(TypeRoot.TIMESTAMP) && !types.contains(TypeRoot.TIMESTAMP_LTZ);
        };
    if (!fits) {
      String function = StorageKeys.BUCKET_FUNCTION.print(buckets.function());
      throw invalid(
          "Option '"
              + StorageKeys.BUCKET_FUNCTION.name()
              + "' = '"
              + function
              + "' of table "
              + table
              + (buckets.function() == BucketOptions.Function.MOD
                  ? " needs exactly one INT or BIGINT column to compute the bucket of, not "
                  : " cannot compute the bucket of a TIMESTAMP, which is one of ")
              + buckets.keys()
              + ". Name other columns in '"
              + StorageKeys.BUCKET_KEY.name()
              + "', or use another function.");
    }
  }

  private static String supported(OptionKey<?> key) {
    List<String> values = key.supportedTexts();
    if (!values.isEmpty()) {
      return "Supported: " + String.join(", ", values) + ".";
    }
    return key.defaultText()
        .map(text -> "Leave it at '" + text + "'")
        .orElse("Leave it out")
        .concat(", or use an engine that supports it.");
  }

  private static UnsupportedTableException refuse(
      TableSchema schema, String table, Map.Entry<String, String> option, String advice) {
    String kind = schema.hasPrimaryKey() ? "primary-key table " : "table ";
    return unsupported(
        "Option '"
            + option.getKey()
            + "' = '"
            + option.getValue()
            + "' of the "
            + kind
            + table
            + " is not supported by this version for creating or writing. "
            + advice);
  }

  private static UnsupportedTableException unsupported(String message) {
    return new UnsupportedTableException(Condition.KEYLAKE_UNSUPPORTED_OPTION, message);
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
