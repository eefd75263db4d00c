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
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.KnownOptions;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.changelog.ChangelogOptions;
import io.keylake.table.options.engine.NamedColumns;
import java.util.Map;
import java.util.Optional;

/**
 * Options of the changelog that contradict each other or the table.
 *
 * <ol>
 *   <li>A producer needs a primary key.
 *   <li>{@code streaming-read-overwrite} does not go with producers lookup and full-compaction,
 *       whose readers know rows from a level on.
 *   <li>{@code changelog-producer.row-deduplicate-ignore-fields} names columns of the table.
 *   <li>{@code changelog-file.*} have values.
 * </ol>
 *
 * <p>What engines and deletion vectors do not go with is said beside them ({@link
 * io.keylake.table.options.engine.EngineDefinition}, {@link CompactionSupport}).
 *
 * <p>Rule source: table behaviour, restrictions of changelog producers; pinned by {@code
 * ChangelogOptionsTest}.
 */
final class ChangelogSupport {
  private static final String STREAMING_READ_OVERWRITE = "streaming-read-overwrite";

  private ChangelogSupport() {}

  static void checkDefinition(TableSchema schema, String table) {
    TableOptions options = TableOptions.of(schema);
    ChangelogProducer producer = options.merge().changelogProducer();
    String producerText =
        "'"
            + EngineKeys.CHANGELOG_PRODUCER.name()
            + "' = '"
            + EngineKeys.CHANGELOG_PRODUCER.print(producer)
            + "'";
    if (producer != ChangelogProducer.NONE && !schema.hasPrimaryKey()) {
      throw invalid(
          "Table "
              + table
              + " sets "
              + producerText
              + ", which needs a primary key: the changes of other tables are the rows that are"
              + " added. Remove the option, or declare a primary key.");
    }
    boolean knowsLevels =
        producer == ChangelogProducer.LOOKUP || producer == ChangelogProducer.FULL_COMPACTION;
    if (knowsLevels && readsOverwrites(schema.options())) {
      throw invalid(
          "Table "
              + table
              + " sets "
              + producerText
              + ", which does not go with '"
              + STREAMING_READ_OVERWRITE
              + "' = 'true'. Remove one of them.");
    }
    ChangelogOptions.of(options);
    for (String column : EngineKeys.CHANGELOG_IGNORED_COLUMNS.read(schema.options())) {
      NamedColumns.find(schema, table, EngineKeys.CHANGELOG_IGNORED_COLUMNS.name(), column);
    }
  }

  private static boolean readsOverwrites(Map<String, String> options) {
    Optional<OptionKey<?>> key = KnownOptions.find(STREAMING_READ_OVERWRITE);
    return key.flatMap(known -> known.find(options)).filter(Boolean.TRUE::equals).isPresent();
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
