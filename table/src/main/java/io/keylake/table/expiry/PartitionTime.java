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

package io.keylake.table.expiry;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time that the values of a partition stand for.
 *
 * <ol>
 *   <li>The text is the pattern with {@code $column} replaced by the column's value, or else the
 *       value of the first partition column. Dates and times are written as {@code 2024-01-31} and
 *       {@code 2024-01-31 12:00:00}.
 *   <li>It is parsed with the formatter, or else as {@code yyyy-MM-dd[ HH:mm:ss[.fraction]]}. A
 *       text without a time of day means midnight.
 *   <li>A text that cannot be parsed, or a NULL, stands for no time.
 * </ol>
 *
 * <p>Immutable. Rule source: table format, partition expiration. Pinned by {@code
 * PartitionExpiryTest}.
 */
final class PartitionTime {
  private static final DateTimeFormatter DEFAULT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral(' ')
          .appendPattern("HH:mm:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  private final BinaryRowCodec codec;
  private final @Nullable String pattern;
  private final DateTimeFormatter formatter;

  private PartitionTime(
      BinaryRowCodec codec, @Nullable String pattern, DateTimeFormatter formatter) {
    this.codec = codec;
    this.pattern = pattern;
    this.formatter = formatter;
  }

  /**
   * The time of partitions of {@code type}.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION when the formatter is none, or the
   *     pattern names no partition column
   */
  static PartitionTime of(RowType type, @Nullable String pattern, @Nullable String formatter) {
    if (pattern != null && type.names().stream().noneMatch(name -> pattern.contains("$" + name))) {
      throw invalid(
          "partition.timestamp-pattern",
          pattern,
          "a text with $column for the partition columns " + type.names());
    }
    return new PartitionTime(BinaryRowCodec.of(type), pattern, parse(formatter));
  }

  private static DateTimeFormatter parse(@Nullable String formatter) {
    if (formatter == null) {
      return DEFAULT;
    }
    try {
      return DateTimeFormatter.ofPattern(formatter, Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw invalid(
          "partition.timestamp-formatter", formatter, "a pattern such as yyyyMMdd or yyyy-MM-dd");
    }
  }

  private static InvalidRequestException invalid(String option, String value, String allowed) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION,
        "Invalid value '" + value + "' of option '" + option + "'. Allowed: " + allowed + ".");
  }

  /** The time of a partition; empty when its values stand for none. */
  Optional<LocalDateTime> of(BinaryRow partition) {
    return text(partition).flatMap(this::parseTime);
  }

  private Optional<LocalDateTime> parseTime(String text) {
    try {
      TemporalAccessor parsed = formatter.parse(text);
      LocalDate date = parsed.query(TemporalQueries.localDate());
      if (date == null) {
        return Optional.empty();
      }
      var time = parsed.query(TemporalQueries.localTime());
      int hour =
          time == null && parsed.isSupported(ChronoField.HOUR_OF_DAY)
              ? parsed.get(ChronoField.HOUR_OF_DAY)
              : 0;
      return Optional.of(time == null ? date.atTime(hour, 0) : date.atTime(time));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private Optional<String> text(BinaryRow partition) {
    List<? extends @Nullable Object> values = codec.decode(partition);
    if (pattern == null) {
      return text(codec.type().field(0), values.get(0));
    }
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < codec.type().size(); i++) {
      DataField column = codec.type().field(i);
      if (pattern.contains("$" + column.name())) {
        Optional<String> text = text(column, values.get(i));
        if (text.isEmpty()) {
          return Optional.empty();
        }
        texts.put(column.name(), text.get());
      }
    }
    String result = pattern;
    for (String name :
        texts.keySet().stream().sorted(Comparator.comparing(String::length).reversed()).toList()) {
      result = result.replace("$" + name, texts.get(name));
    }
    return Optional.of(result);
  }

  private static Optional<String> text(DataField column, @Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    }
    return Optional.of(
        switch (column.type().root()) {
          case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
          case TIMESTAMP, TIMESTAMP_LTZ -> DEFAULT.format(dateTime((Timestamp) value));
          case DECIMAL -> ((BigDecimal) value).toPlainString();
          default -> value.toString();
        });
  }

  private static LocalDateTime dateTime(Timestamp value) {
    int nanos = (int) Math.floorMod(value.millis(), 1000L) * 1_000_000 + value.nanoOfMilli();
    return LocalDateTime.ofEpochSecond(Math.floorDiv(value.millis(), 1000L), nanos, ZoneOffset.UTC);
  }
}
