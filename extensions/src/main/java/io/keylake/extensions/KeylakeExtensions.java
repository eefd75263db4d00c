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

package io.keylake.extensions;

import io.keylake.extensions.changes.ChangeFeedRead;
import io.keylake.extensions.changes.ChangeFunctions;
import io.keylake.extensions.changes.StreamedTable;
import io.keylake.extensions.dialect.FlinkDialect;
import io.keylake.extensions.dialect.FlinkFunctions;
import io.keylake.extensions.dialect.MaxPartition;
import io.keylake.extensions.dialect.SingleElementArrays;
import io.keylake.extensions.parser.KeylakeParser;
import io.keylake.extensions.parser.OwnStatement;
import io.keylake.extensions.planning.KeyProbe;
import io.keylake.extensions.planning.LayoutStrategy;
import io.keylake.extensions.planning.MergedSchema;
import io.keylake.extensions.planning.RelationOptions;
import io.keylake.extensions.planning.UpsertMerge;
import io.keylake.extensions.statements.Statements;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.BoxedUnit;

/**
 * What {@code spark.sql.extensions=io.keylake.extensions.KeylakeExtensions} adds to a session:
 * planner rules that make statements cheaper, and mean the same without them, and what Spark has no
 * place for: the options {@code write.merge-schema} and {@code readChangeFeed}, and table functions
 * that read changes. Streams of tables with CHAR or VARCHAR columns, which Spark has no place for
 * either.
 */
public final class KeylakeExtensions implements SparkSessionExtensionsProvider {
  private static final List<OwnStatement> STATEMENTS = Statements.all();

  /** What has to be done before tables are looked up. */
  private static final List<Function<SparkSession, Rule<LogicalPlan>>> EARLY_RULES =
      List.of(
          MergedSchema::new,
          ChangeFeedRead::new,
          StreamedTable::new,
          MaxPartition::new,
          RelationOptions::new);

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectParser(
        (session, delegate) ->
            new KeylakeParser(
                (org.apache.spark.sql.classic.SparkSession) session,
                delegate,
                STATEMENTS,
                new FlinkDialect(),
                EARLY_RULES));
    EARLY_RULES.forEach(rule -> extensions.injectHintResolutionRule(rule::apply));
    ChangeFunctions.inject(extensions);
    FlinkFunctions.inject(extensions);
    extensions.injectResolutionRule(session -> new SingleElementArrays());
    extensions.injectPostHocResolutionRule(session -> new UpsertMerge());
    extensions.injectPreCBORule(KeyProbe::new);
    extensions.injectPlannerStrategy(LayoutStrategy::new);
    return BoxedUnit.UNIT;
  }
}
