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

package io.keylake.spark;

import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.read.changes.ChangeForm;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The changes of a table as a table of their own: {@code t$audit_log} and {@code t$binlog}, and a
 * read with the option {@code readChangeFeed}. Which changes is said by the options of the read.
 */
final class ChangeTable implements SupportsRead {
  private final KeylakeTable table;
  private final String name;
  private final ChangeForm form;
  private final TableChanges changes;

  /**
   * The changes.
   *
   * @param name the table's own name
   */
  ChangeTable(KeylakeTable table, String name, ChangeForm form) {
    this.table = table;
    this.name = name;
    this.form = form;
    this.changes = new TableChanges(table);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return table.version();
  }

  @Override
  public Column[] columns() {
    return changes.columns(form);
  }

  @Override
  public Map<String, String> properties() {
    return table.properties();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return SparkErrors.translating(() -> changes.scan(form, options));
  }
}
