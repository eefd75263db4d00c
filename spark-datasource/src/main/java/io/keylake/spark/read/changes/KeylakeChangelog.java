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

package io.keylake.spark.read.changes;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkTypes;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The changes of a table for Spark's {@code CHANGES}.
 *
 * <ol>
 *   <li>Rows are true pre- and post-images: no rows that only moved, no update told as a delete and
 *       an insert. So Spark adds no step of its own, but for net changes.
 *   <li>A row of a primary-key table is identified by its key. Rows of an append table have no
 *       identity: their net changes are refused.
 * </ol>
 */
public final class KeylakeChangelog implements Changelog {
  private final ChangeTarget target;

  /**
   * The changes of a table.
   *
   * @throws io.keylake.format.errors.TableException when they cannot be shown
   */
  public KeylakeChangelog(ChangeTarget target, ChangelogContext context) {
    this.target = target;
    checkColumns();
    if (context.deduplicationMode() == ChangelogContext.DeduplicationMode.NET_CHANGES
        && !target.schema().hasPrimaryKey()) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Net changes of table "
              + target.name().text()
              + " cannot be told: it has no primary key that says which rows are the same. Read"
              + " all of its changes (deduplicationMode 'none' or 'dropCarryovers').");
    }
  }

  private void checkColumns() {
    for (DataField field : target.schema().fields()) {
      if (ChangeForm.CHANGES.meta(field.name()).isPresent()) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_INVALID_REQUEST,
            "The changes of table "
                + target.name().text()
                + " cannot be read with CHANGES: its column "
                + field.name()
                + " has the name of a column of changes. Rename it, or read the table's"
                + " $audit_log.");
      }
    }
  }

  @Override
  public String name() {
    return target.name().text();
  }

  @Override
  public Column[] columns() {
    return ChangeForm.CHANGES.columns(
        SparkTypes.toColumns(target.schema().fields()), target.conf().options());
  }

  @Override
  public boolean containsCarryoverRows() {
    return false;
  }

  @Override
  public boolean containsIntermediateChanges() {
    return target.schema().hasPrimaryKey();
  }

  @Override
  public boolean representsUpdateAsDeleteAndInsert() {
    return false;
  }

  @Override
  public NamedReference[] rowId() {
    TableSchema schema = target.schema();
    return schema.primaryKeys().stream()
        .map(ColumnReferences::column)
        .toArray(NamedReference[]::new);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new ChangeScanBuilder(target, columns());
  }
}
