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
import io.keylake.table.options.OptionKey.Refusal;
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
          .refused(Refusal.WRITE)
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<MergeOptions.ChangelogProducer> CHANGELOG_PRODUCER =
      of(
              "changelog-producer",
              OptionType.oneOf(MergeOptions.ChangelogProducer.class),
              MergeOptions.ChangelogProducer.NONE,
              "Who writes changelog files.")
          .refused(Refusal.WRITE);
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
          .refused(Refusal.WRITE)
          .changes(Change.CONDITIONAL);
  public static final OptionKey<Boolean> IGNORE_UPDATE_BEFORE =
      of(
              "ignore-update-before",
              OptionType.BOOL,
              false,
              "Whether rows of kind -U are dropped when written.")
          .refused(Refusal.WRITE)
          .changes(Change.CONDITIONAL);
  public static final OptionKey<List<String>> SEQUENCE_FIELD =
      optional(
              "sequence.field",
              OptionType.LIST,
              "Columns that order the rows of one key, before the order of writing.")
          .refused(Refusal.WRITE);
  public static final OptionKey<MergeOptions.SortOrder> SEQUENCE_SORT_ORDER =
      of(
              "sequence.field.sort-order",
              OptionType.oneOf(MergeOptions.SortOrder.class),
              MergeOptions.SortOrder.ASCENDING,
              "Whether the row with the larger or the smaller sequence field wins.")
          .refused(Refusal.WRITE);
  public static final OptionKey<String> ROW_KIND_FIELD =
      optional(
              "rowkind.field",
              OptionType.TEXT,
              "Column that holds the change kind (+I, -U, +U, -D) of each written row.")
          .refused(Refusal.WRITE)
          .changes(Change.WHILE_EMPTY);
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
  public static final OptionKey<Boolean> ROW_TRACKING =
      of(
              "row-tracking.enabled",
              OptionType.BOOL,
              false,
              "Whether rows of an append table have ids.")
          .refused(Refusal.WRITE)
          .changes(Change.WHILE_EMPTY);

  public static final OptionKey<MemorySize> WRITE_BUFFER_SIZE =
      of(
              "write-buffer-size",
              OptionType.SIZE,
              MemorySize.ofMebiBytes(256),
              "Memory in which a task sorts rows before it spills them.")
          .within(size -> size.bytes() >= 1 << 20, "at least 1 mb");

  private EngineKeys() {}

  static List<OptionKey<?>> all() {
    return List.of(
        PRIMARY_KEY,
        PARTITION,
        MERGE_ENGINE,
        CHANGELOG_PRODUCER,
        IGNORE_DELETE,
        IGNORE_UPDATE_BEFORE,
        SEQUENCE_FIELD,
        SEQUENCE_SORT_ORDER,
        ROW_KIND_FIELD,
        DELETION_VECTORS,
        DELETION_VECTORS_MODIFIABLE,
        ROW_TRACKING,
        WRITE_BUFFER_SIZE);
  }
}
