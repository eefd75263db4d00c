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
import org.apache.spark.sql.execution.command.v2.AlterTableSetTblPropertiesSuite;
import scala.collection.immutable.Map;
import scala.collection.immutable.Set;

/** Spark's suite for ALTER TABLE ... SET TBLPROPERTIES. */
public final class AlterTableSetTblPropertiesTest extends AlterTableSetTblPropertiesSuite {
  @Override
  public SparkConf sparkConf() {
    return SuiteCatalogs.in(super.sparkConf(), PlainTable.Part.PROPERTIES);
  }

  @Override
  public String defaultUsing() {
    return SuiteCatalogs.USING;
  }

  @Override
  public Map<String, Set<String>> tags() {
    return ExcludedTests.tags(this, super.tags());
  }

  @Override
  public void afterEach() {
    super.afterEach();
    SuiteCatalogs.clear();
  }
}
