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

package io.keylake.table.expiry;

import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;

/**
 * The table, seen through one branch, whose history is cut.
 *
 * @param storage its metadata files
 * @param schema its newest schema
 * @param options its options, with those of the statement over them
 */
public record HistoryTable(TableStorage storage, TableSchema schema, TableOptions options) {
  /** Where data and index files are. */
  FileAddresses addresses() {
    return FileAddresses.of(storage.layout(), schema, options.fileLayout());
  }

  /** The folder above all partitions and buckets. */
  Location dataFolder() {
    return FileAddresses.layout(storage.layout(), options.fileLayout()).dataFolder();
  }
}
