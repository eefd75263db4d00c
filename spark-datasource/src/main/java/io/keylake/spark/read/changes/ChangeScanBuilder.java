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

import io.keylake.spark.convert.SparkErrors;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Collects what Spark's planner pushes into a read of changes. Used by one statement. */
public final class ChangeScanBuilder
    implements SupportsPushDownV2Filters, SupportsPushDownRequiredColumns, SupportsPushDownLimit {
  private final ChangeTarget target;
  private ChangeFilters filters = ChangeFilters.NONE;
  private final StructType all;
  private StructType required;
  private int limit = ChangeRequest.NO_LIMIT;

  /**
   * A builder of a read.
   *
   * @param columns every column that can be read
   */
  public ChangeScanBuilder(ChangeTarget target, Column[] columns) {
    this.target = target;
    this.all =
        new StructType(
            Arrays.stream(columns)
                .map(
                    column ->
                        new StructField(
                            column.name(),
                            column.dataType(),
                            column.nullable(),
                            org.apache.spark.sql.types.Metadata.empty()))
                .toArray(StructField[]::new));
    this.required = all;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    List<Predicate> before = filters.allResidual();
    filters = filters.and(target.form(), target.schema(), predicates);
    List<Predicate> after = filters.allResidual();
    return Arrays.stream(predicates)
        .filter(predicate -> after.contains(predicate) && !before.contains(predicate))
        .toArray(Predicate[]::new);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return filters.allPushed().toArray(Predicate[]::new);
  }

  @Override
  public boolean supportsIterativePushdown() {
    return true;
  }

  /** Columns are read whole: where changes are computed, rows are compared in all of a column. */
  @Override
  public void pruneColumns(StructType requiredSchema) {
    required =
        new StructType(
            Arrays.stream(requiredSchema.fields())
                .map(field -> all.apply(field.name()))
                .toArray(StructField[]::new));
  }

  @Override
  public boolean pushLimit(int rows) {
    limit = rows;
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public Scan build() {
    return SparkErrors.translating(
        () ->
            new ChangeScan(
                target,
                ChangeRequest.of(
                    target.form(), target.schema().rowType(), required, filters, limit)));
  }
}
