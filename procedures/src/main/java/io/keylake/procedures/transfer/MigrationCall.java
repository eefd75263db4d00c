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
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.Ids;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.spark.transfer.Migration;
import io.keylake.table.LakeTable;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What the procedures that migrate have in common.
 *
 * @param arguments of the call
 * @param session where the session catalog is
 * @param clock tells the time and the zone
 */
record MigrationCall(Arguments arguments, SparkSession session, Clock clock) {
  private static final String SOURCE_TYPE = "source_type";
  private static final String OPTIONS = "options";
  private static final String DELETE_ORIGIN = "delete_origin";
  private static final String PARALLELISM = "parallelism";
  private static final List<String> TYPES = List.of("hive", "parquet", "orc");
  private static final List<String> FIXED = List.of("primary-key", "bucket", "bucket-key", "path");

  static MigrationCall of(Arguments arguments, Clock clock) {
    return new MigrationCall(
        arguments, (SparkSession) org.apache.spark.sql.SparkSession.active(), clock);
  }

  static ProcedureParameter sourceType() {
    return Parameters.required(
        SOURCE_TYPE, DataTypes.StringType, "parquet, orc, or hive for either of them");
  }

  static ProcedureParameter options() {
    return Parameters.optional(
        OPTIONS, DataTypes.StringType, "options of the new table, as k=v,k=v");
  }

  static ProcedureParameter deleteOrigin() {
    return Parameters.optional(
        DELETE_ORIGIN,
        DataTypes.BooleanType,
        "true: drop the table that was migrated, with its files, once the new one is there");
  }

  static ProcedureParameter parallelism() {
    return Parameters.optional(
        PARALLELISM,
        DataTypes.LongType,
        "how many files are copied at a time; as many as Spark runs tasks unless given");
  }

  static StructType result() {
    return new StructType()
        .add("source_table", DataTypes.StringType, false)
        .add("target_table", DataTypes.StringType, false)
        .add("files", DataTypes.LongType, false)
        .add("bytes", DataTypes.LongType, false)
        .add("rows", DataTypes.LongType, false)
        .add("origin_deleted", DataTypes.BooleanType, false)
        .add("outcome", DataTypes.StringType, false);
  }

  boolean isDryRun() {
    return arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false);
  }

  /** The table of the session catalog that a text names: {@code t} or {@code db.t}. */
  TableIdentifier source(String written) {
    List<String> parts;
    try {
      parts =
          CollectionConverters.asJava(
              session.sessionState().sqlParser().parseMultipartIdentifier(written));
    } catch (ParseException e) {
      throw arguments.invalid("'" + written + "' is no name of a table.");
    }
    int start = parts.size() == 3 && parts.get(0).equals("spark_catalog") ? 1 : 0;
    List<String> names = parts.subList(start, parts.size());
    if (names.size() > 2) {
      throw arguments.invalid(
          "'" + written + "' is no table of Spark's session catalog. Name it as db.table.");
    }
    String database = names.size() == 2 ? names.get(0) : catalog().getCurrentDatabase();
    return new TableIdentifier(names.get(names.size() - 1), Option.apply(database));
  }

  /** All tables of a database of the session catalog. */
  List<TableIdentifier> tables(String database) {
    if (!catalog().databaseExists(database)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "Spark's session catalog has no database " + database + ".");
    }
    return CollectionConverters.asJava(catalog().listTables(database)).stream()
        .filter(table -> table.database().isDefined())
        .toList();
  }

  private SessionCatalog catalog() {
    return session.sessionState().catalog();
  }

  /** Refuses arguments that are wrong whatever the tables are. */
  void check() {
    sourceFormat();
    newOptions();
    copiesAtATime();
  }

  private String sourceFormat() {
    String type = arguments.text(SOURCE_TYPE).strip().toLowerCase(Locale.ROOT);
    if (!TYPES.contains(type)) {
      throw arguments.invalid("source_type '" + type + "' is unknown. Use one of " + TYPES + ".");
    }
    return type;
  }

  /** Migrates one table, or says what that would do. */
  InternalRow migrate(TableIdentifier source, Identifier target) {
    check();
    String type = sourceFormat();
    Map<String, String> options = newOptions();
    NewTables.checkNew(arguments, target);
    Migration migration = Migration.plan(session, source, type);
    options.putIfAbsent("file.format", migration.format());
    boolean deletes = arguments.optionalBoolean(DELETE_ORIGIN).orElse(false);
    if (isDryRun()) {
      return row(source, target, migration, "would be migrated");
    }
    NewTables.fill(
        arguments.catalog(),
        target,
        new NewTables.Columns(
            migration.columns(), migration.partitionColumns(), migration.comment()),
        options,
        table ->
            migration.into(
                LakeTable.find(table.pinned().storage()).orElseThrow(),
                copiesAtATime(),
                clock,
                Ids.random()));
    if (deletes) {
      catalog().dropTable(source, true, true);
    }
    return row(source, target, migration, "migrated");
  }

  private InternalRow row(
      TableIdentifier source, Identifier target, Migration migration, String outcome) {
    boolean deleted = !isDryRun() && arguments.optionalBoolean(DELETE_ORIGIN).orElse(false);
    return ResultRow.of(
        source.unquotedString(),
        NewTables.text(target),
        migration.files(),
        migration.bytes(),
        migration.rows(),
        deleted,
        outcome);
  }

  private Map<String, String> newOptions() {
    Map<String, String> options = new HashMap<>(arguments.options(OPTIONS));
    for (String fixed : FIXED) {
      if (options.containsKey(fixed)) {
        throw arguments.invalid(
            "options set '"
                + fixed
                + "', but files that exist make an append table without buckets. Leave it out.");
      }
    }
    return options;
  }

  private int copiesAtATime() {
    long given =
        arguments
            .optionalLong(PARALLELISM)
            .orElse((long) session.sparkContext().defaultParallelism());
    if (given < 1) {
      throw arguments.invalid("parallelism is " + given + ". It is at least 1.");
    }
    return (int) Math.min(given, Integer.MAX_VALUE);
  }
}
