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

package io.keylake.table.scan;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.golden.GoldenTables;
import io.keylake.table.options.TableOptions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A golden table, unpacked and opened. */
record GoldenStorage(TableStorage storage, TableSchema schema) {
  static GoldenStorage open(String table, Path folder) {
    Path root = GoldenTables.unpack(table, folder);
    TableStorage storage =
        TableStorage.of(
            "golden." + table,
            HadoopFileIO.of(new Configuration()),
            TableLayout.of(new Location("file:" + root)));
    return new GoldenStorage(storage, storage.schemas().latest().orElseThrow());
  }

  TableOptions options(String visibility) {
    return TableOptions.of(schema, Map.of("scan.visibility", visibility));
  }

  ScanPlanner planner(String visibility) {
    return new ScanPlanner(storage, schema, options(visibility));
  }

  ScanPlan plan(String visibility, ScanFilter filter) {
    return planner(visibility).plan(storage.snapshots().latest().orElseThrow(), filter);
  }

  FileAddresses addresses() {
    return FileAddresses.of(storage.layout(), schema, options("committed").fileLayout());
  }
}
