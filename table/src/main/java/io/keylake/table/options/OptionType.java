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

package io.keylake.table.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How the text of an option becomes a value. A parser throws {@link IllegalArgumentException} on
 * text that is no value.
 *
 * @param name the name of the type in the documentation
 * @param allowed what may be written, for messages
 * @param parser from text without surrounding space
 * @param printer the way back, for the documentation
 * @param <T> the type of the values
 */
record OptionType<T>(
    String name, String allowed, Function<String, T> parser, Function<T, String> printer) {
  static final OptionType<Boolean> BOOL =
      new OptionType<>("bool", "true or false", OptionType::parseBoolean, String::valueOf);
  static final OptionType<Integer> INT =
      new OptionType<>("int", "a whole number", Integer::valueOf, String::valueOf);
  static final OptionType<Long> LONG =
      new OptionType<>("long", "a whole number", Long::valueOf, String::valueOf);
  static final OptionType<Double> DOUBLE =
      new OptionType<>("double", "a number", Double::valueOf, String::valueOf);
  static final OptionType<String> TEXT =
      new OptionType<>("string", "text", Function.identity(), Function.identity());
  static final OptionType<List<String>> LIST =
      new OptionType<>(
          "list", "names joined by commas", OptionType::parseList, v -> String.join(",", v));
  static final OptionType<MemorySize> SIZE =
      new OptionType<>(
          "size",
          "a number with the unit b, kb, mb, gb or tb",
          MemorySize::parse,
          MemorySize::text);
  static final OptionType<Duration> DURATION =
      new OptionType<>(
          "duration",
          "a number with the unit ns, us, ms, s, min, h or d",
          OptionType::parseDuration,
          OptionType::printDuration);
  static final OptionType<Map<String, String>> MAP =
      new OptionType<>(
          "map", "key:value pairs joined by commas", OptionType::parseMap, OptionType::printMap);

  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d+)\\s*([a-zµ]*)");

  /** One of the constants of an enum; case and {@code _} or {@code -} do not matter. */
  static <E extends Enum<E>> OptionType<E> oneOf(Class<E> type) {
    List<E> values = List.of(type.getEnumConstants());
    return new OptionType<>(
        "enum",
        values.stream().map(OptionType::spell).collect(Collectors.joining(", ")),
        text ->
            values.stream()
                .filter(value -> spell(value).equals(spell(text)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text)),
        OptionType::spell);
  }

  /** One of these texts; case and {@code _} or {@code -} do not matter. */
  static OptionType<String> oneOf(List<String> texts) {
    return new OptionType<>(
        "enum",
        String.join(", ", texts),
        text ->
            texts.stream()
                .filter(value -> spell(value).equals(spell(text)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text)),
        Function.identity());
  }

  T parse(String text) {
    return parser.apply(text);
  }

  String print(T value) {
    return printer.apply(value);
  }

  static String spell(Enum<?> value) {
    return spell(value.name());
  }

  private static String spell(String text) {
    return text.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static List<String> parseList(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  private static Map<String, String> parseMap(String text) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String pair : parseList(text)) {
      int colon = pair.indexOf(':');
      if (colon <= 0) {
        throw new IllegalArgumentException(pair);
      }
      map.put(pair.substring(0, colon).strip(), pair.substring(colon + 1).strip());
    }
    return Map.copyOf(map);
  }

  private static String printMap(Map<String, String> map) {
    List<String> pairs = new ArrayList<>();
    map.forEach((key, value) -> pairs.add(key + ":" + value));
    return pairs.stream().sorted().collect(Collectors.joining(","));
  }

  private static Duration parseDuration(String text) {
    if (text.regionMatches(true, 0, "P", 0, 1)) {
      return Duration.parse(text);
    }
    Matcher matcher = NUMBER_AND_UNIT.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ns", "nano", "nanos", "nanosecond", "nanoseconds" -> Duration.ofNanos(amount);
      case "us", "µs", "micro", "micros", "microsecond", "microseconds" ->
          Duration.ofSeconds(amount / 1_000_000, amount % 1_000_000 * 1000);
      case "", "ms", "milli", "millis", "millisecond", "milliseconds" -> Duration.ofMillis(amount);
      case "s", "sec", "secs", "second", "seconds" -> Duration.ofSeconds(amount);
      case "m", "min", "minute", "minutes" -> Duration.ofMinutes(amount);
      case "h", "hour", "hours" -> Duration.ofHours(amount);
      case "d", "day", "days" -> Duration.ofDays(amount);
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static String printDuration(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0 ms";
    }
    if (millis % 3_600_000 == 0) {
      return millis / 3_600_000 + " h";
    }
    if (millis % 60_000 == 0) {
      return millis / 60_000 + " min";
    }
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
