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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Ids;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.PartitionCondition;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.spark.transfer.TableClone;
import io.keylake.table.LakeTable;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.options.MergeOptions.Engine;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.RewriteSupport;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** {@code CALL sys.copy}: makes a new table of the newest version of another one. */
record CopyProcedure() implements TableProcedure {
  private static final String SOURCE = "source_table";
  private static final String TARGET = "target_table";

  @Override
  public String name() {
    return "copy";
  }

  @Override
  public String description() {
    return "Copies the newest version of a table into a new table. Files are copied as they are;"
        + " where a condition names other columns than partition columns, rows are written anew.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.copy(source_table => 'db.t', target_table => 'db.t2')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.required(SOURCE, DataTypes.StringType, "the table, or a branch of one"),
        Parameters.required(TARGET, DataTypes.StringType, "the new table, in the same catalog"),
        Parameters.optional(
            Parameters.WHERE, DataTypes.StringType, "which rows, as a condition; all unless given"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("target_table", DataTypes.StringType, false)
        .add("files", DataTypes.LongType, true)
        .add("bytes", DataTypes.LongType, true)
        .add("outcome", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    KeylakeTable source = arguments.table(SOURCE);
    Identifier target = arguments.identifierOf(TARGET);
    NewTables.checkNew(arguments, target);
    SparkSession session = (SparkSession) org.apache.spark.sql.SparkSession.active();
    TableVersion version = source.pinned();
    Optional<String> where = arguments.optionalText(Parameters.WHERE);
    boolean rewrites =
        TrackedRows.areIn(version.schema())
            || where.isPresent() && !isOnPartitions(arguments, session, version, where.get());
    return List.of(
        rewrites
            ? rewritten(arguments, source, target, session)
            : copied(arguments, source, target, session));
  }

  private static boolean isOnPartitions(
      Arguments arguments, SparkSession session, TableVersion version, String where) {
    Expression parsed;
    try {
      parsed = session.sessionState().sqlParser().parseExpression(where);
    } catch (ParseException e) {
      throw arguments.invalid("where '" + where + "' is no condition.");
    }
    if (version.schema().partitionKeys().isEmpty()) {
      return false;
    }
    Set<String> partitions = new HashSet<>();
    version.schema().partitionKeys().forEach(name -> partitions.add(name.toLowerCase(Locale.ROOT)));
    return CollectionConverters.asJava(parsed.collectLeaves()).stream()
        .filter(leaf -> leaf instanceof UnresolvedAttribute)
        .map(leaf -> ((UnresolvedAttribute) leaf).nameParts())
        .allMatch(
            parts ->
                parts.size() == 1 && partitions.contains(parts.head().toLowerCase(Locale.ROOT)));
  }

  private static InternalRow copied(
      Arguments arguments, KeylakeTable source, Identifier target, SparkSession session) {
    TableVersion version = source.pinned();
    PartitionChoice partitions =
        arguments
            .optionalText(Parameters.WHERE)
            .<PartitionChoice>map(
                where -> PartitionCondition.parse(session, version.name(), version.schema(), where))
            .orElse(PartitionChoice.ALL);
    Snapshot snapshot = version.snapshot();
    LakeTable from = LakeTable.find(version.storage()).orElseThrow();
    Optional<TableClone> clone =
        Optional.ofNullable(snapshot).map(chosen -> new TableClone(from, chosen, partitions));
    TableClone.Outcome planned =
        clone.map(TableClone::planned).orElse(new TableClone.Outcome(0, 0));
    boolean dryRun = arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
    if (!dryRun) {
      NewTables.fillLike(
          arguments.catalog(),
          target,
          source,
          table -> {
            TableClone.copySchemas(version.storage(), table.pinned().storage());
            LakeTable to =
                LakeTable.load(
                    NewTables.text(target),
                    table.pinned().storage().io(),
                    table.pinned().storage().layout().root());
            clone.ifPresent(
                work ->
                    work.into(
                        to,
                        session.sparkContext(),
                        session.sparkContext().defaultParallelism(),
                        Ids.random()));
          });
    }
    return ResultRow.of(
        NewTables.text(target),
        planned.files(),
        planned.bytes(),
        dryRun ? "files would be copied" : "files copied");
  }

  private static InternalRow rewritten(
      Arguments arguments, KeylakeTable source, Identifier target, SparkSession session) {
    TableVersion version = source.pinned();
    RewriteSupport.check(version.schema(), version.name().text());
    Engine engine = TableOptions.of(version.schema()).merge().engine();
    if (engine != Engine.DEDUPLICATE && engine != Engine.FIRST_ROW) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot copy "
              + version.name().text()
              + " with a condition on other columns than partition columns: rows of merge-engine "
              + engine
              + " mean something else when they are written anew. Use a condition on partition"
              + " columns, or none.");
    }
    String where = arguments.optionalText(Parameters.WHERE).orElse("true");
    var rows = TableRows.of(session, source);
    try {
      rows = rows.where(where);
    } catch (Exception e) {
      if (e instanceof AnalysisException analysis) {
        throw arguments.invalid(
            "where '" + where + "' is no condition: " + analysis.getSimpleMessage());
      }
      throw e;
    }
    if (arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)) {
      return ResultRow.of(NewTables.text(target), null, null, "rows would be written anew");
    }
    var chosen = rows;
    NewTables.fillLike(
        arguments.catalog(),
        target,
        source,
        table -> TableRows.append(session, chosen, table, arguments.catalog(), target));
    return ResultRow.of(NewTables.text(target), null, null, "rows written anew");
  }
}
