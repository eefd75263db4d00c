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

package io.keylake.spark.write.change;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Whether two rows of a table have the same stored values in some columns. For one thread. */
final class ColumnEquality {
  private final BinaryRowAssembler left;
  private final BinaryRowAssembler right;
  private final boolean isTrivial;

  private ColumnEquality(RowType rows, List<String> columns) {
    List<Integer> positions = columns.stream().map(rows::indexOf).toList();
    this.left = new BinaryRowAssembler(rows.project(columns), positions, rows.size());
    this.right = new BinaryRowAssembler(rows.project(columns), positions, rows.size());
    this.isTrivial = columns.isEmpty();
  }

  /** Compares the partition columns that are not part of the primary key. */
  static ColumnEquality ofPartitions(TableSchema schema) {
    return new ColumnEquality(
        schema.rowType(),
        schema.partitionKeys().stream()
            .filter(column -> !schema.primaryKeys().contains(column))
            .toList());
  }

  boolean isSame(UnsafeRow one, UnsafeRow other) {
    if (isTrivial) {
      return true;
    }
    left.assemble(one.getBaseObject(), one.getBaseOffset());
    right.assemble(other.getBaseObject(), other.getBaseOffset());
    return Arrays.equals(left.buffer(), 0, left.size(), right.buffer(), 0, right.size());
  }
}
