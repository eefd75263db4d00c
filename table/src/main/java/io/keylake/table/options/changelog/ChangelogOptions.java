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

package io.keylake.table.options.changelog;

import io.keylake.table.options.DataFileOptions;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.StatsOptions;
import io.keylake.table.options.StorageKeys;
import io.keylake.table.options.TableOptions;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the changelog of a primary-key table is written.
 *
 * @param producer who writes it; not {@link ChangelogProducer#NONE}
 * @param files what changelog files are like
 * @param stats which statistics of changelog files manifests hold
 * @param duplicates what compactions write of rows that have not changed
 * @param ignoredColumns columns that do not count when rows are compared
 */
public record ChangelogOptions(
    ChangelogProducer producer,
    DataFileOptions files,
    StatsOptions stats,
    Duplicates duplicates,
    List<String> ignoredColumns)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What compactions write of a row that was written again and has not changed. */
  public enum Duplicates {
    /** A -U and a +U. */
    WRITTEN,
    /** Nothing. */
    LEFT_OUT
  }

  /** Copies the list. */
  public ChangelogOptions {
    ignoredColumns = List.copyOf(ignoredColumns);
  }

  /** The options of a table; empty when it has no changelog. */
  public static Optional<ChangelogOptions> of(TableOptions options) {
    Map<String, String> values = options.asMap();
    ChangelogProducer producer = options.merge().changelogProducer();
    return producer == ChangelogProducer.NONE
        ? Optional.empty()
        : Optional.of(
            new ChangelogOptions(
                producer,
                options
                    .dataFile()
                    .ofChangelog(
                        StorageKeys.CHANGELOG_FILE_FORMAT.find(values).orElse(null),
                        StorageKeys.CHANGELOG_FILE_COMPRESSION.find(values).orElse(null)),
                options
                    .stats()
                    .ofChangelog(StorageKeys.CHANGELOG_STATS_MODE.find(values).orElse(null)),
                EngineKeys.CHANGELOG_DEDUPLICATE.read(values)
                    ? Duplicates.LEFT_OUT
                    : Duplicates.WRITTEN,
                EngineKeys.CHANGELOG_IGNORED_COLUMNS.read(values)));
  }

  /**
   * The lowest level whose rows a compaction into {@code outputLevel} takes for old: what is below
   * has not been told of yet. 0 = the compaction writes no changelog.
   *
   * @param topLevel the top level of the table
   */
  public int oldLevel(int outputLevel, int topLevel) {
    return switch (producer) {
      case NONE, INPUT -> 0;
      case LOOKUP -> 1;
      case FULL_COMPACTION -> outputLevel >= topLevel ? outputLevel : 0;
    };
  }
}
