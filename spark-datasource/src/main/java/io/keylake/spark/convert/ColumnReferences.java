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

package io.keylake.spark.convert;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;

/**
 * References to top-level columns by their names, whatever characters these have. Spark parses the
 * texts that {@link Expressions} takes, so that a bare {@code c.d} would be field d of column c.
 */
public final class ColumnReferences {
  private ColumnReferences() {}

  /** The column itself. */
  public static NamedReference column(String name) {
    return Expressions.column(quoted(name));
  }

  /** The identity transform of a column. */
  public static Transform identity(String name) {
    return Expressions.identity(quoted(name));
  }

  /** The bucket transform of columns. */
  public static Transform bucket(int buckets, List<String> names) {
    return Expressions.bucket(
        buckets, names.stream().map(ColumnReferences::quoted).toArray(String[]::new));
  }

  /** The transform of columns by a function of a catalog whose first argument is a number. */
  public static Transform function(String function, int number, List<String> names) {
    List<Expression> arguments = new ArrayList<>();
    arguments.add(Expressions.literal(number));
    names.forEach(name -> arguments.add(column(name)));
    return Expressions.apply(function, arguments.toArray(Expression[]::new));
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
