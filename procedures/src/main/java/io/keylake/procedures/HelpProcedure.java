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

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL sys.help()} lists all procedures; {@code CALL sys.help(procedure => 'x')} says all of
 * one.
 *
 * @param all the procedures, this one among them
 */
record HelpProcedure(Supplier<List<TableProcedure>> all) implements TableProcedure {
  private static final String PROCEDURE = "procedure";

  @Override
  public String name() {
    return "help";
  }

  @Override
  public String description() {
    return "Lists all procedures, or the arguments and the result of one.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.help(procedure => 'compact')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.optional(
            PROCEDURE, DataTypes.StringType, "its name; all procedures unless given"));
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("procedure", DataTypes.StringType, false)
        .add("kind", DataTypes.StringType, false)
        .add("name", DataTypes.StringType, true)
        .add("type", DataTypes.StringType, true)
        .add("default", DataTypes.StringType, true)
        .add("description", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    Optional<String> wanted = arguments.optionalText(PROCEDURE);
    if (wanted.isEmpty()) {
      return all.get().stream()
          .sorted(Comparator.comparing(TableProcedure::name))
          .map(p -> line(p, "procedure", signature(p), null, null, p.description()))
          .toList();
    }
    String name = wanted.get().strip().toLowerCase(Locale.ROOT);
    return all.get().stream()
        .filter(procedure -> procedure.name().equals(name))
        .findFirst()
        .map(HelpProcedure::details)
        .orElseThrow(
            () ->
                arguments.invalid(
                    "there is no procedure '" + wanted.get() + "'. " + Procedures.names() + "."));
  }

  private static List<InternalRow> details(TableProcedure procedure) {
    List<InternalRow> lines = new ArrayList<>();
    lines.add(
        line(procedure, "procedure", signature(procedure), null, null, procedure.description()));
    for (ProcedureParameter parameter : procedure.parameters()) {
      lines.add(
          line(
              procedure,
              "argument",
              parameter.name(),
              parameter.dataType().sql(),
              parameter.defaultValue() == null ? null : parameter.defaultValue().getSql(),
              parameter.comment()));
    }
    for (StructField column : procedure.result().fields()) {
      String nulls = column.nullable() ? "may be NULL" : "never NULL";
      lines.add(line(procedure, "output", column.name(), column.dataType().sql(), null, nulls));
    }
    lines.add(line(procedure, "example", null, null, null, procedure.example()));
    return lines;
  }

  private static String signature(TableProcedure procedure) {
    return procedure.parameters().stream()
        .map(p -> p.defaultValue() == null ? p.name() : "[" + p.name() + "]")
        .collect(Collectors.joining(", ", procedure.name() + "(", ")"));
  }

  private static InternalRow line(
      TableProcedure procedure,
      String kind,
      @Nullable String name,
      @Nullable String type,
      @Nullable String defaultValue,
      String description) {
    return ResultRow.of(procedure.name(), kind, name, type, defaultValue, description);
  }
}
