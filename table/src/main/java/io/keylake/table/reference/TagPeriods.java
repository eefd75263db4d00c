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

package io.keylake.table.reference;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;

/**
 * Periods of equal length and the names of their tags. A tag is named after the period that has
 * ended: at 2024-01-03 00:00 the daily tag is 2024-01-02.
 *
 * @param length of each period; the first one begins on 1970-01-01 at 00:00
 * @param pattern of the names
 */
public record TagPeriods(Duration length, String pattern) {
  private static final String FREE_PATTERN = "uuuuMMddHHmm";

  static TagPeriods of(String period, String formatter) {
    boolean daily = period.equals("daily");
    String date = formatter.equals("with_dashes") ? "uuuu-MM-dd" : "uuuuMMdd";
    String space = formatter.equals("without_dashes_and_spaces") ? "" : " ";
    Duration length = Duration.ofHours(daily ? 24 : period.equals("hourly") ? 1 : 2);
    return new TagPeriods(length, daily ? date : date + space + "HH");
  }

  static TagPeriods every(Duration length) {
    return new TagPeriods(length, FREE_PATTERN);
  }

  /** The begin of the period before the one that holds a time. */
  LocalDateTime before(LocalDateTime time) {
    long seconds = time.toEpochSecond(ZoneOffset.UTC);
    long begin = Math.floorDiv(seconds, length.toSeconds()) * length.toSeconds();
    return LocalDateTime.ofEpochSecond(begin, 0, ZoneOffset.UTC).minus(length);
  }

  /** The begin of the period after the one that begins then. */
  LocalDateTime next(LocalDateTime begin) {
    return begin.plus(length);
  }

  /** The name of the tag of the period that begins then. */
  String name(LocalDateTime begin) {
    return formatter().format(begin);
  }

  /** The begin of the period that a tag is named after; empty when it is named otherwise. */
  Optional<LocalDateTime> begin(String name) {
    try {
      LocalDateTime time =
          pattern.contains("HH")
              ? LocalDateTime.parse(name, formatter())
              : LocalDate.parse(name, formatter()).atStartOfDay();
      return Optional.of(time);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private DateTimeFormatter formatter() {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
        .withResolverStyle(ResolverStyle.STRICT);
  }
}
