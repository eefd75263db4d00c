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

import io.keylake.catalog.KeylakeCatalog;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.KeylakeTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.execution.CommandResultExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** Sessions of the one Spark of this module's tests, with and without the planner rules. */
final class SharedSpark {
  private final SparkSession session;

  private SharedSpark(SparkSession session, Path warehouse) {
    this.session = session.newSession();
    this.session.conf().set("spark.sql.catalog.lake", KeylakeCatalog.class.getName());
    this.session.conf().set("spark.sql.catalog.lake.warehouse", warehouse.toString());
    run("CREATE NAMESPACE IF NOT EXISTS lake.db", "USE lake.db");
  }

  /** A session with {@link KeylakeExtensions} whose current catalog is over {@code warehouse}. */
  static SharedSpark withRules(Path warehouse) {
    return new SharedSpark(Roots.EXTENDED, warehouse);
  }

  /** A session without them. */
  static SharedSpark plain(Path warehouse) {
    return new SharedSpark(Roots.PLAIN, warehouse);
  }

  /** Extensions are those of the session that a session was made from. */
  private static final class Roots {
    static final SparkSession PLAIN = builder().create();
    static final SparkSession EXTENDED =
        builder()
            .withExtensions(
                extensions -> {
                  new KeylakeExtensions().apply(extensions);
                  return BoxedUnit.UNIT;
                })
            .create();

    private static SparkSession.Builder builder() {
      return SparkSession.builder()
          .master("local[2, 2]")
          .config("spark.ui.enabled", "false")
          .config("spark.sql.session.timeZone", "UTC")
          .config("spark.sql.shuffle.partitions", "2")
          .config("spark.sql.warehouse.dir", Path.of("target", "spark-warehouse").toString());
    }
  }

  SparkSession session() {
    return session;
  }

  /** Runs statements in order. */
  void run(String... statements) {
    Arrays.stream(statements).forEach(this::sql);
  }

  Dataset<Row> sql(String statement) {
    SparkSession.setActiveSession(session);
    return session.sql(statement);
  }

  /** The rows of a query as text, values separated by a comma. */
  List<String> rows(String query) {
    return sql(query).collectAsList().stream().map(row -> row.mkString(",")).toList();
  }

  /** The physical plan of a statement. */
  String plan(String statement) {
    return rows("EXPLAIN " + statement).get(0);
  }

  /** Runs a statement; what the scans of {@code table} in it counted, summed. */
  long scanned(String statement, String table, String metric) {
    SparkPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) sql(statement))
            .queryExecution()
            .executedPlan();
    List<BatchScanExec> scans = new ArrayList<>();
    collect(plan, "lake.db." + table, scans);
    return scans.stream().mapToLong(scan -> scan.metrics().apply(metric).value()).sum();
  }

  private static void collect(SparkPlan plan, String table, List<BatchScanExec> scans) {
    if (plan instanceof CommandResultExec command) {
      collect(command.commandPhysicalPlan(), table, scans);
    } else if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      collect(adaptive.executedPlan(), table, scans);
    } else if (plan instanceof QueryStageExec stage) {
      collect(stage.plan(), table, scans);
    } else if (plan instanceof BatchScanExec scan && scan.table().name().equals(table)) {
      scans.add(scan);
    }
    CollectionConverters.asJava(plan.children()).forEach(child -> collect(child, table, scans));
  }

  /** The newest snapshot of a table. */
  Snapshot newestSnapshot(String table) {
    TableCatalog catalog =
        (TableCatalog)
            ((org.apache.spark.sql.classic.SparkSession) session)
                .sessionState()
                .catalogManager()
                .catalog("lake");
    try {
      KeylakeTable loaded =
          (KeylakeTable) catalog.loadTable(Identifier.of(new String[] {"db"}, table));
      return Objects.requireNonNull(loaded.pinned().snapshot());
    } catch (NoSuchTableException e) {
      throw new IllegalArgumentException(table, e);
    }
  }
}
