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

package io.keylake.spark.merge.function;

import io.keylake.table.options.engine.AggregateFunction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * listagg: texts one after the other, on their bytes.
 *
 * <ol>
 *   <li>NULL and a text: the text. An empty text that comes second changes nothing; one that is
 *       there is replaced. Otherwise the delimiter is put between the two.
 *   <li>distinct: the text that comes second is cut at the delimiters, and of its parts those are
 *       appended that are neither empty nor there already. The first text stays as it is.
 *   <li>A late text comes before what is there.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions. Pinned by {@code KeyFolderTest} and {@code
 * KeyFolderOracleTest}.
 */
final class ListAggFold implements ColumnFold {
  private final FoldedColumn column;
  private final byte[] delimiter;
  private final boolean distinct;
  private final boolean skipsRetracts;
  private byte[] acc = new byte[64];
  private int length;
  private boolean present;
  private byte[] held = new byte[64];

  ListAggFold(FoldedColumn column, AggregateFunction.ListAgg function, boolean skipsRetracts) {
    this.column = column;
    this.delimiter = function.delimiter().getBytes(StandardCharsets.UTF_8);
    this.distinct = function.distinct();
    this.skipsRetracts = skipsRetracts;
  }

  @Override
  public void fold(WritableColumnVector values, FoldSteps.Lane steps, WritableColumnVector target) {
    int start = target.getElementsAppended();
    int keys = steps.keys();
    target.reserve(start + keys);
    byte[] bytes = values.arrayData().getByteBuffer(0, 0).array();
    for (int key = 0; key < keys; key++) {
      length = 0;
      present = false;
      int end = steps.end(key);
      for (int entry = steps.begin(key); entry < end; entry++) {
        int version = steps.version(entry);
        byte step = steps.step(entry);
        if (step == FoldSteps.RETRACT && !skipsRetracts) {
          throw column.cannotRetract();
        }
        if (step == FoldSteps.RESET || step == FoldSteps.ADD || step == FoldSteps.ADD_LATE) {
          if (step == FoldSteps.RESET) {
            length = 0;
            present = false;
          }
          if (!values.isNullAt(version)) {
            int offset = values.getArrayOffset(version);
            int size = values.getArrayLength(version);
            if (step == FoldSteps.ADD_LATE) {
              prepend(bytes, offset, size);
            } else {
              append(bytes, offset, size);
            }
          }
        }
      }
      if (present) {
        target.putByteArray(start + key, acc, 0, length);
      } else {
        target.putNull(start + key);
      }
    }
    target.addElementsAppended(keys);
  }

  private void append(byte[] text, int offset, int size) {
    if (!present || length == 0) {
      length = 0;
      put(text, offset, size);
      present = true;
    } else if (size > 0) {
      if (distinct) {
        appendParts(text, offset, offset + size);
      } else {
        put(delimiter, 0, delimiter.length);
        put(text, offset, size);
      }
    }
  }

  /** Puts a text before what is there: what is there is appended to the text. */
  private void prepend(byte[] text, int offset, int size) {
    if (!present) {
      append(text, offset, size);
      return;
    }
    byte[] second = acc;
    int secondLength = length;
    acc = held;
    held = second;
    length = 0;
    put(text, offset, size);
    append(second, 0, secondLength);
  }

  private void appendParts(byte[] text, int from, int to) {
    int begin = from;
    int end;
    do {
      end = delimiterAt(text, begin, to);
      if (end > begin && !contains(text, begin, end)) {
        put(delimiter, 0, delimiter.length);
        put(text, begin, end - begin);
      }
      begin = end + delimiter.length;
    } while (end < to);
  }

  /** Whether what is there has a part. */
  private boolean contains(byte[] text, int from, int to) {
    int begin = 0;
    int end;
    do {
      end = delimiterAt(acc, begin, length);
      if (Arrays.equals(acc, begin, end, text, from, to)) {
        return true;
      }
      begin = end + delimiter.length;
    } while (end < length);
    return false;
  }

  /** Where the next delimiter begins; {@code to} when there is none or it is empty. */
  private int delimiterAt(byte[] text, int from, int to) {
    if (delimiter.length == 0) {
      return to;
    }
    for (int at = from; at + delimiter.length <= to; at++) {
      if (Arrays.equals(text, at, at + delimiter.length, delimiter, 0, delimiter.length)) {
        return at;
      }
    }
    return to;
  }

  private void put(byte[] bytes, int offset, int count) {
    if (length + count > acc.length) {
      acc = Arrays.copyOf(acc, Math.max(length + count, acc.length * 2));
    }
    System.arraycopy(bytes, offset, acc, length, count);
    length += count;
  }
}
