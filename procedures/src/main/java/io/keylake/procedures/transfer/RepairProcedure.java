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

import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.KeylakeTable;
import io.keylake.table.reference.VersionFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.repair}: checks what tables of a warehouse consist of and mends their hints. A
 * catalog over a file system finds tables by their folders, so that there is nothing to register
 * anew: the result says what was found.
 */
record RepairProcedure() implements TableProcedure {
  private static final String WHICH = "database_or_table";

  @Override
  public String name() {
    return "repair";
  }

  @Override
  public String description() {
    return "Checks the metadata files of the newest version of one table, or of all tables of a"
        + " database or of the catalog, and mends hints that name a wrong snapshot. Tables need"
        + " not be registered: what is in the warehouse is found by itself.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.repair(database_or_table => 'db.t', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.optional(
            WHICH, DataTypes.StringType, "a database or a table; the whole catalog unless given"),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("table_name", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, true)
        .add("problem", DataTypes.StringType, true)
        .add("action", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    boolean dryRun = arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
    List<InternalRow> rows = new ArrayList<>();
    for (Identifier identifier : chosen(arguments)) {
      rows.addAll(check(arguments.catalog(), identifier, dryRun));
    }
    return rows;
  }

  private static List<Identifier> chosen(Arguments arguments) {
    TableCatalog catalog = arguments.catalog();
    Optional<String> which = arguments.optionalText(WHICH);
    if (which.isEmpty()) {
      return namespaces(catalog).stream()
          .flatMap(namespace -> tables(catalog, namespace).stream())
          .toList();
    }
    String[] namespace = {which.get()};
    if (catalog instanceof SupportsNamespaces namespaces && namespaces.namespaceExists(namespace)) {
      return tables(catalog, namespace);
    }
    arguments.table(WHICH);
    return List.of(arguments.identifierOf(WHICH));
  }

  private static List<String[]> namespaces(TableCatalog catalog) {
    try {
      return catalog instanceof SupportsNamespaces namespaces
          ? Arrays.asList(namespaces.listNamespaces())
          : List.of();
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
  }

  private static List<Identifier> tables(TableCatalog catalog, String[] namespace) {
    try {
      return Arrays.asList(catalog.listTables(namespace));
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
  }

  private static List<InternalRow> check(
      TableCatalog catalog, Identifier identifier, boolean dryRun) {
    Table table;
    try {
      table = catalog.loadTable(identifier);
    } catch (NoSuchTableException e) {
      return List.of();
    } catch (RuntimeException e) {
      return List.of(ResultRow.of(NewTables.text(identifier), null, e.getMessage(), "none"));
    }
    if (!(table instanceof KeylakeTable ours)) {
      return List.of();
    }
    TableStorage storage = ours.pinned().storage();
    VersionFiles files = new VersionFiles(storage);
    List<VersionFiles.Finding> findings = dryRun ? files.check() : files.mend();
    Long newest = files.newest().isPresent() ? (Long) files.newest().getAsLong() : null;
    if (findings.isEmpty()) {
      return List.of(ResultRow.of(NewTables.text(identifier), newest, null, "none"));
    }
    List<InternalRow> rows = new ArrayList<>();
    for (VersionFiles.Finding finding : findings) {
      rows.add(
          ResultRow.of(NewTables.text(identifier), newest, finding.problem(), finding.action()));
    }
    return rows;
  }
}
