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

package io.keylake.spark.maintenance.sorting;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.LakeTable;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.clustering.ClusteringStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * The order that rows of an append table are to have inside each partition.
 *
 * @param strategy how columns are combined; never AUTO
 * @param columns the columns, the most important one first
 */
public record RowOrder(ClusteringStrategy strategy, List<DataField> columns) {
  /** With more columns a curve tells next to nothing of each. */
  static final int MOST_CURVE_COLUMNS = 16;

  /** Copies the list. */
  public RowOrder {
    columns = List.copyOf(columns);
  }

  /**
   * The order of a table's rows by columns of these names.
   *
   * @param names as a user wrote them; none = those of the option {@code clustering.columns}
   * @throws UnsupportedTableException when rows of such a table keep an order of their own
   * @throws InvalidRequestException when the columns make no sense
   */
  public static RowOrder of(LakeTable table, ClusteringStrategy strategy, List<String> names) {
    checkTable(table);
    List<String> wanted =
        names.isEmpty()
            ? CompactionKeys.CLUSTERING_COLUMNS.find(table.options().asMap()).orElse(List.of())
            : names;
    if (wanted.isEmpty()) {
      throw invalid(
          table,
          "order_by names no column, and the table has no 'clustering.columns'. Name the columns"
              + " that queries compare with, such as order_by => 'a,b'");
    }
    List<DataField> columns = new ArrayList<>();
    for (String name : wanted) {
      DataField column = column(table, name);
      if (columns.contains(column)) {
        throw invalid(table, "order_by names the column " + name + " twice. Name it once");
      }
      columns.add(column);
    }
    RowOrder order = new RowOrder(strategy.of(columns.size()), columns);
    order.checkTypes(table);
    return order;
  }

  private static void checkTable(LakeTable table) {
    if (table.schema().hasPrimaryKey()) {
      throw unsupported(
          table,
          "rows of a table with a primary key are sorted by the key. Leave order_strategy and"
              + " order_by out: compact merges its runs");
    }
    if (!(table.bucketMode() instanceof BucketMode.Unaware)) {
      throw unsupported(
          table,
          "rows of its buckets keep the order of writing. Leave order_strategy and order_by out,"
              + " or copy the rows into a table with 'bucket' = '-1'");
    }
    Map<String, String> options = table.options().asMap();
    if (CompactionKeys.CLUSTERING_INCREMENTAL.read(options)) {
      throw unsupported(
          table,
          "it sets 'clustering.incremental', so other engines keep its files in sorted runs that"
              + " this would mix up. Set 'clustering.incremental' = 'false' first");
    }
  }

  private static DataField column(LakeTable table, String written) {
    List<DataField> fields = table.schema().fields();
    DataField found =
        fields.stream()
            .filter(field -> field.name().equals(written))
            .findFirst()
            .or(
                () ->
                    fields.stream()
                        .filter(field -> field.name().equalsIgnoreCase(written))
                        .findFirst())
            .orElseThrow(() -> missing(table, written));
    if (table.schema().partitionKeys().contains(found.name())) {
      throw invalid(
          table,
          "order_by names the partition column "
              + found.name()
              + ", which is the same in all rows that are sorted together. Leave it out");
    }
    return found;
  }

  private static InvalidRequestException missing(LakeTable table, String written) {
    int dot = written.indexOf('.');
    boolean isNested =
        dot > 0 && table.schema().rowType().field(written.substring(0, dot)).isPresent();
    return isNested
        ? invalid(
            table,
            "order_by names the nested field "
                + written
                + ", but files have no statistics of nested fields. Name top-level columns")
        : new InvalidRequestException(
            Condition.KEYLAKE_COLUMN_NOT_FOUND,
            "Cannot sort table "
                + table.name()
                + ": order_by names the column '"
                + written
                + "', which does not exist. Columns: "
                + String.join(", ", table.schema().rowType().names())
                + ".");
  }

  private void checkTypes(LakeTable table) {
    boolean isCurve = strategy != ClusteringStrategy.ORDER;
    if (isCurve && columns.size() > MOST_CURVE_COLUMNS) {
      throw invalid(
          table,
          "order_by names "
              + columns.size()
              + " columns; a curve takes "
              + MOST_CURVE_COLUMNS
              + " at most. Name those that queries compare with most often");
    }
    for (DataField column : columns) {
      DataType type = SparkTypes.toSpark(column.name(), column.type());
      if (isCurve ? !hasRanks(type) : !RowOrdering.isOrderable(type)) {
        throw invalid(
            table,
            "order_by names the column "
                + column.name()
                + " of type "
                + column.type().root()
                + ", whose values "
                + (isCurve ? "have no place on a curve" : "have no order")
                + ". Name columns of numbers, text, times, bytes or truth values");
      }
    }
  }

  private static boolean hasRanks(DataType type) {
    return type instanceof NumericType
        || type instanceof StringType
        || Set.of(
                BooleanType.class,
                BinaryType.class,
                DateType.class,
                TimestampType.class,
                TimestampNTZType.class)
            .stream()
            .anyMatch(known -> known.isInstance(type));
  }

  /** The names of the columns. */
  public List<String> names() {
    return columns.stream().map(DataField::name).toList();
  }

  private static InvalidRequestException invalid(LakeTable table, String problem) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "Cannot sort table " + table.name() + ": " + problem + ".");
  }

  private static UnsupportedTableException unsupported(LakeTable table, String problem) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION,
        "Cannot sort table " + table.name() + ": " + problem + ".");
  }
}
