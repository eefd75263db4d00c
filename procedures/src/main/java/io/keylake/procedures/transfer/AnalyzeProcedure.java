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

package io.keylake.procedures.transfer;

import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Statistics;
import io.keylake.format.types.DataField;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.maintenance.RowAnalysis;
import io.keylake.table.LakeTable;
import io.keylake.table.analysis.StatisticsCommit;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.ScanFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.analyze}: records statistics of a table's rows. */
record AnalyzeProcedure() implements TableProcedure {
  private static final String COLUMNS = "columns";

  @Override
  public String name() {
    return "analyze";
  }

  @Override
  public String description() {
    return "Counts the rows of a table, computes statistics of columns, and records them for the"
        + " planners of queries. It reads the whole table.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.analyze(table => 'db.t', columns => 'k,v')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            COLUMNS,
            DataTypes.StringType,
            "columns separated by commas; '' = only the number of rows; all unless given"));
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("snapshot_id", DataTypes.LongType, true)
        .add("row_count", DataTypes.LongType, false)
        .add("columns_analyzed", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    KeylakeTable table = arguments.table(Parameters.TABLE);
    TableVersion version = table.pinned();
    List<DataField> columns = columns(arguments, version);
    Optional<Snapshot> snapshot = Optional.ofNullable(version.snapshot());
    if (snapshot.isEmpty()) {
      return List.of(ResultRow.of(null, 0L, 0L));
    }
    SparkSession session = (SparkSession) org.apache.spark.sql.SparkSession.active();
    Dataset<Row> rows = TableRows.of(session, table);
    Statistics statistics =
        RowAnalysis.of(rows, snapshot.get(), version.schema(), columns, bytes(version));
    Snapshot recorded =
        new StatisticsCommit(
                version.storage(), TableOptions.of(version.schema()), CommitEnvironment.system())
            .commit(snapshot.get(), statistics);
    Long count = statistics.mergedRecordCount();
    return List.of(ResultRow.of(recorded.id(), count == null ? 0L : count, (long) columns.size()));
  }

  private static long bytes(TableVersion version) {
    LakeTable table = LakeTable.find(version.storage()).orElseThrow();
    Snapshot snapshot = version.snapshot();
    return snapshot == null ? 0 : table.at(snapshot).plan(ScanFilter.NONE).unitBytes();
  }

  private static List<DataField> columns(Arguments arguments, TableVersion version) {
    List<DataField> all = version.schema().fields();
    Optional<String> written = arguments.optionalText(COLUMNS);
    if (written.isEmpty()) {
      return all.stream().filter(AnalyzeProcedure::isAnalyzed).toList();
    }
    List<DataField> chosen = new ArrayList<>();
    List<String> names =
        written.get().isBlank() ? List.of() : Arrays.asList(written.get().split(",", -1));
    for (String name : names) {
      DataField field =
          all.stream()
              .filter(found -> found.name().equalsIgnoreCase(name.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      arguments.invalid(
                          "the table has no column '"
                              + name.strip()
                              + "'. Its columns: "
                              + version.schema().rowType().names()
                              + "."));
      if (!isAnalyzed(field)) {
        throw arguments.invalid(
            "column "
                + field.name()
                + " is of type "
                + field.type()
                + ", which has no statistics.");
      }
      chosen.add(field);
    }
    return chosen.stream().distinct().toList();
  }

  private static boolean isAnalyzed(DataField field) {
    return RowAnalysis.isAnalyzed(SparkTypes.toSpark(field.name(), field.type()));
  }
}
