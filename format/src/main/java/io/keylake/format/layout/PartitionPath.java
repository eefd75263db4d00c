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

package io.keylake.format.layout;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The folders of partitions: {@code k1=v1/k2=v2}, empty for a table without partition columns.
 * Values are never read back from folder names, since different values may share a folder; the
 * manifest has them. Immutable.
 *
 * <ol>
 *   <li>Column and value are escaped, see {@link PathEscape}.
 *   <li>NULL and blank text go to the default partition.
 *   <li>Numbers are Java's text, DECIMAL in plain notation with its scale.
 *   <li>Legacy: DATE {@code 19724}, TIME {@code 45296789}, TIMESTAMP {@code 2024-01-02T03:04} with
 *       seconds and fraction only where they are not zero. Readable: {@code 2024-01-02}, {@code
 *       12:34:56.789}, {@code 2024-01-02 03:04:05.123456} with exactly as many digits as the type.
 *   <li>BINARY and VARBINARY have no legacy name (the reference writes one that it cannot find
 *       again) and are refused; their readable name is the bytes as UTF-8.
 * </ol>
 *
 * Rule source: table format, partition folders. Pinned by {@code PartitionPathTest}.
 */
public final class PartitionPath {
  private final BinaryRowCodec codec;
  private final PartitionNaming naming;

  private PartitionPath(RowType type, PartitionNaming naming) {
    this.codec = BinaryRowCodec.of(type);
    this.naming = naming;
  }

  /** The folders of partitions of {@code type}, the partition columns in partition-key order. */
  public static PartitionPath of(RowType type, PartitionNaming naming) {
    return new PartitionPath(type, naming);
  }

  /** The folder of a partition as manifests have it. */
  public String folder(BinaryRow partition) {
    return folder(codec.decode(partition));
  }

  /** The folder of a partition of these values, one per column. */
  public String folder(List<? extends @Nullable Object> values) {
    StringJoiner path = new StringJoiner("/");
    for (int i = 0; i < codec.type().size(); i++) {
      DataField column = codec.type().field(i);
      path.add(
          PathEscape.escape(column.name())
              + "="
              + PathEscape.escape(text(column.type(), values.get(i))));
    }
    return path.toString();
  }

  /** The text of one value before escaping, the default name for NULL and blank text. */
  public String text(DataType type, @Nullable Object value) {
    if (value == null) {
      return naming.defaultName();
    }
    String text =
        switch (naming.style()) {
          case LEGACY -> legacyText(type, value);
          case READABLE -> readableText(type, value);
        };
    return text.isBlank() ? naming.defaultName() : text;
  }

  private static String legacyText(DataType type, Object value) {
    return switch (type.root()) {
      case TIMESTAMP, TIMESTAMP_LTZ -> dateTime((Timestamp) value).toString();
      case BINARY, VARBINARY, BLOB -> throw refused(type, "Set partition.legacy-name=false.");
      default -> plainText(type, value);
    };
  }

  private String readableText(DataType type, Object value) {
    return switch (type.root()) {
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME ->
          time(Math.min(3, ((AtomicType) type).precision()))
              .format(LocalTime.ofNanoOfDay((Integer) value * 1_000_000L));
      case TIMESTAMP ->
          timestamp(((AtomicType) type).precision()).format(dateTime((Timestamp) value));
      case TIMESTAMP_LTZ ->
          timestamp(((AtomicType) type).precision()).format(zoned((Timestamp) value));
      case BINARY, VARBINARY, BLOB -> new String(((Bytes) value).array(), StandardCharsets.UTF_8);
      default -> plainText(type, value);
    };
  }

  private static String plainText(DataType type, Object value) {
    return switch (type.root()) {
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, CHAR, VARCHAR, DATE, TIME ->
          value.toString();
      default -> throw refused(type, "Partition by another column.");
    };
  }

  private static UnsupportedTableException refused(DataType type, String advice) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Cannot name the folder of a partition column of type " + TypeText.of(type) + ". " + advice,
        null);
  }

  private static LocalDateTime dateTime(Timestamp value) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(value.millis(), 1000L), nanos(value), ZoneOffset.UTC);
  }

  private LocalDateTime zoned(Timestamp value) {
    return Instant.ofEpochSecond(Math.floorDiv(value.millis(), 1000L), nanos(value))
        .atZone(naming.zone())
        .toLocalDateTime();
  }

  private static int nanos(Timestamp value) {
    return (int) Math.floorMod(value.millis(), 1000L) * 1_000_000 + value.nanoOfMilli();
  }

  private static DateTimeFormatter timestamp(int digits) {
    return new DateTimeFormatterBuilder()
        .append(DateTimeFormatter.ISO_LOCAL_DATE)
        .appendLiteral(' ')
        .append(time(digits))
        .toFormatter();
  }

  private static DateTimeFormatter time(int digits) {
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().appendPattern("HH:mm:ss");
    if (digits > 0) {
      builder.appendFraction(ChronoField.NANO_OF_SECOND, digits, digits, true);
    }
    return builder.toFormatter();
  }
}
