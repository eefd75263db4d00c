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

package io.keylake.suites.table;

import io.keylake.suites.ExcludedTests;
import io.keylake.suites.PlainTable;
import io.keylake.suites.SuiteCatalogs;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.AlterTableTests;
import org.apache.spark.sql.connector.DistributionAndOrderingSuiteBase;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import scala.collection.immutable.Map;
import scala.collection.immutable.Set;

/**
 * Spark's suite for ALTER TABLE. The class that is extended only mixes in what a Java class cannot.
 */
public final class AlterTableTest extends DistributionAndOrderingSuiteBase
    implements AlterTableTests {
  private static final String NAMESPACE = SuiteCatalogs.LAKE + ".ns";

  public AlterTableTest() {
    AlterTableTests.$init$(this);
  }

  @Override
  public String catalogAndNamespace() {
    return NAMESPACE + ".";
  }

  @Override
  public String v2Format() {
    return "keylake";
  }

  @Override
  public Table getTableMetadata(String table) {
    TableCatalog catalog =
        (TableCatalog) spark().sessionState().catalogManager().catalog(SuiteCatalogs.LAKE);
    String[] parts = table.split("\\.", -1);
    try {
      return catalog.loadTable(Identifier.of(new String[] {parts[1]}, parts[2]));
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public SparkConf sparkConf() {
    return SuiteCatalogs.in(super.sparkConf(), PlainTable.Part.COLUMNS, PlainTable.Part.PROPERTIES)
        .set("spark.sql.defaultCatalog", SuiteCatalogs.LAKE);
  }

  @Override
  public Map<String, Set<String>> tags() {
    return ExcludedTests.tags(this, super.tags());
  }

  @Override
  public void beforeEach() {
    super.beforeEach();
    spark().sql("CREATE NAMESPACE " + NAMESPACE);
  }

  @Override
  public void afterEach() {
    super.afterEach();
    spark().sessionState().catalogManager().reset();
    SuiteCatalogs.clear();
  }
}
