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

package io.keylake.extensions.plans;

import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Function1;
import scala.runtime.AbstractPartialFunction;

/** Replaces the nodes of one class for which {@code replacement} has a better one. */
public final class Replacing<N extends LogicalPlan>
    extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
  private final Class<N> type;
  private final Function<N, Optional<? extends LogicalPlan>> replacement;

  /**
   * Of the nodes of a plan.
   *
   * @param replacement what stands for a node; empty = the node stays
   */
  public Replacing(Class<N> type, Function<N, Optional<? extends LogicalPlan>> replacement) {
    this.type = type;
    this.replacement = replacement;
  }

  @Override
  public boolean isDefinedAt(LogicalPlan plan) {
    return type.isInstance(plan) && replacement.apply(type.cast(plan)).isPresent();
  }

  @Override
  @SuppressWarnings("unchecked")
  public <A extends LogicalPlan, B> B applyOrElse(A plan, Function1<A, B> otherwise) {
    if (type.isInstance(plan)) {
      Optional<? extends LogicalPlan> better = replacement.apply(type.cast(plan));
      if (better.isPresent()) {
        return (B) better.get();
      }
    }
    return otherwise.apply(plan);
  }
}
