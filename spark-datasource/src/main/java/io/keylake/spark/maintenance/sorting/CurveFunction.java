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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The place of a row on a curve: of the number of its partition and the values it is sorted by.
 * Each partition has ranks of its own. Immutable, for many threads.
 */
final class CurveFunction implements ScalarFunction<byte[]>, Serializable {
  private static final long serialVersionUID = 1L;

  private final Curve curve;
  private final List<DataType> types;
  private final List<List<ColumnRanks>> ranks;

  /**
   * A function.
   *
   * @param types of the values
   * @param byPartition sampled values of each partition
   */
  CurveFunction(Curve curve, List<DataType> types, List<List<InternalRow>> byPartition) {
    this.curve = curve;
    this.types = List.copyOf(types);
    List<List<ColumnRanks>> all = new ArrayList<>();
    for (List<InternalRow> sample : byPartition) {
      List<ColumnRanks> ofPartition = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        ofPartition.add(ColumnRanks.of(types.get(i), i, sample));
      }
      all.add(List.copyOf(ofPartition));
    }
    this.ranks = List.copyOf(all);
  }

  /** The place of a row with these values. */
  byte[] place(int partition, InternalRow values) {
    return place(partition, values, 0);
  }

  private byte[] place(int partition, InternalRow row, int first) {
    List<ColumnRanks> columns = ranks.get(partition);
    int[] cell = new int[columns.size()];
    for (int i = 0; i < cell.length; i++) {
      cell[i] = columns.get(i).rank(row, first + i);
    }
    return curve.place(cell);
  }

  /** The same as a row of one column. */
  InternalRow key(int partition, InternalRow values) {
    return new GenericInternalRow(new Object[] {place(partition, values)});
  }

  @Override
  public DataType[] inputTypes() {
    return Stream.concat(Stream.of(DataTypes.IntegerType), types.stream()).toArray(DataType[]::new);
  }

  @Override
  public DataType resultType() {
    return DataTypes.BinaryType;
  }

  @Override
  public boolean isResultNullable() {
    return false;
  }

  @Override
  public String name() {
    return "curve";
  }

  @Override
  public String canonicalName() {
    return "keylake.curve." + System.identityHashCode(this);
  }

  @Override
  public byte[] produceResult(InternalRow input) {
    return place(input.getInt(0), input, 1);
  }
}
