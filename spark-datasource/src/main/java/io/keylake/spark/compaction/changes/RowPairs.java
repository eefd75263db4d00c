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

package io.keylake.spark.compaction.changes;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.gather.GatherSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Pairs of rows that are compared, column by column: one tight loop over the pairs that are equal
 * so far. For one thread.
 *
 * <ol>
 *   <li>Values are equal when they are stored alike; all NaN are equal, 0.0 and -0.0 are not.
 *   <li>Maps are equal when their entries are, in their order.
 * </ol>
 */
final class RowPairs {
  private final List<Integer> columns;
  private final List<ValueEquality> equalities;
  private int size;
  private int[] items = new int[64];
  private int[] leftSources = new int[64];
  private int[] leftRows = new int[64];
  private int[] rightSources = new int[64];
  private int[] rightRows = new int[64];
  private boolean[] equal = new boolean[64];

  private RowPairs(List<Integer> columns, List<ValueEquality> equalities) {
    this.columns = columns;
    this.equalities = equalities;
  }

  /** Pairs of rows of a table, of one key each, that are compared without some columns. */
  static RowPairs of(TableSchema schema, List<String> ignored) {
    List<Integer> columns = new ArrayList<>();
    List<ValueEquality> equalities = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      DataField field = schema.fields().get(i);
      boolean counts =
          !ignored.contains(field.name())
              && !schema.primaryKeys().contains(field.name())
              && !schema.partitionKeys().contains(field.name());
      if (counts) {
        DataType type = SparkTypes.toSpark(field.name(), field.type());
        columns.add(i);
        equalities.add(ValueEquality.of(type));
      }
    }
    return new RowPairs(columns, equalities);
  }

  void clear() {
    size = 0;
  }

  /** Adds a pair; {@code item} is whatever the caller knows it by. */
  void add(int item, int leftSource, int leftRow, int rightSource, int rightRow) {
    if (size == items.length) {
      int room = 2 * size;
      items = Arrays.copyOf(items, room);
      leftSources = Arrays.copyOf(leftSources, room);
      leftRows = Arrays.copyOf(leftRows, room);
      rightSources = Arrays.copyOf(rightSources, room);
      rightRows = Arrays.copyOf(rightRows, room);
      equal = new boolean[room];
    }
    items[size] = item;
    leftSources[size] = leftSource;
    leftRows[size] = leftRow;
    rightSources[size] = rightSource;
    rightRows[size++] = rightRow;
  }

  int size() {
    return size;
  }

  int item(int pair) {
    return items[pair];
  }

  boolean isEqual(int pair) {
    return equal[pair];
  }

  /** Compares all pairs, whose batches are {@code sources}. */
  void compare(List<GatherSource> sources) {
    Arrays.fill(equal, 0, size, true);
    for (int i = 0; i < columns.size(); i++) {
      compare(sources, columns.get(i), equalities.get(i));
    }
  }

  private void compare(List<GatherSource> sources, int column, ValueEquality equality) {
    int leftSource = -1;
    int rightSource = -1;
    ColumnVector left = null;
    ColumnVector right = null;
    for (int pair = 0; pair < size; pair++) {
      if (!equal[pair]) {
        continue;
      }
      if (left == null || leftSources[pair] != leftSource) {
        leftSource = leftSources[pair];
        left = sources.get(leftSource).column(column);
      }
      if (right == null || rightSources[pair] != rightSource) {
        rightSource = rightSources[pair];
        right = sources.get(rightSource).column(column);
      }
      equal[pair] = equality.isEqual(left, leftRows[pair], right, rightRows[pair]);
    }
  }
}
