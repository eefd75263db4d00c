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

package io.keylake.spark.staged;

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import java.io.Serializable;
import java.util.Map;

/**
 * What is known of a table whose staged rows are sorted; travels to executors.
 *
 * @param table the table's name, for messages
 * @param schema the schema that the runs have
 * @param options options of the statement, over those of the schema
 * @param fileSchemas every schema that a staged file was written with, by id
 * @param addedDefaults values of columns in files that lack them: Spark's internal value by field
 *     id
 */
public record StagedSpec(
    String table,
    TableSchema schema,
    Map<String, String> options,
    Map<Long, TableSchema> fileSchemas,
    Map<Integer, Object> addedDefaults)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the maps. */
  public StagedSpec {
    options = Map.copyOf(options);
    fileSchemas = Map.copyOf(fileSchemas);
    addedDefaults = Map.copyOf(addedDefaults);
  }

  /** All options. */
  public TableOptions allOptions() {
    return TableOptions.of(schema, options);
  }

  MergeOptions merge() {
    return allOptions().merge();
  }
}
