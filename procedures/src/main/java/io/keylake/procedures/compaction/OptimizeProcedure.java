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

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.ChosenPartitions;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.TableVersion;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.spark.maintenance.CompactionSummary;
import io.keylake.spark.maintenance.sorting.RowOrder;
import io.keylake.table.LakeTable;
import io.keylake.table.options.clustering.ClusteringStrategy;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * {@code CALL sys.optimize(table => 't' [, partitions => 'dt=2024-01-01'] [, where => "dt >
 * '2024-01-01'"] [, zorder_by => 'a, b'])}: a full compaction whose result has the columns that
 * users of Delta know.
 *
 * @param clock tells the age of partitions, and how long it took
 */
record OptimizeProcedure(Clock clock) implements TableProcedure {
  private static final ParserInterface PARSER = CatalystSqlParser$.MODULE$;
  private static final String ZORDER_BY = "zorder_by";

  private static final StructType FILES =
      new StructType()
          .add("totalFiles", DataTypes.LongType, false)
          .add("totalSize", DataTypes.LongType, false);

  @Override
  public String name() {
    return "optimize";
  }

  @Override
  public String description() {
    return "Compacts a table fully, as compact does, and answers as Delta's OPTIMIZE does.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.optimize(table => 'db.t', zorder_by => 'a, b')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.partitions(),
        Parameters.where(),
        Parameters.optional(
            ZORDER_BY,
            DataTypes.StringType,
            "sorts the rows of append tables along a Z-curve over these columns, as a, b; names"
                + " may be in back quotes"));
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("path", DataTypes.StringType, false)
        .add(
            "metrics",
            new StructType()
                .add("numFilesAdded", DataTypes.LongType, false)
                .add("numFilesRemoved", DataTypes.LongType, false)
                .add("filesAdded", FILES, false)
                .add("filesRemoved", FILES, false)
                .add("numFilesUpgraded", DataTypes.LongType, false)
                .add("totalConsideredBuckets", DataTypes.LongType, false)
                .add("bucketsOptimized", DataTypes.LongType, false)
                .add("bucketsSkippedForConflicts", DataTypes.LongType, false)
                .add("totalDurationMs", DataTypes.LongType, false),
            false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long start = clock.millis();
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    LakeTable table = Compactions.table(version, arguments);
    Optional<RowOrder> order =
        arguments
            .optionalText(ZORDER_BY)
            .map(text -> RowOrder.of(table, ClusteringStrategy.ZORDER, names(arguments, text)));
    CompactionSummary made =
        Compactions.run(
            version.name(),
            table,
            clock,
            new CompactionRequest(
                Strategy.FULL,
                ChosenPartitions.of(arguments, version.name(), table),
                Optional.empty(),
                order,
                Execution.RUN));
    return List.of(
        ResultRow.of(
            table.storage().layout().root().path(), metrics(made, clock.millis() - start)));
  }

  private static InternalRow metrics(CompactionSummary made, long millis) {
    return ResultRow.of(
        made.filesOut(),
        made.filesIn(),
        ResultRow.of(made.filesOut(), made.bytesOut()),
        ResultRow.of(made.filesIn(), made.bytesIn()),
        made.filesUpgraded(),
        made.bucketsChecked(),
        made.bucketsCompacted(),
        made.bucketsDropped(),
        millis);
  }

  private static List<String> names(Arguments arguments, String text) {
    if (text.isBlank()) {
      throw arguments.invalid("zorder_by is empty. Write the columns as 'a, b'.");
    }
    return List.of(text.split(",", -1)).stream().map(name -> name(arguments, name)).toList();
  }

  private static String name(Arguments arguments, String text) {
    try {
      List<String> parts =
          CollectionConverters.asJava(PARSER.parseMultipartIdentifier(text.strip()));
      return String.join(".", parts);
    } catch (ParseException e) {
      throw arguments.invalid(
          "zorder_by has '" + text.strip() + "', which is no name of a column.");
    }
  }
}
