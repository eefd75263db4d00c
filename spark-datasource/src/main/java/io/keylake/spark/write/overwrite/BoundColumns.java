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

package io.keylake.spark.write.overwrite;

import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkTypes;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractPartialFunction;

/** Replaces names of columns in an expression by their places in a row; unknown names stay. */
final class BoundColumns extends AbstractPartialFunction<Expression, Expression> {
  private final RowType row;

  BoundColumns(RowType row) {
    this.row = row;
  }

  @Override
  public boolean isDefinedAt(Expression expression) {
    return bound(expression) != null;
  }

  @Override
  public <A extends Expression, B> B applyOrElse(A expression, Function1<A, B> other) {
    @SuppressWarnings("unchecked")
    B bound = (B) bound(expression);
    return bound == null ? other.apply(expression) : bound;
  }

  private @Nullable Expression bound(Expression expression) {
    if (expression instanceof AttributeReference column) {
      return column(column.name());
    }
    return expression instanceof UnresolvedAttribute name ? field(name.nameParts()) : null;
  }

  private @Nullable Expression field(Seq<String> path) {
    Expression field = column(path.head());
    for (int i = 1; i < path.size(); i++) {
      if (field == null || !(field.dataType() instanceof StructType struct)) {
        return null;
      }
      Option<Object> ordinal = struct.getFieldIndex(path.apply(i));
      field =
          ordinal.isEmpty()
              ? null
              : new GetStructField(field, (Integer) ordinal.get(), Option.apply(path.apply(i)));
    }
    return field;
  }

  private @Nullable Expression column(String name) {
    int position = position(name);
    if (position < 0) {
      return null;
    }
    DataType type = SparkTypes.toSpark(name, row.field(position).type());
    return new BoundReference(
        position,
        CharVarcharUtils.replaceCharVarcharWithString(type),
        row.field(position).type().nullable());
  }

  /** Plans keep the spelling of the statement; where it names a column, Spark has checked it. */
  private int position(String name) {
    int exact = row.indexOf(name);
    for (int i = 0; exact < 0 && i < row.size(); i++) {
      if (row.field(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    return exact;
  }
}
