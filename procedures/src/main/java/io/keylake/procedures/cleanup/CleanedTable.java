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

package io.keylake.procedures.cleanup;

import io.keylake.format.fileio.Ids;
import io.keylake.format.layout.PartitionNaming;
import io.keylake.format.layout.PartitionPath;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.ChosenPartitions;
import io.keylake.procedures.call.Parameters;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.expiry.HistoryTable;
import io.keylake.table.expiry.PartitionExpiry;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The table that a procedure cleans, with the options of the call. */
record CleanedTable(TableVersion version, LakeTable table) {
  /** The argument that gives options of the table for one call. */
  static final String OPTIONS = "options";

  /** The table of the argument {@code table}. */
  static CleanedTable of(Arguments arguments) {
    return of(arguments.table(Parameters.TABLE), Map.of());
  }

  /** The same, with the options of the argument {@value #OPTIONS}. */
  static CleanedTable withOptions(Arguments arguments) {
    return of(arguments.table(Parameters.TABLE), arguments.options(OPTIONS));
  }

  static CleanedTable of(KeylakeTable table, Map<String, String> options) {
    TableVersion version = table.pinned();
    return new CleanedTable(
        version,
        LakeTable.find(version.storage())
            .orElseThrow()
            .withOptions(
                SessionOptions.overrides(version.name(), new CaseInsensitiveStringMap(options))));
  }

  TableStorage storage() {
    return table.storage();
  }

  HistoryTable history() {
    return new HistoryTable(table.storage(), table.schema(), table.options());
  }

  TableCommitter committer() {
    return table.committer(CommitEnvironment.system());
  }

  /** The partitions that the call chooses among those that have files. */
  List<BinaryRow> chosen(Arguments arguments) {
    return ChosenPartitions.of(arguments, version.name(), table)
        .chosen(PartitionExpiry.existing(table.storage()));
  }

  /** Takes partitions out of the table. */
  void drop(List<BinaryRow> partitions, String operation) {
    if (!partitions.isEmpty()) {
      committer()
          .commit(
              CommitRequest.batch(Ids.random().next(), List.of())
                  .overwriting(OverwriteScope.partitions(partitions))
                  .withProperties(Map.of(Snapshot.OPERATION, operation)));
    }
  }

  /** A partition as users write it: {@code dt=2024-01-31/hh=12}. */
  String text(BinaryRow partition) {
    PartitionNaming naming =
        new PartitionNaming(
            table.options().fileLayout().defaultPartitionName(),
            PartitionNaming.Style.READABLE,
            ZoneOffset.UTC);
    return PartitionPath.of(table.schema().partitionType(), naming).folder(partition);
  }
}
