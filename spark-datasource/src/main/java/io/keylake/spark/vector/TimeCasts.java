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
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Casts to dates, times and timestamps. The value is not NULL.
 *
 * <ol>
 *   <li>A smaller precision of a timestamp drops digits; a larger one changes nothing.
 *   <li>TIMESTAMP to TIMESTAMP_LTZ and back, and DATE or TIME to and from TIMESTAMP_LTZ, use the
 *       default time zone of the JVM.
 *   <li>TIMESTAMP to DATE: milliseconds since the epoch divided by a day, towards zero. DATE to
 *       TIMESTAMP: midnight. TIME to TIMESTAMP: on 1970-01-01.
 *   <li>INT and BIGINT to a timestamp count seconds since the epoch, and the other way round.
 * </ol>
 *
 * Spark has microseconds, so digits of precisions above 6 are lost before any cast.
 */
final class TimeCasts {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long MICROS_PER_MILLI = 1000L;
  private static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;
  private static final int MICRO_DIGITS = 6;

  private TimeCasts() {}

  static @Nullable ValueAppender of(AtomicType from, AtomicType to) {
    return switch (to.root()) {
      case DATE -> toDate(from.root());
      case TIME -> toTime(from.root());
      default -> toTimestamp(from.root(), to);
    };
  }

  /** How to read a timestamp as seconds since the epoch; null for other types. */
  static ScalarCasts.@Nullable LongValue epochSeconds(TypeRoot from) {
    return isTimestamp(from)
        ? (source, row) -> Math.floorDiv(source.getLong(row), MICROS_PER_SECOND)
        : null;
  }

  private static boolean isTimestamp(TypeRoot root) {
    return root == TypeRoot.TIMESTAMP || root == TypeRoot.TIMESTAMP_LTZ;
  }

  /** The local date and time that a value of this kind of timestamp shows. */
  static LocalDateTime local(long micros, TypeRoot root) {
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            Math.floorMod(micros, MICROS_PER_SECOND) * 1000L);
    ZoneId zone = root == TypeRoot.TIMESTAMP_LTZ ? ZoneId.systemDefault() : ZoneOffset.UTC;
    return LocalDateTime.ofInstant(instant, zone);
  }

  private static long micros(LocalDateTime local, TypeRoot root) {
    ZoneId zone = root == TypeRoot.TIMESTAMP_LTZ ? ZoneId.systemDefault() : ZoneOffset.UTC;
    Instant instant = local.atZone(zone).toInstant();
    return instant.getEpochSecond() * MICROS_PER_SECOND + instant.getNano() / 1000;
  }

  private static @Nullable ValueAppender toDate(TypeRoot from) {
    return switch (from) {
      case TIMESTAMP ->
          (source, row, target) ->
              target.appendInt(
                  (int)
                      (Math.floorDiv(source.getLong(row), MICROS_PER_MILLI)
                          / (MICROS_PER_DAY / MICROS_PER_MILLI)));
      case TIMESTAMP_LTZ ->
          (source, row, target) ->
              target.appendInt((int) local(source.getLong(row), from).toLocalDate().toEpochDay());
      default -> null;
    };
  }

  private static @Nullable ValueAppender toTime(TypeRoot from) {
    return isTimestamp(from)
        ? (source, row, target) ->
            target.appendInt(
                (int) (local(source.getLong(row), from).toLocalTime().toNanoOfDay() / 1_000_000))
        : null;
  }

  private static @Nullable ValueAppender toTimestamp(TypeRoot from, AtomicType to) {
    return switch (from) {
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long unit = unitMicros(to.precision());
        boolean sameKind = from == to.root();
        yield (source, row, target) -> {
          long micros = source.getLong(row);
          long converted = sameKind ? micros : micros(local(micros, from), to.root());
          target.appendLong(Math.floorDiv(converted, unit) * unit);
        };
      }
      case DATE ->
          (source, row, target) ->
              target.appendLong(
                  micros(LocalDate.ofEpochDay(source.getInt(row)).atStartOfDay(), to.root()));
      case TIME ->
          (source, row, target) ->
              target.appendLong(
                  micros(
                      local(source.getInt(row) * MICROS_PER_MILLI, TypeRoot.TIMESTAMP), to.root()));
      case INT ->
          (source, row, target) -> target.appendLong(source.getInt(row) * MICROS_PER_SECOND);
      case BIGINT ->
          (source, row, target) -> target.appendLong(source.getLong(row) * MICROS_PER_SECOND);
      default -> null;
    };
  }

  private static long unitMicros(int precision) {
    long unit = 1;
    for (int digits = precision; digits < MICRO_DIGITS; digits++) {
      unit *= 10;
    }
    return unit;
  }
}
