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

package io.keylake.table.maintenance;

import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.ValueComparator;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Smallest and largest value and number of NULLs of each column, found in rows, for comparing
 * stored statistics with them.
 *
 * <ol>
 *   <li>Null counts are exact, except of nested columns, which some formats count by leaves.
 *   <li>Bounds are the smallest and largest value; of text a beginning of the smallest, and
 *       anything not below the largest; of bytes anything outside of them. A bound that is NULL is
 *       unknown.
 *   <li>Not judged: bounds with NaN, of CHAR, VARIANT and nested columns, and of timestamps finer
 *       than microseconds.
 * </ol>
 */
final class ColumnFacts {
  private static final int MICROS = 6;

  private static final Set<DataField> EXTRA =
      Set.of(SystemColumns.ROW_ID, SystemColumns.SEQUENCE_NUMBER);

  private static final class Facts {
    private final @Nullable Comparator<Object> order;
    private long nulls;
    private boolean open;
    private @Nullable Object min;
    private @Nullable Object max;

    Facts(DataType type) {
      this.order = isOrdered(type) ? ValueComparator.of(type) : null;
    }

    void add(@Nullable Object value) {
      if (value == null) {
        nulls++;
        return;
      }
      if (order == null) {
        return;
      }
      open |= isNan(value);
      min = min == null || order.compare(value, min) < 0 ? value : min;
      max = max == null || order.compare(value, max) > 0 ? value : max;
    }

    private static boolean isNan(Object value) {
      return (value instanceof Double number && number.isNaN())
          || (value instanceof Float single && single.isNaN());
    }
  }

  private final RowType type;
  private final List<Facts> facts;
  private long rows;

  ColumnFacts(RowType type) {
    this.type = type;
    this.facts = type.fields().stream().map(field -> new Facts(field.type())).toList();
  }

  private static boolean isOrdered(DataType type) {
    return !type.root().isNested() && type.root() != TypeRoot.VARIANT;
  }

  /** Whether values of the type are read as they are stored. */
  static boolean isExact(DataType type) {
    return switch (type.root()) {
      case TIMESTAMP, TIMESTAMP_LTZ -> ((AtomicType) type).precision() <= MICROS;
      default -> true;
    };
  }

  void add(List<? extends @Nullable Object> values) {
    rows++;
    for (int i = 0; i < facts.size(); i++) {
      facts.get(i).add(values.get(i));
    }
  }

  /**
   * What is wrong with stored statistics, by column.
   *
   * @param names the columns that they cover; null = all
   */
  List<String> differences(ColumnStats stats, @Nullable List<String> names) {
    List<DataField> columns = columns(stats, names);
    boolean none =
        stats.minValues().arity() == 0
            && stats.maxValues().arity() == 0
            && stats.nullCounts().isEmpty();
    if (none || rows == 0) {
      return List.of();
    }
    if (stats.minValues().arity() != columns.size()
        || stats.maxValues().arity() != columns.size()
        || stats.nullCounts().size() != columns.size()) {
      return List.of(
          "statistics have %d, %d and %d values for %d columns"
              .formatted(
                  stats.minValues().arity(),
                  stats.maxValues().arity(),
                  stats.nullCounts().size(),
                  columns.size()));
    }
    List<String> differences = new ArrayList<>();
    BinaryRowCodec codec = BinaryRowCodec.of(RowType.of(columns));
    for (int i = 0; i < columns.size(); i++) {
      DataField column = columns.get(i);
      int position = type.indexOf(column.name());
      if (position >= 0) {
        compare(column, facts.get(position), stats.nullCounts().get(i), differences);
        compare(
            column,
            facts.get(position),
            codec.value(stats.minValues(), i),
            codec.value(stats.maxValues(), i),
            differences);
      }
    }
    return differences;
  }

  private List<DataField> columns(ColumnStats stats, @Nullable List<String> names) {
    List<DataField> columns = new ArrayList<>();
    if (names == null) {
      columns.addAll(type.fields());
      if (stats.minValues().arity() == type.size() + EXTRA.size()) {
        columns.add(SystemColumns.ROW_ID);
        columns.add(SystemColumns.SEQUENCE_NUMBER);
      }
      return columns;
    }
    for (String name : names) {
      int position = type.indexOf(name);
      columns.add(
          position >= 0
              ? type.field(position)
              : EXTRA.stream()
                  .filter(field -> field.name().equals(name))
                  .findFirst()
                  .orElse(DataField.of(0, name, SystemColumns.ROW_ID.type())));
    }
    return columns;
  }

  private static void compare(
      DataField column, Facts found, @Nullable Long nulls, List<String> differences) {
    if (nulls != null && nulls != found.nulls && !column.type().root().isNested()) {
      differences.add(
          column.name() + " has " + found.nulls + " NULLs, its statistics say " + nulls);
    }
  }

  private static void compare(
      DataField column,
      Facts found,
      @Nullable Object low,
      @Nullable Object high,
      List<String> differences) {
    Comparator<Object> order = found.order;
    boolean judged =
        order != null
            && !found.open
            && isExact(column.type())
            && column.type().root() != TypeRoot.CHAR;
    if (!judged || order == null) {
      return;
    }
    Object min = found.min;
    Object max = found.max;
    if (min == null || max == null) {
      if (low != null || high != null) {
        differences.add(column.name() + " has no value, its statistics say " + low + " to " + high);
      }
      return;
    }
    if (low != null && !isLowerBound(order, low, min)) {
      differences.add(column.name() + " is at least " + min + ", its statistics say " + low);
    }
    if (high != null && !isUpperBound(order, high, max)) {
      differences.add(column.name() + " is at most " + max + ", its statistics say " + high);
    }
  }

  private static boolean isLowerBound(Comparator<Object> order, Object low, Object min) {
    int compared = order.compare(low, min);
    if (min instanceof String text) {
      return compared <= 0 && text.startsWith((String) low);
    }
    return min instanceof Bytes ? compared <= 0 : compared == 0;
  }

  private static boolean isUpperBound(Comparator<Object> order, Object high, Object max) {
    int compared = order.compare(high, max);
    boolean truncated = max instanceof String || max instanceof Bytes;
    return truncated ? compared >= 0 : compared == 0;
  }
}
