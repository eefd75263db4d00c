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

package io.keylake.procedures;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.spark.KeylakeTable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import scala.jdk.javaapi.CollectionConverters;

/** The arguments of one call, by the names of the procedure's parameters. */
final class Arguments {
  private static final ParserInterface PARSER = CatalystSqlParser$.MODULE$;

  private final TableProcedure procedure;
  private final List<String> names;
  private final InternalRow values;
  private final TableCatalog catalog;

  /** The arguments of a call of {@code procedure}, on tables of {@code catalog}. */
  Arguments(TableProcedure procedure, InternalRow values, TableCatalog catalog) {
    this.procedure = procedure;
    this.names = procedure.parameters().stream().map(ProcedureParameter::name).toList();
    this.values = values;
    this.catalog = catalog;
  }

  /** The text of a required argument. */
  String text(String parameter) {
    return optionalText(parameter).orElseThrow(() -> missing(parameter));
  }

  /** The text of an argument; empty when it was left out or NULL. */
  Optional<String> optionalText(String parameter) {
    int position = names.indexOf(parameter);
    return values.isNullAt(position)
        ? Optional.empty()
        : Optional.of(values.getUTF8String(position).toString());
  }

  /** A number; empty when it was left out or NULL. */
  Optional<Long> optionalLong(String parameter) {
    int position = names.indexOf(parameter);
    return values.isNullAt(position) ? Optional.empty() : Optional.of(values.getLong(position));
  }

  /**
   * The table that an argument names: {@code t} in the current namespace, {@code db.t} or {@code
   * catalog.db.t}.
   */
  KeylakeTable table(String parameter) {
    String written = text(parameter);
    Table table = load(written);
    if (table instanceof KeylakeTable ours) {
      return ours;
    }
    throw invalid(
        written + " is no table of Keylake. Name a table, not one of its metadata tables.");
  }

  private Table load(String written) {
    try {
      return catalog.loadTable(identifier(written));
    } catch (NoSuchTableException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "Cannot call " + procedure.name() + ": there is no table " + written + ".",
          e);
    }
  }

  private Identifier identifier(String written) {
    List<String> parts = parts(written);
    int size = parts.size();
    if (size == 1) {
      return Identifier.of(currentNamespace(), parts.get(0));
    }
    int start = size > 2 && parts.get(0).equals(catalog.name()) ? 1 : 0;
    return Identifier.of(
        parts.subList(start, size - 1).toArray(String[]::new), parts.get(size - 1));
  }

  /** Without back quotes every dot separates; {@code t$branch_b} needs no quotes here. */
  private List<String> parts(String written) {
    if (written.indexOf('`') < 0) {
      return List.of(written.split("\\.", -1));
    }
    try {
      return CollectionConverters.asJava(PARSER.parseMultipartIdentifier(written));
    } catch (ParseException e) {
      throw invalid("'" + written + "' is no name of a table.");
    }
  }

  private String[] currentNamespace() {
    CatalogManager manager =
        ((org.apache.spark.sql.classic.SparkSession) SparkSession.active())
            .sessionState()
            .catalogManager();
    return manager.currentCatalog().name().equals(catalog.name())
        ? manager.currentNamespace()
        : catalog.defaultNamespace();
  }

  private InvalidRequestException missing(String parameter) {
    return invalid("the argument " + parameter + " is NULL. Give it a value.");
  }

  /** The failure for arguments that make no sense. */
  InvalidRequestException invalid(String problem) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST, "Cannot call " + procedure.name() + ": " + problem);
  }
}
