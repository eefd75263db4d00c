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
import io.keylake.table.options.TableOptions;
import java.util.function.Supplier;

/**
 * The table, seen through one branch, that a committer works on.
 *
 * @param name for messages
 * @param io its storage
 * @param layout where its files are
 * @param snapshots its snapshots
 * @param statistics its statistics
 * @param manifests reads its manifests
 * @param schema the schema that the job wrote with
 * @param newestSchema reads the newest schema, which a snapshot names
 * @param options the options of the job
 */
public record CommitTable(
    String name,
    FileIO io,
    TableLayout layout,
    SnapshotStore snapshots,
    StatisticsStore statistics,
    ManifestReader manifests,
    TableSchema schema,
    Supplier<TableSchema> newestSchema,
    TableOptions options) {}
