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
import io.keylake.spark.read.KeylakeScanBuilder;
import io.keylake.spark.read.ReadTarget;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code t$ro}: of a table with a primary key what full compaction has reached, read without
 * merging; of an append table all of it. Read only.
 */
final class ReadOptimizedTable implements SupportsRead, SupportsMetadataColumns {
  private final KeylakeTable table;

  ReadOptimizedTable(KeylakeTable table) {
    this.table = table;
  }

  @Override
  public String name() {
    return table.name() + "$" + KeylakeTable.READ_OPTIMIZED;
  }

  @Override
  public String id() {
    return table.id() + "$" + KeylakeTable.READ_OPTIMIZED;
  }

  @Override
  public String version() {
    return table.version();
  }

  @Override
  public Column[] columns() {
    return table.columns();
  }

  @Override
  public Transform[] partitioning() {
    return table.partitioning();
  }

  @Override
  public Map<String, String> properties() {
    return table.properties();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ);
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return table.metadataColumns();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return SparkErrors.translating(
        () -> new KeylakeScanBuilder(table.target(options, ReadTarget.View.TOP_LEVEL)));
  }
}
