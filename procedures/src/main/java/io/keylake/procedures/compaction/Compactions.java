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

package io.keylake.procedures.compaction;

import io.keylake.format.fileio.Ids;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.spark.TableVersion;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.CompactionSummary;
import io.keylake.spark.maintenance.TableCompaction;
import io.keylake.table.LakeTable;
import java.time.Clock;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** What procedures that compact tables have in common. */
final class Compactions {
  /** What a compaction counts. */
  static final StructType COUNTS =
      new StructType()
          .add("buckets_checked", DataTypes.LongType, false)
          .add("buckets_compacted", DataTypes.LongType, false)
          .add("files_in", DataTypes.LongType, false)
          .add("files_out", DataTypes.LongType, true)
          .add("bytes_in", DataTypes.LongType, false)
          .add("bytes_out", DataTypes.LongType, true)
          .add("rows_in", DataTypes.LongType, false)
          .add("rows_out", DataTypes.LongType, true)
          .add("files_upgraded", DataTypes.LongType, false)
          .add("buckets_dropped", DataTypes.LongType, false)
          .add("duration_ms", DataTypes.LongType, false);

  private Compactions() {}

  static SparkSession session() {
    return (SparkSession) org.apache.spark.sql.SparkSession.active();
  }

  static Execution execution(Arguments arguments) {
    return arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)
        ? Execution.DRY_RUN
        : Execution.RUN;
  }

  /** The newest version of a table with the options of the call; {@code parameter} holds them. */
  static LakeTable table(TableVersion version, Arguments arguments, String parameter) {
    return table(version, arguments, arguments.options(parameter));
  }

  /** The newest version of a table with no options but the session's. */
  static LakeTable table(TableVersion version, Arguments arguments) {
    return table(version, arguments, Map.of());
  }

  static LakeTable table(TableVersion version, Arguments arguments, Map<String, String> options) {
    LakeTable table =
        LakeTable.find(version.storage())
            .orElseThrow()
            .withOptions(
                SessionOptions.overrides(version.name(), new CaseInsensitiveStringMap(options)));
    if (!table.options().timeTravel().isLatest()) {
      throw arguments.invalid(
          "an option chooses an older version of the table; only the newest version can be"
              + " compacted. Leave the option out.");
    }
    return table;
  }

  static CompactionSummary run(
      TableName name, LakeTable table, Clock clock, CompactionRequest request) {
    return new TableCompaction(session(), name, table, clock, Ids.random()).run(request);
  }

  /** A row of {@link #COUNTS}. */
  static InternalRow row(CompactionSummary made, Execution execution, long millis) {
    boolean ran = execution == Execution.RUN;
    return ResultRow.of(
        made.bucketsChecked(),
        made.bucketsCompacted(),
        made.filesIn(),
        ran ? made.filesOut() : null,
        made.bytesIn(),
        ran ? made.bytesOut() : null,
        made.rowsIn(),
        ran ? made.rowsOut() : null,
        made.filesUpgraded(),
        made.bucketsDropped(),
        millis);
  }
}
