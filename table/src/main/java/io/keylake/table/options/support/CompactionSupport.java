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
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.CompactionOptions;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.NamedColumns;
import java.util.Set;

/**
 * Options of compaction and of deletion vectors that contradict each other or the table's columns.
 *
 * <ol>
 *   <li>{@code record-level.expire-time} needs a primary key and {@code record-level.time-field},
 *       which names a column of a time.
 *   <li>Deletion vectors go neither with engine first-row nor with changelog producer
 *       full-compaction.
 * </ol>
 *
 * <p>Rule source: table behaviour, first-row, restrictions of changelog producers, and executing a
 * compaction; pinned by {@code CompactionOptionsTest}.
 */
final class CompactionSupport {
  private static final Set<TypeRoot> TIMES =
      Set.of(TypeRoot.INT, TypeRoot.BIGINT, TypeRoot.TIMESTAMP, TypeRoot.TIMESTAMP_LTZ);

  private CompactionSupport() {}

  static void checkDefinition(TableSchema schema, String table) {
    TableOptions options = TableOptions.of(schema);
    checkExpiry(schema, options.compaction().expiry(), table);
    options.vectors();
    MergeOptions merge = options.merge();
    if (!schema.hasPrimaryKey() || !merge.deletionVectors()) {
      return;
    }
    if (merge.engine() == MergeOptions.Engine.FIRST_ROW) {
      throw vectorsDoNotGoWith(
          EngineKeys.MERGE_ENGINE.name(), EngineKeys.MERGE_ENGINE.print(merge.engine()), table);
    }
    if (merge.changelogProducer() == MergeOptions.ChangelogProducer.FULL_COMPACTION) {
      throw vectorsDoNotGoWith(
          EngineKeys.CHANGELOG_PRODUCER.name(),
          EngineKeys.CHANGELOG_PRODUCER.print(merge.changelogProducer()),
          table);
    }
  }

  private static void checkExpiry(
      TableSchema schema, CompactionOptions.Expiry expiry, String table) {
    String field = expiry.timeField();
    if (field != null) {
      checkTime(NamedColumns.find(schema, table, CompactionKeys.TIME_FIELD.name(), field), table);
    }
    if (expiry.time() == null) {
      return;
    }
    String option = "Option '" + CompactionKeys.EXPIRE_TIME.name() + "' of table " + table;
    if (!schema.hasPrimaryKey()) {
      throw invalid(
          option
              + " needs a primary key: rows of append tables do not expire. Remove the option, or"
              + " partition the table by time and drop old partitions.");
    }
    if (field == null) {
      throw invalid(
          option
              + " needs '"
              + CompactionKeys.TIME_FIELD.name()
              + "', the column that holds the time of a row. Set it, or remove the option.");
    }
  }

  private static void checkTime(DataField column, String table) {
    if (!TIMES.contains(column.type().root())) {
      throw invalid(
          "Option '"
              + CompactionKeys.TIME_FIELD.name()
              + "' of table "
              + table
              + " names the column '"
              + column.name()
              + "' of type "
              + column.type().root()
              + ". Use a column of type INT, BIGINT, TIMESTAMP_NTZ or TIMESTAMP.");
    }
  }

  private static InvalidRequestException vectorsDoNotGoWith(
      String option, String value, String table) {
    return invalid(
        "Table "
            + table
            + " sets '"
            + EngineKeys.DELETION_VECTORS.name()
            + "' = 'true', which does not go with '"
            + option
            + "' = '"
            + value
            + "'. Remove one of them.");
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
