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

package io.keylake.procedures.call;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Time spans as arguments say them: a number and a unit, such as {@code 1 d} or {@code 90min}. */
public final class TimeSpans {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,9})\\s*([a-z]+)");
  private static final Map<String, ChronoUnit> UNITS =
      Map.ofEntries(
          Map.entry("ms", ChronoUnit.MILLIS),
          Map.entry("millis", ChronoUnit.MILLIS),
          Map.entry("s", ChronoUnit.SECONDS),
          Map.entry("sec", ChronoUnit.SECONDS),
          Map.entry("second", ChronoUnit.SECONDS),
          Map.entry("seconds", ChronoUnit.SECONDS),
          Map.entry("m", ChronoUnit.MINUTES),
          Map.entry("min", ChronoUnit.MINUTES),
          Map.entry("minute", ChronoUnit.MINUTES),
          Map.entry("minutes", ChronoUnit.MINUTES),
          Map.entry("h", ChronoUnit.HOURS),
          Map.entry("hour", ChronoUnit.HOURS),
          Map.entry("hours", ChronoUnit.HOURS),
          Map.entry("d", ChronoUnit.DAYS),
          Map.entry("day", ChronoUnit.DAYS),
          Map.entry("days", ChronoUnit.DAYS));

  private TimeSpans() {}

  /** The time span that the text says; empty when it says none. */
  public static Optional<Duration> parse(String text) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip().toLowerCase(Locale.ROOT));
    return matcher.matches()
        ? Optional.ofNullable(UNITS.get(matcher.group(2)))
            .map(unit -> Duration.of(Long.parseLong(matcher.group(1)), unit))
        : Optional.empty();
  }
}
