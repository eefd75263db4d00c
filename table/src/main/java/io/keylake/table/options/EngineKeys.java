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

package io.keylake.table.options;

import static io.keylake.table.options.OptionKey.of;
import static io.keylake.table.options.OptionKey.optional;

import io.keylake.table.options.OptionKey.Change;
import java.util.List;

/** How rows of one key combine, and the writer's sort buffer. */
public final class EngineKeys {
  public static final OptionKey<List<String>> PRIMARY_KEY =
      optional(
              "primary-key",
              OptionType.LIST,
              "Columns of the primary key; moved into the schema when the table is created.")
          .changes(Change.AT_CREATION);
  public static final OptionKey<List<String>> PARTITION =
      optional(
              "partition",
              OptionType.LIST,
              "Partition columns; moved into the schema when the table is created.")
          .changes(Change.AT_CREATION);
  public static final OptionKey<MergeOptions.Engine> MERGE_ENGINE =
      of(
              "merge-engine",
              OptionType.oneOf(MergeOptions.Engine.class),
              MergeOptions.Engine.DEDUPLICATE,
              "How rows of equal primary key combine.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<MergeOptions.ChangelogProducer> CHANGELOG_PRODUCER =
      of(
              "changelog-producer",
              OptionType.oneOf(MergeOptions.ChangelogProducer.class),
              MergeOptions.ChangelogProducer.NONE,
              "Who writes changelog files: input = writers, the rows as they come; lookup = the"
                  + " compaction of level 0 that follows each write; full-compaction = full"
                  + " compactions.")
          .changes(Change.TABLE);
  public static final OptionKey<Boolean> CHANGELOG_DEDUPLICATE =
      of(
          "changelog-producer.row-deduplicate",
          OptionType.BOOL,
          false,
          "Whether lookup and full-compaction leave out the -U and +U of a row that has not"
              + " changed.");
  public static final OptionKey<List<String>> CHANGELOG_IGNORED_COLUMNS =
      of(
          "changelog-producer.row-deduplicate-ignore-fields",
          OptionType.LIST,
          List.of(),
          "Columns that changelog-producer.row-deduplicate does not compare.");
  public static final OptionKey<Boolean> DELETE_FORCES_CHANGELOG =
      of(
          "delete.force-produce-changelog",
          OptionType.BOOL,
          false,
          "Whether DELETE writes a delete of each row where it could drop whole files, so that the"
              + " changelog has them. Primary-key tables.");
  public static final OptionKey<Boolean> IGNORE_DELETE =
      of(
              "ignore-delete",
              OptionType.BOOL,
              false,
              "Whether rows of kind -U and -D are dropped when written.")
          .fallback(
              "first-row.ignore-delete",
              "deduplicate.ignore-delete",
              "partial-update.ignore-delete")
          .changes(Change.CONDITIONAL);
  public static final OptionKey<Boolean> IGNORE_UPDATE_BEFORE =
      of(
              "ignore-update-before",
              OptionType.BOOL,
              false,
              "Whether rows of kind -U are dropped when written.")
          .changes(Change.CONDITIONAL);
  public static final OptionKey<List<String>> SEQUENCE_FIELD =
      optional(
              "sequence.field",
              OptionType.LIST,
              "Columns that order the rows of one key, before the order of writing.")
          .changes(Change.TABLE);
  public static final OptionKey<MergeOptions.SortOrder> SEQUENCE_SORT_ORDER =
      of(
              "sequence.field.sort-order",
              OptionType.oneOf(MergeOptions.SortOrder.class),
              MergeOptions.SortOrder.ASCENDING,
              "Whether the row with the larger or the smaller sequence field wins.")
          .changes(Change.TABLE);
  static final OptionKey<List<String>> SEQUENCE_PADDING =
      optional(
              "sequence.auto-padding",
              OptionType.LIST,
              "Rows whose sequence fields are equal: the -U of a pair comes before its +U. This"
                  + " holds without the option, too: of rows with equal sequence fields the one"
                  + " written later is the newer one.")
          .within(List.of("row-kind-flag")::containsAll, "row-kind-flag only")
          .changes(Change.TABLE);
  public static final OptionKey<String> ROW_KIND_FIELD =
      optional(
              "rowkind.field",
              OptionType.TEXT,
              "Column that holds the change kind (+I, -U, +U, -D) of each written row.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<String> ROW_KIND_COLUMN =
      optional(
          "row-kind-column",
          OptionType.TEXT,
          "For one write: column that holds the change kind (+I, -U, +U, -D) of each row; it is"
              + " stored, too. For all writes of a table set rowkind.field.");
  public static final OptionKey<Boolean> DELETION_VECTORS =
      of(
              "deletion-vectors.enabled",
              OptionType.BOOL,
              false,
              "Whether deleted rows are marked in deletion vectors.")
          .changes(Change.CONDITIONAL);
  public static final OptionKey<Boolean> DELETION_VECTORS_MODIFIABLE =
      of(
          "deletion-vectors.modifiable",
          OptionType.BOOL,
          false,
          "Whether deletion-vectors.enabled may change once there is data.");
  public static final OptionKey<Boolean> FORCE_LOOKUP =
      of(
              "force-lookup",
              OptionType.BOOL,
              false,
              "Whether compactions look keys up as with changelog-producer = lookup, without"
                  + " writing a changelog.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<Boolean> ROW_TRACKING =
      of(
              "row-tracking.enabled",
              OptionType.BOOL,
              false,
              "Whether rows of an append table without buckets have ids.")
          .changes(Change.WHILE_EMPTY);

  public static final OptionKey<Boolean> PARTIAL_COLUMNS =
      of(
          "upsert.partial-column.enable",
          OptionType.BOOL,
          false,
          "Whether a written row updates only its columns that are not NULL.");
  public static final OptionKey<List<String>> PARTIAL_COLUMN_NAMES =
      optional(
          "upsert.partial-column.name",
          OptionType.LIST,
          "Columns that written rows set, NULL included; all others keep their values.");
  public static final OptionKey<Boolean> PARTIAL_COLUMNS_ACCEPTED =
      of(
          "acid.partial.fields.update.enable",
          OptionType.BOOL,
          false,
          "Whether a deduplicate table may be written by some columns; false rules it out.");

  public static final OptionKey<MemorySize> WRITE_BUFFER_SIZE =
      of(
              "write-buffer-size",
              OptionType.SIZE,
              MemorySize.ofMebiBytes(256),
              "Memory in which a task sorts rows before it spills them.")
          .within(size -> size.bytes() >= 1 << 20, "at least 1 mb");

  public static final OptionKey<String> AGGREGATE_FUNCTION =
      optional(
              "fields.<c>.aggregate-function",
              OptionType.TEXT,
              "How the values of a column combine: engine aggregation, and columns of a sequence"
                  + " group with engine partial-update; other engines ignore it. The function count"
                  + " is stored as sum.")
          .changes(Change.TABLE);
  public static final OptionKey<String> DEFAULT_FUNCTION =
      optional(
              "fields.default-aggregate-function",
              OptionType.TEXT,
              "The function of columns without one of their own, see"
                  + " fields.<c>.aggregate-function.")
          .changes(Change.TABLE);

  /** Set beside a sum whose written values are counted. */
  public static final OptionKey<Boolean> COUNTS =
      of(
              "fields.<c>.keylake-count",
              OptionType.BOOL,
              false,
              "Whether the sum of a column counts the values that are written; set by the function"
                  + " count.")
          .changes(Change.WHILE_EMPTY);

  public static final OptionKey<Boolean> IGNORE_RETRACT =
      of(
              "fields.<c>.ignore-retract",
              OptionType.BOOL,
              false,
              "Whether rows of kind -U and -D leave an aggregated column as it is.")
          .changes(Change.TABLE);
  public static final OptionKey<String> LIST_DELIMITER =
      of(
              "fields.<c>.list-agg-delimiter",
              OptionType.TEXT,
              ",",
              "What the function listagg puts between two texts.")
          .changes(Change.TABLE);
  public static final OptionKey<Boolean> DISTINCT =
      of(
              "fields.<c>.distinct",
              OptionType.BOOL,
              false,
              "Whether the functions listagg and collect keep equal values once.")
          .changes(Change.TABLE);
  public static final OptionKey<List<String>> NESTED_KEY =
      optional(
              "fields.<c>.nested-key",
              OptionType.LIST,
              "Fields of the rows in an array that are their key, for the functions nested_update"
                  + " and nested_partial_update.")
          .changes(Change.TABLE);
  public static final OptionKey<Integer> COUNT_LIMIT =
      of(
              "fields.<c>.count-limit",
              OptionType.INT,
              Integer.MAX_VALUE,
              "Most rows that the function nested_update keeps in an array.")
          .within(n -> n >= 1, "at least 1")
          .changes(Change.TABLE);
  public static final OptionKey<String> TIME_FIELD =
      optional(
              "fields.<c>.ts-field",
              OptionType.TEXT,
              "Field that holds the time of an entry, for the function merge_map_with_keytime; the"
                  + " last field when not set.")
          .changes(Change.TABLE);
  public static final OptionKey<List<String>> SEQUENCE_GROUP =
      optional(
              "fields.<c1,c2>.sequence-group",
              OptionType.LIST,
              "Engine partial-update: the columns that the columns in the key order; other engines"
                  + " ignore it.")
          .changes(Change.TABLE);
  public static final OptionKey<Boolean> PARTIAL_REMOVE_ON_DELETE =
      of(
              "partial-update.remove-record-on-delete",
              OptionType.BOOL,
              false,
              "Engine partial-update: whether a row of kind -D removes the key.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<List<String>> PARTIAL_REMOVE_ON_GROUP =
      optional(
              "partial-update.remove-record-on-sequence-group",
              OptionType.LIST,
              "Engine partial-update: columns that order sequence groups; a row of kind -D that is"
                  + " the latest in such a group removes the key.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<Boolean> AGGREGATION_REMOVE_ON_DELETE =
      of(
              "aggregation.remove-record-on-delete",
              OptionType.BOOL,
              false,
              "Engine aggregation: whether a row of kind -D removes the key; else it is taken"
                  + " back.")
          .changes(Change.WHILE_EMPTY);

  private EngineKeys() {}

  static List<OptionKey<?>> all() {
    return List.of(
        PRIMARY_KEY,
        PARTITION,
        MERGE_ENGINE,
        CHANGELOG_PRODUCER,
        CHANGELOG_DEDUPLICATE,
        CHANGELOG_IGNORED_COLUMNS,
        DELETE_FORCES_CHANGELOG,
        IGNORE_DELETE,
        IGNORE_UPDATE_BEFORE,
        SEQUENCE_FIELD,
        SEQUENCE_SORT_ORDER,
        SEQUENCE_PADDING,
        ROW_KIND_FIELD,
        ROW_KIND_COLUMN,
        DELETION_VECTORS,
        DELETION_VECTORS_MODIFIABLE,
        FORCE_LOOKUP,
        ROW_TRACKING,
        PARTIAL_COLUMNS,
        PARTIAL_COLUMN_NAMES,
        PARTIAL_COLUMNS_ACCEPTED,
        WRITE_BUFFER_SIZE,
        AGGREGATE_FUNCTION,
        DEFAULT_FUNCTION,
        COUNTS,
        IGNORE_RETRACT,
        LIST_DELIMITER,
        DISTINCT,
        NESTED_KEY,
        COUNT_LIMIT,
        TIME_FIELD,
        SEQUENCE_GROUP,
        PARTIAL_REMOVE_ON_DELETE,
        PARTIAL_REMOVE_ON_GROUP,
        AGGREGATION_REMOVE_ON_DELETE);
  }
}
