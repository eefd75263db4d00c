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

package io.keylake.extensions.parser;

import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The rules that plans need before their tables are looked up, for sessions that would leave them
 * out: Spark applies the hint resolution rules of extensions in sessions with its own catalog in
 * memory, but not where that catalog is Hive's, as in {@code spark-sql} and in the shells. There
 * the parser applies them to what it has parsed. Plans that frames make without a statement do not
 * come by here. Pinned by {@code python/tests/test_scripts.py}.
 */
final class EarlyRules {
  private final SparkSession session;
  private final List<Function<org.apache.spark.sql.SparkSession, Rule<LogicalPlan>>> builders;
  private @Nullable List<Rule<LogicalPlan>> rules;

  EarlyRules(
      SparkSession session,
      List<Function<org.apache.spark.sql.SparkSession, Rule<LogicalPlan>>> builders) {
    this.session = session;
    this.builders = List.copyOf(builders);
  }

  /** The plan with the rules applied, where Spark does not do it. */
  LogicalPlan applied(LogicalPlan plan) {
    LogicalPlan changed = plan;
    for (Rule<LogicalPlan> rule : missing()) {
      changed = rule.apply(changed);
    }
    return changed;
  }

  /** The session's state does not exist yet when the parser is made. */
  private synchronized List<Rule<LogicalPlan>> missing() {
    if (rules == null) {
      boolean isDone = !session.sessionState().analyzer().hintResolutionRules().isEmpty();
      rules =
          isDone ? List.of() : builders.stream().map(builder -> builder.apply(session)).toList();
    }
    return rules;
  }
}
