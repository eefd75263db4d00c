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

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Cancellation;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.convert.KeylakeException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code CALL sys.migrate_database}: migrates the tables of a database of the session catalog. A
 * table that cannot be migrated is left as it is and named in the result; the others go on.
 *
 * @param clock tells the time and the zone
 */
record MigrateDatabaseProcedure(Clock clock) implements TableProcedure {
  private static final Logger LOG = LoggerFactory.getLogger(MigrateDatabaseProcedure.class);
  private static final String DATABASE = "database";
  private static final String TARGET = "target_database";

  @Override
  public String name() {
    return "migrate_database";
  }

  @Override
  public String description() {
    return "Migrates all tables of a database of Spark's session catalog, as migrate_table does.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.migrate_database(source_type => 'hive', database => 'default',"
        + " target_database => 'db', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        MigrationCall.sourceType(),
        Parameters.required(DATABASE, DataTypes.StringType, "the database in the session catalog"),
        MigrationCall.options(),
        Parameters.optional(
            TARGET,
            DataTypes.StringType,
            "the namespace of the new tables, made where it is missing; of the same name unless"
                + " given"),
        MigrationCall.deleteOrigin(),
        MigrationCall.parallelism(),
        Parameters.dryRun());
  }

  @Override
  public StructType result() {
    return MigrationCall.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    MigrationCall call = MigrationCall.of(arguments, clock);
    String database = arguments.text(DATABASE);
    String[] namespace =
        arguments.optionalNamespace(TARGET).orElseGet(() -> new String[] {database});
    call.check();
    List<TableIdentifier> sources = call.tables(database);
    if (!call.isDryRun()) {
      ensure(arguments, namespace);
    }
    List<InternalRow> rows = new ArrayList<>();
    for (TableIdentifier source : sources) {
      Identifier target = Identifier.of(namespace, source.table());
      try {
        rows.add(call.migrate(source, target));
      } catch (Exception e) {
        Cancellation.passOn(e);
        LOG.warn("Cannot migrate {}", source.unquotedString(), e);
        rows.add(
            ResultRow.of(
                source.unquotedString(),
                NewTables.text(target),
                0L,
                0L,
                0L,
                false,
                "not migrated: " + text(e)));
      }
    }
    return rows;
  }

  private static String text(Exception failure) {
    return failure instanceof KeylakeException ours
        ? ours.text()
        : String.valueOf(failure.getMessage());
  }

  private static void ensure(Arguments arguments, String[] namespace) {
    if (arguments.catalog() instanceof SupportsNamespaces namespaces
        && !namespaces.namespaceExists(namespace)) {
      try {
        namespaces.createNamespace(namespace, Map.of());
      } catch (NamespaceAlreadyExistsException e) {
        assert namespaces.namespaceExists(namespace) : e;
      }
    }
  }
}
