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

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.TypeRoot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * Casts of scalars stored under an older type of their column. The value is not NULL.
 *
 * <ol>
 *   <li>Numbers to numbers as Java narrows and widens: INT 383 is TINYINT 127; BOOLEAN counts as 0
 *       or 1.
 *   <li>Numbers to DECIMAL are rounded half up, and NULL when they do not fit; DECIMAL to integers
 *       drops the fraction, then narrows.
 *   <li>Integers to BOOLEAN: whether they are not 0.
 *   <li>Texts and binaries: {@link TextCasts}. Dates, times, timestamps: {@link TimeCasts}.
 * </ol>
 *
 * Rule source: table format, reading files written under another schema version, rule 3. Pinned by
 * {@code ValueAppendersTest}.
 */
final class ScalarCasts {
  private ScalarCasts() {}

  /** Reads a value as a long. */
  @FunctionalInterface
  interface LongValue {
    long at(WritableColumnVector source, int row);
  }

  /** The cast; null when there is none. */
  static @Nullable ValueAppender of(AtomicType from, AtomicType to) {
    return switch (to.root()) {
      case BOOLEAN -> toBoolean(from);
      case TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE -> toNumber(from, to.root());
      case DECIMAL -> toDecimal(from, to);
      case CHAR, VARCHAR, BINARY, VARBINARY -> TextCasts.of(from, to);
      case DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> TimeCasts.of(from, to);
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> null;
    };
  }

  /** How to read an integer or BOOLEAN; null for other types. */
  static @Nullable LongValue integer(TypeRoot root) {
    return switch (root) {
      case BOOLEAN -> (source, row) -> source.getBoolean(row) ? 1 : 0;
      case TINYINT -> WritableColumnVector::getByte;
      case SMALLINT -> WritableColumnVector::getShort;
      case INT -> WritableColumnVector::getInt;
      case BIGINT -> WritableColumnVector::getLong;
      default -> null;
    };
  }

  private static @Nullable ValueAppender toBoolean(AtomicType from) {
    LongValue integer = integer(from.root());
    return integer == null
        ? null
        : (source, row, target) -> target.appendBoolean(integer.at(source, row) != 0);
  }

  private static @Nullable ValueAppender toNumber(AtomicType from, TypeRoot to) {
    LongValue integer = integer(from.root());
    if (integer == null) {
      integer = TimeCasts.epochSeconds(from.root());
    }
    if (integer != null) {
      return fromLong(integer, to);
    }
    return switch (from.root()) {
      case FLOAT, DOUBLE -> fromDouble(from.root() == TypeRoot.FLOAT, to);
      case DECIMAL -> fromDecimal(from, to);
      default -> null;
    };
  }

  private static @Nullable ValueAppender fromLong(LongValue value, TypeRoot to) {
    return switch (to) {
      case TINYINT -> (source, row, target) -> target.appendByte((byte) value.at(source, row));
      case SMALLINT -> (source, row, target) -> target.appendShort((short) value.at(source, row));
      case INT -> (source, row, target) -> target.appendInt((int) value.at(source, row));
      case BIGINT -> (source, row, target) -> target.appendLong(value.at(source, row));
      case FLOAT -> (source, row, target) -> target.appendFloat((float) value.at(source, row));
      case DOUBLE -> (source, row, target) -> target.appendDouble((double) value.at(source, row));
      default -> null;
    };
  }

  private static double floating(WritableColumnVector source, int row, boolean single) {
    return single ? source.getFloat(row) : source.getDouble(row);
  }

  private static @Nullable ValueAppender fromDouble(boolean single, TypeRoot to) {
    return switch (to) {
      case TINYINT ->
          (source, row, target) -> target.appendByte((byte) floating(source, row, single));
      case SMALLINT ->
          (source, row, target) -> target.appendShort((short) floating(source, row, single));
      case INT -> (source, row, target) -> target.appendInt((int) floating(source, row, single));
      case BIGINT ->
          (source, row, target) -> target.appendLong((long) floating(source, row, single));
      case FLOAT ->
          (source, row, target) -> target.appendFloat((float) floating(source, row, single));
      case DOUBLE -> (source, row, target) -> target.appendDouble(floating(source, row, single));
      default -> null;
    };
  }

  private static @Nullable ValueAppender fromDecimal(AtomicType from, TypeRoot to) {
    return switch (to) {
      case FLOAT ->
          (source, row, target) -> target.appendFloat(decimal(source, row, from).floatValue());
      case DOUBLE ->
          (source, row, target) -> target.appendDouble(decimal(source, row, from).doubleValue());
      default -> fromLong((source, row) -> decimal(source, row, from).longValue(), to);
    };
  }

  static BigDecimal decimal(WritableColumnVector source, int row, AtomicType type) {
    return source.getDecimal(row, type.precision(), type.scale()).toJavaBigDecimal();
  }

  private static @Nullable ValueAppender toDecimal(AtomicType from, AtomicType to) {
    LongValue integer = integer(from.root());
    if (integer != null) {
      return (source, row, target) ->
          appendDecimal(BigDecimal.valueOf(integer.at(source, row)), to, target);
    }
    return switch (from.root()) {
      case DECIMAL ->
          (source, row, target) -> appendDecimal(decimal(source, row, from), to, target);
      case FLOAT, DOUBLE -> {
        boolean single = from.root() == TypeRoot.FLOAT;
        yield (source, row, target) -> {
          double value = floating(source, row, single);
          if (Double.isFinite(value)) {
            appendDecimal(BigDecimal.valueOf(value), to, target);
          } else {
            target.appendNull();
          }
        };
      }
      default -> null;
    };
  }

  private static void appendDecimal(BigDecimal value, AtomicType to, WritableColumnVector target) {
    BigDecimal scaled = value.setScale(to.scale(), RoundingMode.HALF_UP);
    if (scaled.precision() > to.precision()) {
      target.appendNull();
    } else if (to.precision() <= Decimal.MAX_INT_DIGITS()) {
      target.appendInt(scaled.unscaledValue().intValueExact());
    } else if (to.precision() <= Decimal.MAX_LONG_DIGITS()) {
      target.appendLong(scaled.unscaledValue().longValueExact());
    } else {
      byte[] bytes = scaled.unscaledValue().toByteArray();
      target.appendByteArray(bytes, 0, bytes.length);
    }
  }
}
