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

import java.util.List;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/** Replaces columns of one plan by their names, which another plan can find its own by. */
final class NamedColumns extends AbstractPartialFunction<Expression, Expression> {
  @Override
  public boolean isDefinedAt(Expression expression) {
    return expression instanceof AttributeReference;
  }

  @Override
  public <A extends Expression, B> B applyOrElse(A expression, Function1<A, B> other) {
    if (expression instanceof AttributeReference column) {
      @SuppressWarnings("unchecked")
      B named =
          (B) new UnresolvedAttribute(CollectionConverters.asScala(List.of(column.name())).toSeq());
      return named;
    }
    return other.apply(expression);
  }
}
