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

package io.keylake.table.commit;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestReader;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.StatisticsStore;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;

/**
 * The table, seen through one branch, that a committer works on.
 *
 * @param storage its metadata files
 * @param schema the schema that the job wrote with
 * @param options the options of the job
 */
public record CommitTable(TableStorage storage, TableSchema schema, TableOptions options) {
  String name() {
    return storage.name();
  }

  FileIO io() {
    return storage.io();
  }

  TableLayout layout() {
    return storage.layout();
  }

  SnapshotStore snapshots() {
    return storage.snapshots();
  }

  StatisticsStore statistics() {
    return storage.statistics();
  }

  ManifestReader manifests() {
    return storage.manifests();
  }

  /** The newest schema, which a snapshot names. */
  TableSchema newestSchema() {
    return storage.schemas().latest().orElse(schema);
  }

  /** Where data and index files are. */
  FileAddresses addresses() {
    return FileAddresses.of(storage.layout(), schema, options.fileLayout());
  }
}
