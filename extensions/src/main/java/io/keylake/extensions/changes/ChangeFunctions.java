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

package io.keylake.extensions.changes;

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.SparkErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Table functions that read changes. The table is named by a text, which is resolved as in {@code
 * FROM}: in the current catalog and namespace.
 *
 * <ul>
 *   <li>{@code table_changes('t', start [, end])}: as {@code t CHANGES FROM start TO end}, versions
 *       or timestamps, both included. A text that begins like a date is a timestamp.
 *   <li>{@code paimon_incremental_query('t', start, end)}: the option {@code incremental-between};
 *       {@code paimon_incremental_between_timestamp('t', start, end)}: {@code
 *       incremental-between-timestamp}; {@code paimon_incremental_to_auto_tag('t', tag)}: {@code
 *       incremental-to-auto-tag}.
 * </ul>
 */
public final class ChangeFunctions {
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{1,2}-\\d{1,2}.*");

  private ChangeFunctions() {}

  /** Adds the functions to a session. */
  public static void inject(SparkSessionExtensions extensions) {
    inject(extensions, "table_changes", ChangeFunctions::changes);
    inject(
        extensions,
        "paimon_incremental_query",
        arguments -> incremental("incremental-between", arguments, 3));
    inject(
        extensions,
        "paimon_incremental_between_timestamp",
        arguments -> incremental("incremental-between-timestamp", arguments, 3));
    inject(
        extensions,
        "paimon_incremental_to_auto_tag",
        arguments -> incremental("incremental-to-auto-tag", arguments, 2));
  }

  /** The query that a call stands for. */
  @FunctionalInterface
  private interface Query {
    String of(Arguments arguments);
  }

  private static void inject(SparkSessionExtensions extensions, String name, Query query) {
    extensions.injectTableFunction(
        new Tuple3<>(
            new FunctionIdentifier(name),
            new ExpressionInfo(ChangeFunctions.class.getName(), name),
            (Seq<Expression> values) ->
                parse(
                    query.of(
                        new Arguments(name, List.copyOf(CollectionConverters.asJava(values)))))));
  }

  private static ParserInterface parser() {
    return ((org.apache.spark.sql.classic.SparkSession) SparkSession.active())
        .sessionState()
        .sqlParser();
  }

  private static LogicalPlan parse(String query) {
    try {
      return parser().parsePlan(query);
    } catch (ParseException e) {
      throw new IllegalStateException("Cannot parse " + query, e);
    }
  }

  private static String changes(Arguments arguments) {
    arguments.check(2, 3, "the name of a table, a start and perhaps an end");
    boolean byTime = arguments.isTime(1);
    String unit = byTime ? "TIMESTAMP" : "VERSION";
    String end = arguments.count() == 3 ? " TO " + unit + " " + quoted(arguments.end(byTime)) : "";
    return "SELECT * FROM %s CHANGES FROM %s %s%s"
        .formatted(arguments.table(), unit, quoted(arguments.text(1)), end);
  }

  private static String incremental(String option, Arguments arguments, int count) {
    arguments.check(
        count,
        count,
        count == 3 ? "the name of a table, a start and an end" : "the name of a table and a tag");
    List<String> ends = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      ends.add(arguments.text(i));
    }
    return "SELECT * FROM %s WITH ('%s' = %s)"
        .formatted(arguments.table(), option, quoted(String.join(",", ends)));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** What a function is called with. */
  private record Arguments(String function, List<Expression> values) {
    int count() {
      return values.size();
    }

    void check(int min, int max, String what) {
      if (count() < min || count() > max) {
        throw invalid("takes " + what + ", not " + count() + " arguments");
      }
    }

    /** The table as SQL names it. */
    String table() {
      return parts(text(0)).stream()
          .map(part -> "`" + part.replace("`", "``") + "`")
          .collect(Collectors.joining("."));
    }

    private List<String> parts(String name) {
      if (!name.contains("`")) {
        return Arrays.asList(name.split("\\.", -1));
      }
      try {
        return CollectionConverters.asJava(parser().parseMultipartIdentifier(name));
      } catch (ParseException e) {
        throw invalid("takes the name of a table, which " + name + " is not: " + e.getMessage());
      }
    }

    boolean isTime(int index) {
      Expression value = values.get(index);
      return value.dataType() instanceof TimestampType
          || value.dataType() instanceof TimestampNTZType
          || value.dataType() instanceof DateType
          || DATE.matcher(text(index)).matches();
    }

    String end(boolean byTime) {
      if (isTime(2) != byTime) {
        throw invalid("takes two versions or two timestamps, not one of each");
      }
      return text(2);
    }

    String text(int index) {
      Expression value = values.get(index);
      Object text = value.foldable() ? asText(value) : null;
      if (text == null) {
        throw invalid(
            "takes constants that are not NULL; argument " + (index + 1) + " is " + value.sql());
      }
      return text.toString();
    }

    private static @Nullable Object asText(Expression value) {
      return new Cast(
              value,
              DataTypes.StringType,
              Option.apply(SQLConf.get().sessionLocalTimeZone()),
              EvalMode.LEGACY())
          .eval(null);
    }

    private RuntimeException invalid(String why) {
      return SparkErrors.failure(
          Condition.KEYLAKE_INVALID_REQUEST, "The table function " + function + " " + why + ".");
    }
  }
}
