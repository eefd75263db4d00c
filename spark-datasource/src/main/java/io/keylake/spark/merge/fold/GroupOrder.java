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

package io.keylake.spark.merge.fold;

import io.keylake.format.types.DataField;
import io.keylake.spark.vector.ValueOrder;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/** The order of rows in one sequence group: its fields in turn, ascending, NULL first. */
final class GroupOrder {
  private final int[] columns;
  private final ValueOrder[] orders;

  /**
   * The order by some fields.
   *
   * @param fields the fields
   * @param columns where they are among the columns of the versions
   */
  GroupOrder(List<DataField> fields, List<Integer> columns) {
    this.columns = columns.stream().mapToInt(Integer::intValue).toArray();
    orders = fields.stream().map(field -> ValueOrder.of(field.type())).toArray(ValueOrder[]::new);
  }

  /** Whether all fields of a row are NULL. */
  boolean isEmpty(VersionBatch versions, int version) {
    for (int column : columns) {
      if (!versions.column(column).isNullAt(version)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a row is older than another one. */
  boolean isOlder(VersionBatch versions, int version, int other) {
    for (int i = 0; i < columns.length; i++) {
      ColumnVector values = versions.column(columns[i]);
      boolean isNull = values.isNullAt(version);
      boolean otherNull = values.isNullAt(other);
      int order =
          isNull || otherNull
              ? Boolean.compare(!isNull, !otherNull)
              : orders[i].compare(values, version, values, other);
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }
}
