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

package io.keylake.extensions.planning;

import io.keylake.extensions.plans.Replacing;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.InsertOnlyMerge;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;

/**
 * MERGE that upserts whole rows by their primary key becomes an append of the source's rows: the
 * table itself puts a row in the place of the older one of its key, so nothing has to be looked
 * for.
 *
 * <pre>
 * MERGE INTO t USING s ON t.id = s.id
 * WHEN MATCHED THEN UPDATE SET *
 * WHEN NOT MATCHED THEN INSERT *
 *
 * WriteDelta                                InsertOnlyMerge
 *   MergeRows                        =&gt;       Project(values of the INSERT)
 *     Join(scan of t, s, ON)                    s
 * </pre>
 *
 * <ol>
 *   <li>ON equates each column of the primary key with a value of the source, and says nothing
 *       else.
 *   <li>There is one WHEN MATCHED THEN UPDATE and one WHEN NOT MATCHED THEN INSERT, without
 *       conditions, and no other clause.
 *   <li>Both write the same values of the source to all columns. A key column gets the value that
 *       ON compares it with, or is left alone by UPDATE.
 *   <li>The table keeps the last row of a key (merge engine {@code deduplicate}), in the order of
 *       commits (no {@code sequence.field}), takes rows for what they are (no {@code
 *       rowkind.field}) and makes no changelog of its input.
 * </ol>
 *
 * <p>The rule runs when Spark has resolved the statement, cast the values to the columns' types and
 * added the checks of what is stored, so all of that is kept. What Spark puts around the rewritten
 * statement, such as a CHECK constraint, leaves it as it is. Two source rows of one key are refused
 * when the write is committed. Pinned by {@code UpsertMergeSparkTest}.
 */
public final class UpsertMerge extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperators(new Replacing<>(WriteDelta.class, UpsertMerge::appended));
  }

  private static Optional<InsertOnlyMerge> appended(WriteDelta write) {
    return MatchedUpsert.of(write)
        .filter(
            upsert ->
                upsert.relation().table() instanceof KeylakeTable table
                    && keepsLastRow(table, upsert.relation())
                    && upsert.writesSourceRowsByKey(
                        Set.copyOf(table.pinned().schema().primaryKeys())))
        .map(UpsertMerge::append);
  }

  private static boolean keepsLastRow(KeylakeTable table, DataSourceV2Relation relation) {
    TableVersion version = table.pinned();
    TableOptions options =
        TableOptions.of(
            version.schema(), SessionOptions.overrides(version.name(), relation.options()));
    MergeOptions merge = options.merge();
    return version.schema().hasPrimaryKey()
        && merge.engine() == MergeOptions.Engine.DEDUPLICATE
        && merge.sequenceFields().isEmpty()
        && merge.rowKindField() == null
        && merge.changelogProducer() != MergeOptions.ChangelogProducer.INPUT
        && !(BucketMode.of(version.schema(), options.bucket())
            instanceof BucketMode.CrossPartition);
  }

  private static InsertOnlyMerge append(MatchedUpsert upsert) {
    List<NamedExpression> columns = new ArrayList<>();
    for (int i = 0; i < upsert.inserted().size(); i++) {
      columns.add(
          new Alias(
              upsert.inserted().get(i),
              upsert.relation().output().apply(i).name(),
              NamedExpression.newExprId(),
              Lists.seq(List.of()),
              Option.empty(),
              Lists.seq(List.of())));
    }
    return new InsertOnlyMerge(
        upsert.relation(),
        new Project(Lists.seq(columns), upsert.source()),
        Option.empty(),
        Option.empty());
  }
}
