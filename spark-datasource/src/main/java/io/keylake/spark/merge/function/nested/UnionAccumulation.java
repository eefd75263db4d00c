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

package io.keylake.spark.merge.function.nested;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.spark.merge.function.FoldedColumn;
import io.keylake.spark.vector.ValueAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * The union of sets that are stored as bytes: bitmaps and sketches.
 *
 * <ol>
 *   <li>When one of the operands is NULL, the other one is the result, byte for byte.
 *   <li>A late row is the earlier operand; that matters only for how exact a sketch is.
 *   <li>There is no retraction.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions, rbm32, rbm64, hll_sketch, theta_sketch. Pinned
 * by {@code UnionFoldsTest}.
 *
 * @param <S> a set in memory
 */
final class UnionAccumulation<S> implements Accumulation {
  private static final int NONE = -1;

  private final FoldedColumn column;
  private final BytesUnion<S> union;

  /** The row whose bytes are the accumulator, as long as nothing is united with them. */
  private int single = NONE;

  private @Nullable S united;

  UnionAccumulation(FoldedColumn column, BytesUnion<S> union) {
    this.column = column;
    this.union = union;
  }

  @Override
  public void clear() {
    single = NONE;
    united = null;
  }

  @Override
  public void set(WritableColumnVector values, int row) {
    united = null;
    single = values.isNullAt(row) ? NONE : row;
  }

  @Override
  public void add(WritableColumnVector values, int row) {
    if (isFirst(values, row)) {
      set(values, row);
    } else if (!values.isNullAt(row)) {
      unite(current(values), read(values, row));
    }
  }

  @Override
  public void addLate(WritableColumnVector values, int row) {
    if (isFirst(values, row)) {
      set(values, row);
    } else if (!values.isNullAt(row)) {
      unite(read(values, row), current(values));
    }
  }

  private boolean isFirst(WritableColumnVector values, int row) {
    return single == NONE && united == null && !values.isNullAt(row);
  }

  private void unite(S earlier, S later) {
    united = union.unite(earlier, later);
    single = NONE;
  }

  private S current(WritableColumnVector values) {
    S set = united;
    return set == null ? read(values, single) : set;
  }

  private S read(WritableColumnVector values, int row) {
    try {
      return union.read(values.getBinary(row));
    } catch (IOException | RuntimeException e) {
      // The libraries fail in many ways on bytes that are not theirs.
      throw broken(e);
    }
  }

  private InvalidRequestException broken(Exception cause) {
    String reason =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_VALUE,
        "Column "
            + column.name()
            + " of "
            + column.table()
            + " is aggregated by "
            + column.function()
            + ", but a value in it is not "
            + union.needed()
            + " ("
            + reason
            + "). Overwrite the rows that hold it (INSERT OVERWRITE), or let the column have the"
            + " function last_value.",
        cause);
  }

  @Override
  public void retract(WritableColumnVector values, int row) {
    throw column.cannotRetract();
  }

  @Override
  public void append(WritableColumnVector values, WritableColumnVector target) {
    S set = united;
    if (set != null) {
      append(set, target);
    } else if (single == NONE) {
      ValueAppender.appendNull(target);
    } else {
      byte[] bytes = values.getBinary(single);
      target.appendByteArray(bytes, 0, bytes.length);
    }
  }

  private void append(S set, WritableColumnVector target) {
    try {
      byte[] bytes = union.write(set);
      target.appendByteArray(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write the bytes of column " + column.name(), e);
    }
  }
}
