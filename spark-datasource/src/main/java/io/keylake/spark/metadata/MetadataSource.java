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

package io.keylake.spark.metadata;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.TableOptions;
import org.jspecify.annotations.Nullable;

/**
 * The version of a table whose metadata is read.
 *
 * @param name the table's name, for messages
 * @param storage its files, on the branch that is read
 * @param schema the pinned schema
 * @param snapshot the pinned snapshot; null when the table has none
 */
public record MetadataSource(
    String name, TableStorage storage, TableSchema schema, @Nullable Snapshot snapshot) {
  /** The table's stored options. */
  TableOptions options() {
    return TableOptions.of(schema);
  }

  /** The name that NULL has in partition folders. */
  String defaultPartition() {
    return options().fileLayout().defaultPartitionName();
  }
}
