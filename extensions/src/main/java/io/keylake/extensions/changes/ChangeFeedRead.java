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

import io.keylake.extensions.plans.Replacing;
import io.keylake.spark.KeylakeTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.ChangelogContextUtils;
import org.apache.spark.sql.catalyst.analysis.RelationChanges;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Reads the changes of a table of ours instead of its rows where the option {@code readChangeFeed}
 * says so: the same as {@code CHANGES} with the range that {@code startingVersion} and the like
 * give. Where {@code read.changelog} says so, the table's {@code $audit_log} is read. Runs before
 * relations are resolved, because changes have more columns.
 */
public final class ChangeFeedRead extends Rule<LogicalPlan> {
  private final org.apache.spark.sql.classic.SparkSession session;

  /** The rule of a session. */
  public ChangeFeedRead(SparkSession session) {
    this.session = (org.apache.spark.sql.classic.SparkSession) session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperators(new Replacing<>(UnresolvedRelation.class, this::read));
  }

  private Optional<LogicalPlan> read(UnresolvedRelation relation) {
    if (!asksForChanges(relation)) {
      return Optional.empty();
    }
    return Optional.of(
        KeylakeTable.asksForChangeFeed(relation.options())
            ? changes(relation)
            : auditLog(relation));
  }

  private boolean asksForChanges(UnresolvedRelation relation) {
    boolean asks =
        KeylakeTable.asksForChangeFeed(relation.options())
            || (KeylakeTable.asksForChangelog(relation.options()) && !isMetadataTable(relation));
    return asks && CatalogRelation.find(session, relation).isPresent();
  }

  private static boolean isMetadataTable(UnresolvedRelation relation) {
    return relation.multipartIdentifier().last().contains("$");
  }

  private static LogicalPlan auditLog(UnresolvedRelation relation) {
    List<String> parts = new ArrayList<>();
    CollectionConverters.asJava(relation.multipartIdentifier()).forEach(parts::add);
    int last = parts.size() - 1;
    parts.set(last, parts.get(last) + "$" + KeylakeTable.AUDIT_LOG);
    return new UnresolvedRelation(
        CollectionConverters.asScala(parts).toSeq(), relation.options(), relation.isStreaming());
  }

  private static LogicalPlan changes(UnresolvedRelation relation) {
    return new RelationChanges(
        relation,
        ChangelogContextUtils.fromOptions(
            withoutDeduplication(relation.options()), SQLConf.get().sessionLocalTimeZone()));
  }

  /** Every change is wanted, as it was made. */
  private static CaseInsensitiveStringMap withoutDeduplication(CaseInsensitiveStringMap options) {
    Map<String, String> all = new HashMap<>(options.asCaseSensitiveMap());
    if (!options.containsKey("deduplicationMode")) {
      all.put("deduplicationMode", "none");
    }
    return new CaseInsensitiveStringMap(all);
  }
}
