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
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * Takes a sample of the rows that a task reads: as many as asked, each row with equal chance. The
 * same rows give the same sample.
 */
final class SortSampler extends AbstractFunction1<Iterator<SortInput>, List<SampledKey>>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What a row weighs. */
  enum Weight {
    ROWS,
    BYTES
  }

  private final SortReader reader;
  private final StructType columns;
  private final List<Integer> order;
  private final int size;
  private final Weight weight;

  /**
   * A sampler.
   *
   * @param columns those that {@code reader} reads, without the number at the end
   * @param order positions among them of those that rows are sorted by
   * @param size how many rows each task takes
   */
  SortSampler(SortReader reader, StructType columns, List<Integer> order, int size, Weight weight) {
    this.reader = reader;
    this.columns = columns;
    this.order = List.copyOf(order);
    this.size = size;
    this.weight = weight;
  }

  private record Taken(int plan, InternalRow values, int bytes) {}

  @Override
  public List<SampledKey> apply(Iterator<SortInput> tasks) {
    TaskContext context = TaskContext.get();
    SplittableRandom random = new SplittableRandom(context.partitionId());
    UnsafeProjection key = projection(order);
    UnsafeProjection whole =
        projection(
            weight == Weight.BYTES
                ? IntStream.range(0, columns.length()).boxed().toList()
                : List.of());
    List<Taken> taken = new ArrayList<>();
    long rows = 0;
    java.util.Iterator<InternalRow> all = reader.rows(tasks.next(), context);
    while (all.hasNext()) {
      InternalRow row = all.next();
      rows++;
      long place = rows <= size ? rows - 1 : random.nextLong(rows);
      if (place < size) {
        Taken sampled =
            new Taken(
                row.getInt(columns.length()),
                key.apply(row).copy(),
                whole.apply(row).getSizeInBytes());
        if (place == taken.size()) {
          taken.add(sampled);
        } else {
          taken.set((int) place, sampled);
        }
      }
    }
    double each = taken.isEmpty() ? 0 : (double) rows / taken.size();
    return taken.stream()
        .map(
            row ->
                new SampledKey(
                    row.plan(), row.values(), weight == Weight.BYTES ? each * row.bytes() : each))
        .toList();
  }

  private UnsafeProjection projection(List<Integer> positions) {
    List<Expression> values = new ArrayList<>();
    for (int position : positions) {
      DataType type = columns.fields()[position].dataType();
      values.add(new BoundReference(position, type, true));
    }
    return UnsafeProjection.create(CollectionConverters.asScala(values).toSeq());
  }
}
