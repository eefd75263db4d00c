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

package io.keylake.spark.metadata;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.spark.sql.internal.SQLConf;
import org.jspecify.annotations.Nullable;

/**
 * How metadata tables print partitions, keys and statistics.
 *
 * <ol>
 *   <li>A partition is {@code {v1, v2}}, in {@code t$partitions} {@code k1=v1/k2=v2}: values as SQL
 *       casts them to text, {@code null} for NULL.
 *   <li>A key is {@code [v1, v2]}, statistics are {@code {column=value, ...}} by column name:
 *       values in raw form, a DATE as its day number, a timestamp with a {@code T}, bytes as {@code
 *       0x..}.
 * </ol>
 *
 * Rule source: table format, system tables (text forms). Pinned by {@code
 * MetadataTablesOracleTest}.
 */
public final class MetadataText {
  private MetadataText() {}

  /** {@code {v1, v2}}. */
  static String partition(BinaryRow row, RowType type) {
    BinaryRowCodec codec = BinaryRowCodec.of(type);
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < type.size(); i++) {
      text.add(String.valueOf(cast(codec.value(row, i), type.field(i))));
    }
    return text.toString();
  }

  /** {@code [v1, v2]}. */
  public static String key(BinaryRow row, RowType type) {
    BinaryRowCodec codec = BinaryRowCodec.of(type);
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < type.size(); i++) {
      text.add(raw(codec.value(row, i)));
    }
    return text.toString();
  }

  /** {@code k1=v1/k2=v2}; NULL and blank text are {@code defaultName}, as in folder names. */
  public static String path(BinaryRow row, RowType type, String defaultName) {
    BinaryRowCodec codec = BinaryRowCodec.of(type);
    StringJoiner text = new StringJoiner("/");
    for (int i = 0; i < type.size(); i++) {
      String value = cast(codec.value(row, i), type.field(i));
      text.add(
          type.field(i).name() + "=" + (value == null || value.isBlank() ? defaultName : value));
    }
    return text.toString();
  }

  /** {@code {column=value, ...}} by column name. */
  static String byColumn(Map<String, ? extends @Nullable Object> values) {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    new TreeMap<>(values).forEach((column, value) -> text.add(column + "=" + raw(value)));
    return text.toString();
  }

  /** The value as SQL casts it to text; null for NULL. */
  private static @Nullable String cast(@Nullable Object value, DataField field) {
    if (value == null) {
      return null;
    }
    TypeRoot root = field.type().root();
    if (value instanceof Integer number && root == TypeRoot.DATE) {
      return LocalDate.ofEpochDay(number).toString();
    } else if (value instanceof Integer number && root == TypeRoot.TIME) {
      return LocalTime.ofNanoOfDay(number * 1_000_000L).toString();
    } else if (value instanceof Timestamp time) {
      return timestamp(time, ((AtomicType) field.type()).precision(), root);
    }
    return raw(value);
  }

  private static String timestamp(Timestamp time, int precision, TypeRoot root) {
    LocalDateTime local =
        root == TypeRoot.TIMESTAMP_LTZ
            ? LocalDateTime.ofInstant(instant(time), sessionZone())
            : local(time);
    String text =
        local.toLocalDate()
            + String.format(
                " %02d:%02d:%02d", local.getHour(), local.getMinute(), local.getSecond());
    String fraction = String.format("%09d", local.getNano()).substring(0, precision);
    return fraction.isEmpty() ? text : text + "." + fraction;
  }

  private static String raw(@Nullable Object value) {
    if (value instanceof Timestamp time) {
      return local(time).toString();
    } else if (value instanceof BigDecimal number) {
      return number.toPlainString();
    } else if (value instanceof Bytes bytes) {
      return bytes.toString();
    }
    return String.valueOf(value);
  }

  private static Instant instant(Timestamp time) {
    return Instant.ofEpochMilli(time.millis()).plusNanos(time.nanoOfMilli());
  }

  private static LocalDateTime local(Timestamp time) {
    return LocalDateTime.ofInstant(instant(time), ZoneOffset.UTC);
  }

  /** Microseconds since the epoch of a local date and time, given in milliseconds as if in UTC. */
  static long microsInSessionZone(long localMillis) {
    LocalDateTime local =
        LocalDateTime.ofInstant(Instant.ofEpochMilli(localMillis), ZoneOffset.UTC);
    Instant instant = local.atZone(sessionZone()).toInstant();
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
  }

  private static ZoneId sessionZone() {
    return ZoneId.of(SQLConf.get().sessionLocalTimeZone(), ZoneId.SHORT_IDS);
  }
}
