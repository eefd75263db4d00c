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

package io.keylake.spark.vector;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link ValueAppender} from one type of the format to another.
 *
 * <ol>
 *   <li>Equal types are copied.
 *   <li>Scalars are cast by {@link ScalarCasts}.
 *   <li>Arrays, and maps on the value side, are cast inside; the types of map keys must be equal.
 *   <li>Rows are cast field by field: matched by id; a field that the source lacks is NULL.
 * </ol>
 *
 * Rule source: table format, reading files written under another schema version, rule 3. Pinned by
 * {@code ValueAppendersTest}.
 */
public final class ValueAppenders {
  private ValueAppenders() {}

  /**
   * The appender from values of {@code from} to values of {@code to}.
   *
   * @param column name of the column, for messages
   * @throws UnsupportedTableException with KEYLAKE_UNSUPPORTED_FEATURE when there is no such cast
   */
  public static ValueAppender of(String column, DataType from, DataType to) {
    if (from instanceof AtomicType source && to instanceof AtomicType target) {
      ValueAppender scalar =
          source.asNullable().equals(target.asNullable())
              ? ScalarCopies.of(source)
              : ScalarCasts.of(source, target);
      if (scalar != null) {
        return nullSafe(scalar);
      }
    } else if (from instanceof ArrayType source && to instanceof ArrayType target) {
      return array(of(column + ".element", source.element(), target.element()));
    } else if (from instanceof MapType source && to instanceof MapType target) {
      return map(
          of(column + ".key", source.key(), target.key()),
          of(column + ".value", source.value(), target.value()));
    } else if (from instanceof MultisetType source && to instanceof MultisetType target) {
      return map(
          of(column + ".element", source.element(), target.element()),
          nullSafe((vector, row, out) -> out.appendInt(vector.getInt(row))));
    } else if (from instanceof RowType source && to instanceof RowType target) {
      return row(column, source, target);
    }
    throw new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_FEATURE,
        "Column "
            + column
            + " is stored as "
            + from.root()
            + " in older data files and is now "
            + to.root()
            + ", and there is no cast between them. Rewrite the table, or change the type back.");
  }

  private static ValueAppender nullSafe(ValueAppender scalar) {
    return (source, row, target) -> {
      if (source.isNullAt(row)) {
        ValueAppender.appendNull(target);
      } else {
        scalar.append(source, row, target);
      }
    };
  }

  private static ValueAppender array(ValueAppender element) {
    return (source, row, target) -> {
      if (source.isNullAt(row)) {
        target.appendNull();
        return;
      }
      int first = source.getArrayOffset(row);
      int end = first + source.getArrayLength(row);
      target.appendArray(end - first);
      appendRange(element, source.getChild(0), first, end, target.getChild(0));
    };
  }

  private static ValueAppender map(ValueAppender key, ValueAppender value) {
    return (source, row, target) -> {
      if (source.isNullAt(row)) {
        target.appendNull();
        return;
      }
      int first = source.getArrayOffset(row);
      int end = first + source.getArrayLength(row);
      target.appendArray(end - first);
      appendRange(key, source.getChild(0), first, end, target.getChild(0));
      appendRange(value, source.getChild(1), first, end, target.getChild(1));
    };
  }

  private static void appendRange(
      ValueAppender appender,
      WritableColumnVector source,
      int first,
      int end,
      WritableColumnVector target) {
    for (int i = first; i < end; i++) {
      appender.append(source, i, target);
    }
  }

  private static ValueAppender row(String column, RowType from, RowType to) {
    int[] positions = new int[to.size()];
    @Nullable ValueAppender[] fields = new ValueAppender[to.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = from.indexOfId(to.field(i).id());
      if (positions[i] >= 0) {
        fields[i] =
            of(
                column + "." + to.field(i).name(),
                from.field(positions[i]).type(),
                to.field(i).type());
      }
    }
    return (source, row, target) -> {
      if (source.isNullAt(row)) {
        ValueAppender.appendNull(target);
        return;
      }
      ValueAppender.appendStruct(target);
      for (int i = 0; i < positions.length; i++) {
        ValueAppender field = fields[i];
        if (field == null) {
          ValueAppender.appendNull(target.getChild(i));
        } else {
          field.append(source.getChild(positions[i]), row, target.getChild(i));
        }
      }
    };
  }
}
