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

package io.keylake.spark.rowlevel.replace;

import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.read.KeylakeScanBuilder;
import io.keylake.spark.read.RowMetadata;
import io.keylake.spark.rowlevel.RowLevelOperations;
import io.keylake.spark.rowlevel.RowLevelTarget;
import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The table as the DELETE sees it that is part of an overwrite: its commit takes the new rows
 * along. It cannot delete whole partitions without reading, which would be a commit of its own.
 */
final class RemovalTable
    implements SupportsRead, SupportsRowLevelOperations, SupportsMetadataColumns {
  private final RowLevelTarget target;
  private final JoinedRows joined;

  RemovalTable(RowLevelTarget target, JoinedRows joined) {
    this.target = target;
    this.joined = joined;
  }

  @Override
  public String name() {
    return target.write().name().text();
  }

  @Override
  public Column[] columns() {
    return SparkTypes.toColumns(target.read().schema().fields());
  }

  @Override
  public Transform[] partitioning() {
    return target.read().schema().partitionKeys().stream()
        .map(ColumnReferences::identity)
        .toArray(Transform[]::new);
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return RowMetadata.columns(target.read().schema());
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return KeylakeScanBuilder.ofRowLevel(target.read());
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    return () -> new Operation(RowLevelOperations.removal(target), joined);
  }

  /** The removal as a statement of its own has it, but for its commit. */
  private record Operation(SupportsDelta removal, JoinedRows joined) implements SupportsDelta {
    @Override
    public Command command() {
      return removal.command();
    }

    @Override
    public String description() {
      return removal.description();
    }

    @Override
    public NamedReference[] rowId() {
      return removal.rowId();
    }

    @Override
    public NamedReference[] requiredMetadataAttributes() {
      return removal.requiredMetadataAttributes();
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return removal.newScanBuilder(options);
    }

    @Override
    public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
      DeltaWriteBuilder builder = removal.newWriteBuilder(info);
      return new DeltaWriteBuilder() {
        @Override
        public DeltaWrite build() {
          DeltaWrite write = builder.build();
          return new RemovalWrite(write, (RequiresDistributionAndOrdering) write, joined);
        }
      };
    }
  }
}
