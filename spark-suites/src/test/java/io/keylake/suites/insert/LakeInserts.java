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

package io.keylake.suites.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.spark.KeylakeTable;
import io.keylake.suites.ExcludedTests;
import io.keylake.suites.SuiteCatalogs;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.InsertIntoTests;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import scala.collection.immutable.Map;
import scala.collection.immutable.Set;

/** Spark's suite for INSERT on tables of ours; a subclass says by which API rows are inserted. */
abstract class LakeInserts extends InsertIntoTests {
  private static final String NAMESPACE = SuiteCatalogs.LAKE + ".ns";

  /** Which tests there are. */
  enum Scope {
    SQL,
    DATA_FRAME
  }

  LakeInserts(Scope scope) {
    super(true, scope == Scope.SQL);
  }

  @Override
  public final String catalogAndNamespace() {
    return NAMESPACE + ".";
  }

  @Override
  public final String v2Format() {
    return "keylake";
  }

  @Override
  public final SparkConf sparkConf() {
    return SuiteCatalogs.in(super.sparkConf())
        .set("spark.sql.defaultCatalog", SuiteCatalogs.LAKE)
        .set("spark.sql.ansi.enabled", "true");
  }

  @Override
  public final Map<String, Set<String>> tags() {
    return ExcludedTests.tags(this, super.tags());
  }

  @Override
  public final void beforeEach() {
    super.beforeEach();
    spark().sql("CREATE NAMESPACE " + NAMESPACE);
    spark().sql("CREATE NAMESPACE IF NOT EXISTS " + SuiteCatalogs.LAKE + ".default");
  }

  @Override
  public final void afterEach() {
    super.afterEach();
    spark().sessionState().catalogManager().reset();
    SuiteCatalogs.clear();
  }

  @Override
  public final void verifyTable(String table, Dataset<Row> expected) {
    checkAnswer(() -> spark().table(table), expected);
  }

  /** Compares with what the newest snapshot says. */
  @Override
  public final void checkInsertMetrics(String table, long rows) {
    String[] name = table.split("\\.", -1);
    TableCatalog catalog =
        (TableCatalog) spark().sessionState().catalogManager().catalog(SuiteCatalogs.LAKE);
    try {
      KeylakeTable loaded =
          (KeylakeTable) catalog.loadTable(Identifier.of(new String[] {name[1]}, name[2]));
      assertThat(loaded.pinned().snapshot().properties())
          .containsEntry("keylake.rows-inserted", Long.toString(rows));
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }
}
