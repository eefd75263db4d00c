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

package io.keylake.spark.write;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values of columns, each as Spark takes it and as canonical text. */
final class HistoryValues {
  /**
   * A value.
   *
   * @param spark as a field of a {@code Row}
   * @param text canonical JSON
   */
  record Value(@Nullable Object spark, String text) {
    static final Value NULL = new Value(null, "null");
  }

  private HistoryValues() {}

  /** A value of {@code type}; another one for each {@code n} that is 0 or more. */
  static Value of(DataType type, int n) {
    int m = n - 40;
    return switch (type.root()) {
      case BOOLEAN -> new Value(n % 2 == 0, Boolean.toString(n % 2 == 0));
      case TINYINT -> new Value((byte) m, Byte.toString((byte) m));
      case SMALLINT -> new Value((short) m, Short.toString((short) m));
      case INT -> new Value(m, Integer.toString(m));
      case BIGINT -> new Value(m * 5_000_000_001L, Long.toString(m * 5_000_000_001L));
      case FLOAT -> new Value(m / 4F, Float.toString(m / 4F));
      case DOUBLE -> new Value(m / 4D, Double.toString(m / 4D));
      case DECIMAL -> {
        BigDecimal decimal = BigDecimal.valueOf(m * 7L, 2);
        yield new Value(decimal, "\"" + decimal.toPlainString() + "\"");
      }
      case DATE -> {
        LocalDate date = LocalDate.ofEpochDay(m * 3L);
        yield new Value(date, "\"" + date + "\"");
      }
      case TIMESTAMP -> {
        boolean isShort = type instanceof AtomicType atomic && atomic.precision() <= 3;
        LocalDateTime time =
            LocalDateTime.of(2024, 1, 1, 0, 0)
                .plusNanos(m * (isShort ? 61_001_000_000L : 61_000_001_000L));
        yield new Value(time, String.format(Locale.ROOT, "\"%1$tFT%1$tT.%1$tN\"", time));
      }
      case TIMESTAMP_LTZ -> {
        LocalDateTime time = LocalDateTime.of(1999, 12, 1, 0, 0).plusNanos(m * 71_000_003_000L);
        yield new Value(
            time.toInstant(ZoneOffset.UTC),
            String.format(Locale.ROOT, "\"%1$tFT%1$tT.%1$tNZ\"", time));
      }
      case TIME -> {
        LocalTime time = LocalTime.of(12, 0).plusNanos(m * 3_007_000_000L);
        int millis = (int) (time.toNanoOfDay() / 1_000_000);
        yield new Value(millis, String.format(Locale.ROOT, "\"%1$tT.%1$tL\"", time));
      }
      case VARCHAR -> {
        String text = n % 5 == 4 ? "é" + n : String.format(Locale.ROOT, "s%04d", n);
        yield new Value(text, "\"" + text + "\"");
      }
      case VARBINARY -> {
        byte[] bytes = {(byte) (n >> 8), (byte) n};
        yield new Value(bytes, String.format(Locale.ROOT, "\"0x%04x\"", n & 0xffff));
      }
      default -> throw new IllegalArgumentException("No values of " + type);
    };
  }
}
