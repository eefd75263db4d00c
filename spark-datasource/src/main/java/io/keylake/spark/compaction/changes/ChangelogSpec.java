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

package io.keylake.spark.compaction.changes;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.changelog.ChangelogOptions;
import java.io.Serializable;
import java.util.Optional;

/**
 * What the compactions of a table have to know of its changelog; travels to executors.
 *
 * @param schema the table's schema
 * @param options how the changelog is written
 * @param topLevel the top level of the table
 */
public record ChangelogSpec(TableSchema schema, ChangelogOptions options, int topLevel)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The changelog of a table; empty when its compactions write none. */
  public static Optional<ChangelogSpec> of(TableSchema schema, TableOptions options) {
    int topLevel = options.compaction().levels() - 1;
    return ChangelogOptions.of(options)
        .filter(changelog -> changelog.oldLevel(topLevel, topLevel) > 0)
        .map(changelog -> new ChangelogSpec(schema, changelog, topLevel));
  }

  /**
   * The lowest level whose rows are old to a compaction into {@code outputLevel}; 0 = it writes no
   * changelog.
   */
  public int oldLevel(int outputLevel) {
    return options.oldLevel(outputLevel, topLevel);
  }

  /** What the changelog files of a compaction into {@code outputLevel} are like. */
  public DataFileSpec files(int outputLevel) {
    return DataFileSpec.ofChangelog(schema, options, outputLevel);
  }
}
