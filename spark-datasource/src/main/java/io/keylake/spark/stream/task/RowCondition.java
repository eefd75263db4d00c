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

package io.keylake.spark.stream.task;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A condition on rows, as it travels to tasks.
 *
 * @param condition the condition
 * @param inputs the columns of rows, in order
 */
public record RowCondition(Expression condition, List<Attribute> inputs) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the lists. */
  public RowCondition {
    inputs = List.copyOf(inputs);
  }

  /** Evaluates it on one row after another; for one thread. */
  BasePredicate evaluator() {
    return Predicate$.MODULE$.create(condition, CollectionConverters.asScala(inputs).toSeq());
  }
}
