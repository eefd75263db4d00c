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

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.InterpretedOrdering;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The range that a row belongs to: how many bounds are at or before it. Rows and bounds are a
 * partition's number and a sort key. Immutable, for many threads.
 */
final class RangeFunction implements ScalarFunction<Integer>, Serializable {
  private static final long serialVersionUID = 1L;

  private final List<DataType> types;
  private final List<InternalRow> bounds;
  private transient volatile @Nullable BaseOrdering order;

  /**
   * A function.
   *
   * @param types of the partition's number and the key
   * @param bounds first rows of the ranges but the first, ascending
   */
  RangeFunction(List<DataType> types, List<InternalRow> bounds) {
    this.types = List.copyOf(types);
    this.bounds = List.copyOf(bounds);
  }

  /** How many ranges there are. */
  int ranges() {
    return bounds.size() + 1;
  }

  /** Compares rows of such types, NULL first. */
  static BaseOrdering order(List<DataType> types) {
    return InterpretedOrdering.forSchema(CollectionConverters.asScala(types).toSeq());
  }

  private BaseOrdering order() {
    BaseOrdering known = order;
    if (known == null) {
      known = order(types);
      order = known;
    }
    return known;
  }

  @Override
  public DataType[] inputTypes() {
    return types.toArray(DataType[]::new);
  }

  @Override
  public DataType resultType() {
    return DataTypes.IntegerType;
  }

  @Override
  public boolean isResultNullable() {
    return false;
  }

  @Override
  public String name() {
    return "sort_range";
  }

  @Override
  public String canonicalName() {
    return "keylake.sort_range." + System.identityHashCode(this);
  }

  @Override
  public Integer produceResult(InternalRow input) {
    BaseOrdering compare = order();
    int low = 0;
    int high = bounds.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare.compare(bounds.get(middle), input) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
