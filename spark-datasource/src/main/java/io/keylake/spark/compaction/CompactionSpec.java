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

package io.keylake.spark.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.compaction.changes.ChangelogSpec;
import io.keylake.spark.convert.ColumnDefaults;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.compaction.RecordExpiry;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.options.FileLayoutOptions;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.RewriteSupport;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What all steps of a compaction of one table have in common; travels to executors.
 *
 * @param table the table's name, for messages
 * @param merge how rows of one key combine
 * @param files what new files of level 0 are like; a step takes {@link DataFileSpec#ofCompaction}
 * @param layout where files are placed
 * @param fileSchemas every schema that an input was written with, by id
 * @param addedDefaults values of columns in files that lack them: Spark's internal value by field
 *     id
 * @param expiry which rows are dropped by age; null = none
 * @param changelog how compactions write what they change; null = they do not
 */
public record CompactionSpec(
    String table,
    MergeOptions merge,
    DataFileSpec files,
    FileLayoutOptions layout,
    Map<Long, TableSchema> fileSchemas,
    Map<Integer, Object> addedDefaults,
    @Nullable RecordExpiry expiry,
    @Nullable ChangelogSpec changelog)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the maps. */
  public CompactionSpec {
    fileSchemas = Map.copyOf(fileSchemas);
    addedDefaults = Map.copyOf(addedDefaults);
  }

  /**
   * What the steps of some plans have in common.
   *
   * @param table the table's name, for messages
   * @param options the table's options with those of the statement
   * @param schemas finds a schema of the table by its id
   * @param expiry which rows are dropped by age; empty = none
   * @throws io.keylake.format.errors.UnsupportedTableException when rows cannot be written again
   */
  public static CompactionSpec of(
      String table,
      TableSchema schema,
      TableOptions options,
      LongFunction<TableSchema> schemas,
      List<CompactionPlan> plans,
      Optional<RecordExpiry> expiry) {
    RewriteSupport.check(schema, table);
    return ofReading(table, schema, options, schemas, plans, expiry);
  }

  /** The same compactions, which write what they change. */
  public CompactionSpec withChangelog(TableOptions options) {
    return new CompactionSpec(
        table,
        merge,
        files,
        layout,
        fileSchemas,
        addedDefaults,
        expiry,
        ChangelogSpec.of(schema(), options).orElse(null));
  }

  /** The same for steps that only read. */
  public static CompactionSpec ofReading(
      String table,
      TableSchema schema,
      TableOptions options,
      LongFunction<TableSchema> schemas,
      List<CompactionPlan> plans,
      Optional<RecordExpiry> expiry) {
    Map<Long, TableSchema> fileSchemas = new HashMap<>();
    for (CompactionPlan plan : plans) {
      for (CompactionStep step : plan.steps()) {
        step.read()
            .forEach(input -> fileSchemas.computeIfAbsent(input.file().schemaId(), schemas::apply));
      }
    }
    return new CompactionSpec(
        table,
        options.merge(),
        DataFileSpec.ofWrite(TrackedRows.stored(schema), options),
        options.fileLayout(),
        fileSchemas,
        ColumnDefaults.ofOlderRows(schema),
        expiry.orElse(null),
        null);
  }

  /** The schema that rows are written with: with row ids where rows have some. */
  public TableSchema schema() {
    return files.schema();
  }

  /**
   * The lowest level whose rows are old to a compaction into {@code outputLevel}; 0 = it writes no
   * changelog.
   */
  int oldLevel(int outputLevel) {
    return changelog == null ? 0 : changelog.oldLevel(outputLevel);
  }

  /** The schema that a file was written with. */
  public TableSchema fileSchema(DataFile file) {
    TableSchema known = fileSchemas.get(file.schemaId());
    if (known == null) {
      throw new IllegalStateException(
          "No schema " + file.schemaId() + " for file " + file.name() + " in the compaction");
    }
    return known;
  }
}
