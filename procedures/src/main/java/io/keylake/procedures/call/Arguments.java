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

package io.keylake.procedures.call;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.spark.KeylakeTable;
import io.keylake.table.options.KnownOptions;
import io.keylake.table.options.OptionKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** The arguments of one call, by the names of the procedure's parameters. */
public final class Arguments {
  private static final ParserInterface PARSER = CatalystSqlParser$.MODULE$;

  private static final String BRANCH = "branch";

  private final TableProcedure procedure;
  private final List<String> names;
  private final InternalRow values;
  private final TableCatalog catalog;

  /** The arguments of a call of {@code procedure}, on tables of {@code catalog}. */
  public Arguments(TableProcedure procedure, InternalRow values, TableCatalog catalog) {
    this.procedure = procedure;
    this.names = procedure.parameters().stream().map(ProcedureParameter::name).toList();
    this.values = values;
    this.catalog = catalog;
  }

  /** The catalog whose tables the call is about. */
  public TableCatalog catalog() {
    return catalog;
  }

  /** The text of a required argument. */
  public String text(String parameter) {
    return optionalText(parameter).orElseThrow(() -> missing(parameter));
  }

  /** The text of an argument; empty when it was left out or NULL. */
  public Optional<String> optionalText(String parameter) {
    int position = names.indexOf(parameter);
    return values.isNullAt(position)
        ? Optional.empty()
        : Optional.of(values.getUTF8String(position).toString());
  }

  /** A number; empty when it was left out or NULL. */
  public Optional<Long> optionalLong(String parameter) {
    int position = names.indexOf(parameter);
    return values.isNullAt(position) ? Optional.empty() : Optional.of(values.getLong(position));
  }

  /** A number of type INT; empty when it was left out or NULL. */
  public Optional<Integer> optionalInt(String parameter) {
    int position = names.indexOf(parameter);
    return values.isNullAt(position) ? Optional.empty() : Optional.of(values.getInt(position));
  }

  /** Whether an argument is true; empty when it was left out or NULL. */
  public Optional<Boolean> optionalBoolean(String parameter) {
    int position = names.indexOf(parameter);
    return values.isNullAt(position) ? Optional.empty() : Optional.of(values.getBoolean(position));
  }

  /** A time span such as {@code 1 d} or {@code 90 min}; empty when it was left out or NULL. */
  public Optional<Duration> optionalDuration(String parameter) {
    return optionalText(parameter).map(text -> duration(parameter, text));
  }

  /**
   * A point in time such as {@code 2024-01-01 12:00:00}, in the session's time zone unless it names
   * one; empty when it was left out or NULL.
   */
  public Optional<Instant> optionalTime(String parameter) {
    return optionalText(parameter).map(text -> time(parameter, text));
  }

  private Instant time(String parameter, String text) {
    ZoneId zone = ZoneId.of(SQLConf.get().sessionLocalTimeZone());
    Option<Object> micros =
        DateTimeUtils.stringToTimestamp(UTF8String.fromString(text.strip()), zone);
    if (micros.isEmpty()) {
      throw invalid(
          parameter + " '" + text + "' is no point in time. Write it as '2024-01-31 12:00:00'.");
    }
    return DateTimeUtils.microsToInstant((long) micros.get());
  }

  private Duration duration(String parameter, String text) {
    return TimeSpans.parse(text)
        .orElseThrow(
            () ->
                invalid(
                    parameter
                        + " '"
                        + text
                        + "' is no time span. Write a number with the unit ms, s, min, h or d,"
                        + " such as '1 d'."));
  }

  /**
   * Options of the table for this call, as text {@code k=v,k=v} or as a map; empty when the
   * argument was left out or NULL.
   */
  public Map<String, String> options(String parameter) {
    int position = names.indexOf(parameter);
    if (values.isNullAt(position)) {
      return Map.of();
    }
    Map<String, String> options = new LinkedHashMap<>();
    if (procedure.parameters().get(position).dataType() instanceof MapType) {
      values
          .getMap(position)
          .foreach(
              DataTypes.StringType,
              DataTypes.StringType,
              (key, value) -> {
                put(options, parameter, key.toString(), value == null ? "" : value.toString());
                return BoxedUnit.UNIT;
              });
      return options;
    }
    for (String pair : text(parameter).split(",", -1)) {
      int sign = pair.indexOf('=');
      if (sign < 0 && !pair.isBlank()) {
        throw invalid(
            parameter + " has '" + pair.strip() + "', which is no key=value. Write k=v,k=v.");
      }
      if (sign >= 0) {
        put(options, parameter, pair.substring(0, sign).strip(), pair.substring(sign + 1).strip());
      }
    }
    return options;
  }

  private void put(Map<String, String> options, String parameter, String name, String value) {
    if (!name.equals(BRANCH)) {
      check(parameter, name, value);
    }
    if (options.put(name, value) != null) {
      throw invalid(parameter + " names the option '" + name + "' twice. Name it once.");
    }
  }

  private void check(String parameter, String name, String value) {
    OptionKey<?> key =
        KnownOptions.find(name)
            .orElseThrow(
                () ->
                    invalid(
                        parameter
                            + " names the option '"
                            + name
                            + "', which does not exist. See docs/options.md."));
    key.parse(value);
    if (!key.supports(value)) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPTION,
          "Cannot call "
              + procedure.name()
              + ": this version does not support the option '"
              + name
              + "' = '"
              + value
              + "'. Leave it out.");
    }
  }

  /**
   * The table that an argument names: {@code t} in the current namespace, {@code db.t} or {@code
   * catalog.db.t}.
   */
  public KeylakeTable table(String parameter) {
    String written = text(parameter);
    if (written.isBlank()) {
      throw invalid("the name of the table is empty.");
    }
    Table table = load(written);
    if (table instanceof KeylakeTable ours) {
      return ours;
    }
    throw invalid(
        written + " is no table of Keylake. Name a table, not one of its metadata tables.");
  }

  /**
   * The tables that an argument names: one, as for {@link #table}, or with {@code db.*} all of a
   * namespace, by name.
   */
  public List<KeylakeTable> tables(String parameter) {
    String written = text(parameter).strip();
    if (!written.endsWith(".*")) {
      return List.of(table(parameter));
    }
    String[] namespace = namespace(written.substring(0, written.length() - 2));
    List<KeylakeTable> tables = new ArrayList<>();
    try {
      Identifier[] names = catalog.listTables(namespace);
      Arrays.sort(names, Comparator.comparing(Identifier::name));
      for (Identifier name : names) {
        if (catalog.loadTable(name) instanceof KeylakeTable ours) {
          tables.add(ours);
        }
      }
    } catch (NoSuchNamespaceException | NoSuchTableException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "Cannot call " + procedure.name() + ": " + e.getMessage(),
          e);
    }
    return List.copyOf(tables);
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

  /** The identifier that an argument names, whether there is such a table or not. */
  public Identifier identifierOf(String parameter) {
    return identifier(text(parameter));
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

  /** The namespace that an argument names, as {@code db} or {@code catalog.db}; empty when NULL. */
  public Optional<String[]> optionalNamespace(String parameter) {
    return optionalText(parameter).map(this::namespace);
  }

  private String[] namespace(String written) {
    List<String> parts = parts(written);
    int start = parts.size() > 1 && parts.get(0).equals(catalog.name()) ? 1 : 0;
    return parts.subList(start, parts.size()).toArray(String[]::new);
  }

  /** Without back quotes every dot separates; {@code t$branch_b} needs no quotes here. */
  private List<String> parts(String written) {
    if (written.indexOf('`') < 0) {
      return List.of(written.split("\\.", -1));
    }
    try {
      return CollectionConverters.asJava(PARSER.parseMultipartIdentifier(written));
    } catch (ParseException e) {
      throw invalid("'" + written + "' is no name. Close every back quote.");
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
  public InvalidRequestException invalid(String problem) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST, "Cannot call " + procedure.name() + ": " + problem);
  }
}
