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
import io.keylake.procedures.call.Cancellation;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.spark.maintenance.CompactionSummary;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.table.LakeTable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code CALL sys.compact_database([including_databases => 'db1|db2'] [, including_tables =>
 * 'orders_.*'] [, excluding_tables => '.*_tmp'] [, options => 'target-file-size=64mb'] [,
 * partition_idle_time => '1 d'] [, dry_run => true])}: one table after the other. A table that
 * fails does not keep the others from being compacted; a call that is cancelled ends.
 *
 * @param clock tells the age of partitions, and how long it took
 */
record CompactDatabaseProcedure(Clock clock) implements TableProcedure {
  private static final Logger LOG = LoggerFactory.getLogger(CompactDatabaseProcedure.class);
  private static final String OPTIONS = "options";
  private static final String IDLE_TIME = "partition_idle_time";

  /** What became of a table. */
  private enum Status {
    COMPACTED,
    UNCHANGED,
    FAILED
  }

  @Override
  public String name() {
    return "compact_database";
  }

  @Override
  public String description() {
    return "Compacts many tables fully, one after the other. One that fails does not stop the"
        + " others.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.compact_database(including_databases => 'db', excluding_tables =>"
        + " '.*_tmp')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    DataType text = DataTypes.StringType;
    return List.of(
        Parameters.optional(
            TablePatterns.DATABASES, text, "regular expression of databases; all unless given"),
        Parameters.optional(
            TablePatterns.INCLUDED, text, "regular expression of tables, t or db.t"),
        Parameters.optional(
            TablePatterns.EXCLUDED, text, "regular expression of tables that are left out"),
        Parameters.optional(OPTIONS, text, "options of all tables for this call, as k=v,k=v"),
        Parameters.optional(
            IDLE_TIME, text, "only partitions without a new file for so long, such as 1 d"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    StructType columns =
        new StructType()
            .add("database", DataTypes.StringType, false)
            .add("table", DataTypes.StringType, false)
            .add("status", DataTypes.StringType, false);
    for (var count : Compactions.COUNTS.fields()) {
      columns = columns.add(count.name(), count.dataType(), true);
    }
    return columns.add("error", DataTypes.StringType, true);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TablePatterns patterns = TablePatterns.of(arguments);
    CompactionRequest request =
        new CompactionRequest(
            Strategy.FULL,
            PartitionChoice.ALL,
            arguments.optionalDuration(IDLE_TIME),
            Compactions.execution(arguments));
    arguments.options(OPTIONS);
    List<InternalRow> rows = new ArrayList<>();
    for (Identifier table : tables(arguments.catalog(), patterns)) {
      compact(arguments, table, request).ifPresent(rows::add);
    }
    return rows;
  }

  private static List<Identifier> tables(TableCatalog catalog, TablePatterns patterns) {
    List<Identifier> tables = new ArrayList<>();
    for (String[] namespace : namespaces(catalog)) {
      String database = String.join(".", namespace);
      if (patterns.includesDatabase(database)) {
        try {
          Arrays.stream(catalog.listTables(namespace))
              .filter(table -> patterns.includesTable(database, table.name()))
              .sorted(Comparator.comparing(Identifier::name))
              .forEach(tables::add);
        } catch (NoSuchNamespaceException e) {
          LOG.info("Database {} was dropped meanwhile", database);
        }
      }
    }
    return tables;
  }

  private static List<String[]> namespaces(TableCatalog catalog) {
    if (!(catalog instanceof SupportsNamespaces databases)) {
      return List.<String[]>of(catalog.defaultNamespace());
    }
    try {
      return Arrays.stream(databases.listNamespaces())
          .sorted(Comparator.comparing(namespace -> String.join(".", namespace)))
          .toList();
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
  }

  /** The row of a table; empty for one that is none of ours, or was dropped meanwhile. */
  private Optional<InternalRow> compact(
      Arguments arguments, Identifier name, CompactionRequest request) {
    long start = clock.millis();
    try {
      Table found = arguments.catalog().loadTable(name);
      if (!(found instanceof KeylakeTable ours)) {
        return Optional.empty();
      }
      TableVersion version = ours.pinned();
      LakeTable table = Compactions.table(version, arguments, OPTIONS);
      CompactionSummary made = Compactions.run(version.name(), table, clock, request);
      Status status = made.bucketsCompacted() > 0 ? Status.COMPACTED : Status.UNCHANGED;
      return Optional.of(row(name, status, made, request, start, null));
    } catch (NoSuchTableException e) {
      return Optional.empty();
    } catch (Exception e) {
      Cancellation.passOn(e);
      LOG.warn("Cannot compact {}", name, e);
      CompactionSummary nothing = new CompactionSummary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
      return Optional.of(row(name, Status.FAILED, nothing, request, start, e));
    }
  }

  private InternalRow row(
      Identifier table,
      Status status,
      CompactionSummary made,
      CompactionRequest request,
      long start,
      @Nullable Exception failure) {
    Execution execution = request.execution();
    InternalRow counts = Compactions.row(made, execution, clock.millis() - start);
    List<@Nullable Object> values = new ArrayList<>();
    values.add(String.join(".", table.namespace()));
    values.add(table.name());
    values.add(status.name().toLowerCase(Locale.ROOT));
    for (int i = 0; i < Compactions.COUNTS.length(); i++) {
      values.add(counts.isNullAt(i) ? null : counts.getLong(i));
    }
    values.add(failure == null ? null : String.valueOf(failure.getMessage()));
    return ResultRow.of(values.toArray());
  }
}
