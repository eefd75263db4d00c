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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.layout.PartitionNaming.Style;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PartitionPathTest {
  private static final long MORNING = 1704164640000L; // 2024-01-02T03:04
  private static final PartitionNaming LEGACY = PartitionNaming.standard(ZoneOffset.UTC);
  private static final PartitionNaming READABLE =
      new PartitionNaming("__NONE__", Style.READABLE, ZoneId.of("Asia/Tokyo"));

  private static String text(PartitionNaming naming, String type, Object value) {
    return PartitionPath.of(RowType.of(List.of()), naming).text(TypeParser.parse(type), value);
  }

  static Stream<Arguments> escapes() {
    return Stream.of(
        Arguments.of("a b:c/d=e%f", "a b%3Ac%2Fd%3De%25f"),
        Arguments.of("q?*<>|", "q%3F%2A<>|"),
        Arguments.of("!@$&()+,;~", "!@$&()+,;~"),
        Arguments.of("\"#'\\{}[]^", "%22%23%27%5C%7B%7D%5B%5D%5E"),
        Arguments.of("\u00e9\u4e2d", "\u00e9\u4e2d"),
        Arguments.of("a%20b", "a%2520b"));
  }

  @ParameterizedTest
  @MethodSource("escapes")
  void specialCharactersAreEscaped(String plain, String escaped) {
    assertThat(PathEscape.escape(plain)).isEqualTo(escaped);
  }

  @Test
  void controlCharactersAreEscaped() {
    assertThat(PathEscape.escape("tab\there\u0000\u001f\u007f")).isEqualTo("tab%09here%00%1F%7F");
  }

  static Stream<Arguments> texts() {
    return Stream.of(
        Arguments.of("BOOLEAN", true, "true", "true"),
        Arguments.of("TINYINT", (byte) -3, "-3", "-3"),
        Arguments.of("BIGINT", 99999999999L, "99999999999", "99999999999"),
        Arguments.of("DECIMAL(10,2)", new BigDecimal("1.50"), "1.50", "1.50"),
        Arguments.of(
            "DECIMAL(20,10)", new BigDecimal("1E-7").setScale(10), "0.0000001000", "0.0000001000"),
        Arguments.of("FLOAT", 1f, "1.0", "1.0"),
        Arguments.of("DOUBLE", 123456789.125, "1.23456789125E8", "1.23456789125E8"),
        Arguments.of("DATE", 19724, "19724", "2024-01-02"),
        Arguments.of("DATE", -1, "-1", "1969-12-31"),
        Arguments.of("TIME(3)", 45296789, "45296789", "12:34:56.789"),
        Arguments.of("TIME(0)", 45296000, "45296000", "12:34:56"),
        Arguments.of(
            "TIMESTAMP(3)",
            new Timestamp(MORNING, 0),
            "2024-01-02T03:04",
            "2024-01-02 03:04:00.000"),
        Arguments.of(
            "TIMESTAMP(0)",
            new Timestamp(MORNING + 5000, 0),
            "2024-01-02T03:04:05",
            "2024-01-02 03:04:05"),
        Arguments.of(
            "TIMESTAMP(6)",
            new Timestamp(MORNING + 5123, 456000),
            "2024-01-02T03:04:05.123456",
            "2024-01-02 03:04:05.123456"),
        Arguments.of(
            "TIMESTAMP(3)",
            new Timestamp(-1000, 0),
            "1969-12-31T23:59:59",
            "1969-12-31 23:59:59.000"),
        Arguments.of(
            "TIMESTAMP_LTZ(3)",
            new Timestamp(MORNING, 0),
            "2024-01-02T03:04",
            "2024-01-02 12:04:00.000"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void valuesHaveTheTextOfTheirType(String type, Object value, String legacy, String readable) {
    assertThat(text(LEGACY, type, value)).isEqualTo(legacy);
    assertThat(text(READABLE, type, value)).isEqualTo(readable);
  }

  @Test
  void nullAndBlankGoToTheDefaultPartition() {
    assertThat(text(LEGACY, "INT", null)).isEqualTo("__DEFAULT_PARTITION__");
    assertThat(text(LEGACY, "STRING", "")).isEqualTo("__DEFAULT_PARTITION__");
    assertThat(text(LEGACY, "STRING", " \t")).isEqualTo("__DEFAULT_PARTITION__");
    assertThat(text(READABLE, "STRING", null)).isEqualTo("__NONE__");
  }

  @Test
  void bytesHaveOnlyReadableName() {
    Bytes bytes = Bytes.copyOf(new byte[] {'a', 'b'});
    assertThat(text(READABLE, "BYTES", bytes)).isEqualTo("ab");
    assertThatThrownBy(() -> text(LEGACY, "BYTES", bytes))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("BYTES")
        .hasMessageContaining("partition.legacy-name=false");
  }

  @Test
  void foldersFollowThePartitionKeys() {
    RowType type =
        RowType.of(
            List.of(
                DataField.of(3, "dt", TypeParser.parse("STRING")),
                DataField.of(1, "h:r", TypeParser.parse("INT"))));
    PartitionPath path = PartitionPath.of(type, LEGACY);
    assertThat(path.folder(List.of("a=b", -1))).isEqualTo("dt=a%3Db/h%3Ar=-1");
    assertThat(path.folder(BinaryRowCodec.of(type).encode(Arrays.asList(null, 1))))
        .isEqualTo("dt=__DEFAULT_PARTITION__/h%3Ar=1");
    assertThat(PartitionPath.of(RowType.of(List.of()), LEGACY).folder(List.of())).isEmpty();
  }
}
