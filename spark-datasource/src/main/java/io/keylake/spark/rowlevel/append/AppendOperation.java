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

package io.keylake.spark.rowlevel.append;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.read.ReadTarget;
import io.keylake.spark.read.RowMetadata;
import io.keylake.spark.rowlevel.RowLevelTarget;
import io.keylake.spark.rowlevel.StatementScans;
import io.keylake.spark.write.WriteTarget;
import io.keylake.spark.write.change.Purpose;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.options.support.WriteSupport;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * One DELETE, UPDATE or MERGE on an append table, for Spark's planner. Rows are known by the file
 * they are in and their position in it; the scan reads nothing else but the columns that the
 * statement names, of one pinned version.
 *
 * <p>Where a MERGE brings new rows together by partition or bucket, an update is a delete and an
 * insert: deletes go to the task of their file, new rows to that of their partition.
 */
public final class AppendOperation implements SupportsDelta {
  private final RowLevelOperation.Command command;
  private final Purpose purpose;
  private final ReadTarget read;
  private final WriteTarget write;
  private final NamedReference[] rowId;
  private final StatementScans scans;

  /**
   * An operation.
   *
   * @param target the pinned version, and the same table for writing
   */
  public AppendOperation(
      RowLevelTarget target, RowLevelOperation.Command command, Purpose purpose) {
    this.command = command;
    this.purpose = purpose;
    this.read = target.read();
    this.write = target.write();
    this.scans = new StatementScans(target.read());
    TableSchema schema = read.schema();
    this.rowId =
        new NamedReference[] {
          ColumnReferences.column(RowMetadata.fileColumn(schema)),
          ColumnReferences.column(RowMetadata.positionColumn(schema))
        };
    WriteSupport.check(schema, write.name().text());
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public String description() {
    return "Keylake " + command + " on " + write.name().text();
  }

  @Override
  public NamedReference[] rowId() {
    return rowId.clone();
  }

  /** The row id, which updated rows keep. */
  @Override
  public NamedReference[] requiredMetadataAttributes() {
    return TrackedRows.areIn(read.schema()) && command != Command.DELETE
        ? new NamedReference[] {ColumnReferences.column(TrackedRows.ROW_ID.name())}
        : new NamedReference[0];
  }

  @Override
  public boolean representUpdateAsDeleteAndInsert() {
    return command == Command.MERGE && AppendDeltaWrite.clustersRows(write);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return scans.begin();
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new Builder(info);
  }

  private final class Builder implements DeltaWriteBuilder {
    private final LogicalWriteInfo info;

    Builder(LogicalWriteInfo info) {
      this.info = info;
    }

    @Override
    public AppendDeltaWrite build() {
      return SparkErrors.translating(
          () ->
              new AppendDeltaWrite(
                  new AppendStatement(command, purpose, read, write, scans), info));
    }
  }
}
