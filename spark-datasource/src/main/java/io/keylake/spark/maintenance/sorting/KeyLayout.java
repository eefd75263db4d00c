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

import io.keylake.table.options.clustering.ClusteringStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How the rows of some partitions are sorted: the key that a sample gives them, and the ranges of
 * keys that tasks sort.
 *
 * <ol>
 *   <li>A partition larger than a range is cut into ranges of its own, of about equal weight.
 *   <li>Smaller partitions share a range as long as they fit into it, whole.
 * </ol>
 *
 * Pinned by {@code KeyLayoutTest}. For one thread.
 */
final class KeyLayout {
  private static final String KEY = "key";
  private static final String RANGE = "range";

  private final @Nullable CurveFunction curve;
  private final Bounds bounds;
  private final RangeFunction ranges;

  private KeyLayout(Bounds bounds) {
    this.curve = bounds.curve;
    this.bounds = bounds;
    this.ranges = new RangeFunction(bounds.rowTypes, bounds.found);
  }

  /**
   * A layout.
   *
   * @param types of the order's columns
   * @param sample of rows of all partitions
   * @param shares how many ranges each partition is worth
   */
  static KeyLayout of(
      ClusteringStrategy strategy,
      List<DataType> types,
      List<SampledKey> sample,
      List<Double> shares) {
    List<List<SampledKey>> byPartition = new ArrayList<>();
    shares.forEach(share -> byPartition.add(new ArrayList<>()));
    sample.forEach(key -> byPartition.get(key.partition()).add(key));
    CurveFunction curve =
        strategy == ClusteringStrategy.ORDER
            ? null
            : new CurveFunction(
                Curve.of(strategy),
                types,
                byPartition.stream()
                    .map(keys -> keys.stream().map(SampledKey::values).toList())
                    .toList());
    List<DataType> keyTypes = curve == null ? types : List.of(DataTypes.BinaryType);
    List<DataType> rowTypes =
        Stream.concat(Stream.of(DataTypes.IntegerType), keyTypes.stream()).toList();
    Bounds bounds = new Bounds(curve, rowTypes);
    for (int partition = 0; partition < shares.size(); partition++) {
      bounds.add(partition, byPartition.get(partition), shares.get(partition));
    }
    return new KeyLayout(bounds);
  }

  /** Finds the bounds of ranges, partition by partition. */
  private static final class Bounds {
    private final @Nullable CurveFunction curve;
    private final List<DataType> rowTypes;
    private final BaseOrdering order;
    private final List<InternalRow> found = new ArrayList<>();
    private double open;

    Bounds(@Nullable CurveFunction curve, List<DataType> rowTypes) {
      this.curve = curve;
      this.rowTypes = rowTypes;
      this.order = RangeFunction.order(rowTypes);
    }

    void add(int partition, List<SampledKey> sample, double share) {
      if (open > 0 && open + share > 1) {
        found.add(start(partition));
        open = 0;
      }
      open += share;
      if (share > 1) {
        cut(partition, sample, (int) Math.ceil(share));
        open = 1;
      }
    }

    private InternalRow start(int partition) {
      Object[] values = new Object[rowTypes.size()];
      values[0] = partition;
      return new GenericInternalRow(values);
    }

    private void cut(int partition, List<SampledKey> sample, int parts) {
      record Weighted(InternalRow row, double weight) {}
      List<Weighted> sorted =
          sample.stream()
              .map(key -> new Weighted(row(partition, key.values()), key.weight()))
              .sorted(Comparator.comparing(Weighted::row, order))
              .toList();
      double part = sorted.stream().mapToDouble(Weighted::weight).sum() / parts;
      double before = 0;
      int next = 1;
      InternalRow last = start(partition);
      for (Weighted key : sorted) {
        if (next < parts && before >= next * part) {
          if (order.compare(last, key.row()) < 0) {
            found.add(key.row());
            last = key.row();
          }
          next = (int) (before / part) + 1;
        }
        before += key.weight();
      }
    }

    private InternalRow row(int partition, InternalRow values) {
      InternalRow key = curve == null ? values : curve.key(partition, values);
      Object[] row = new Object[rowTypes.size()];
      row[0] = partition;
      for (int i = 1; i < row.length; i++) {
        row[i] = key.isNullAt(i - 1) ? null : key.get(i - 1, rowTypes.get(i));
      }
      return new GenericInternalRow(row);
    }
  }

  /** How many ranges there are: so many tasks sort. */
  int ranges() {
    return ranges.ranges();
  }

  /** The range of a row with these values of the order's columns. */
  int range(int partition, InternalRow values) {
    return ranges.produceResult(bounds.row(partition, values));
  }

  /**
   * The rows in one partition of Spark's for each range, in order.
   *
   * @param rows all columns that are kept, and the number of the partition
   * @param number name of the column with that number
   * @param columns names of the order's columns
   */
  Dataset<?> sorted(Dataset<?> rows, String number, List<String> columns) {
    List<Column> sort = new ArrayList<>(List.of(functions.col(number)));
    Dataset<?> keyed = rows;
    List<String> keys = columns;
    if (curve != null) {
      keyed = rows.withColumn(KEY, call(curve, number, columns));
      keys = List.of(KEY);
      sort.add(functions.col(KEY));
    }
    columns.forEach(column -> sort.add(functions.col(column)));
    return keyed
        .withColumn(RANGE, call(ranges, number, keys))
        .repartitionById(ranges(), functions.col(RANGE))
        .sortWithinPartitions(sort.toArray(new Column[0]))
        .drop(RANGE, KEY);
  }

  private static Column call(ScalarFunction<?> function, String number, List<String> columns) {
    List<Expression> inputs =
        Stream.concat(Stream.of(number), columns.stream())
            .map(name -> ExpressionUtils.expression(functions.col(name)))
            .toList();
    return ExpressionUtils.column(
        new ApplyFunctionExpression(function, CollectionConverters.asScala(inputs).toSeq()));
  }
}
