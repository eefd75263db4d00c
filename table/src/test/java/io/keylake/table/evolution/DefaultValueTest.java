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

package io.keylake.table.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.TypeParser;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DefaultValueTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Object parse(String type, String text) {
    return DefaultValue.parse("c", TypeParser.parse(type), text, BERLIN);
  }

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of("BOOLEAN", "TRUE", true),
        Arguments.of("TINYINT", "-3", (byte) -3),
        Arguments.of("SMALLINT", "300", (short) 300),
        Arguments.of("INT", "7", 7),
        Arguments.of("BIGINT", "5000000000", 5000000000L),
        Arguments.of("FLOAT", "1.5", 1.5f),
        Arguments.of("DOUBLE", "-2", -2.0),
        Arguments.of("DECIMAL(5,2)", "1.005", new BigDecimal("1.01")),
        Arguments.of("STRING", "'it'", "it"),
        Arguments.of("STRING", "dflt", "dflt"),
        Arguments.of("STRING", "", ""),
        Arguments.of("VARCHAR(3)", "abc", "abc"),
        Arguments.of("BYTES", "ab", Bytes.copyOf(new byte[] {'a', 'b'})),
        Arguments.of("DATE", "2020-02-02", 18294),
        Arguments.of("TIME(3)", "12:34:56.789", 45296789),
        Arguments.of("TIMESTAMP(3)", "2024-01-02 03:04:05.123", new Timestamp(1704164645123L, 0)),
        Arguments.of(
            "TIMESTAMP(6)", "2024-01-02T03:04:05.123456", new Timestamp(1704164645123L, 456000)),
        Arguments.of("TIMESTAMP(0)", "1970-01-02", new Timestamp(86400000, 0)),
        Arguments.of("TIMESTAMP_LTZ(3)", "1970-01-01 01:00:00", new Timestamp(0, 0)),
        Arguments.of("TIMESTAMP_LTZ(3)", "1970-01-01T00:00:00Z", new Timestamp(0, 0)),
        Arguments.of("TIMESTAMP_LTZ(3)", "1970-01-01 00:00:00-01:00", new Timestamp(3600000, 0)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void textBecomesValueOfTheType(String type, String text, Object value) {
    assertThat(parse(type, text)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BOOLEAN|yes",
        "TINYINT|128",
        "INT|1.5",
        "INT|x",
        "DECIMAL(3,1)|1000",
        "VARCHAR(2)|abc",
        "VARBINARY(1)|ab",
        "DATE|2020-02-31",
        "TIMESTAMP(3)|noon",
        "VARIANT|1"
      })
  void otherTextIsRefusedWithColumnAndType(String type, String text) {
    assertThatThrownBy(() -> parse(type, text))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'" + text + "' of column c");
  }

  @Test
  void nestedTypesHaveNoDefault() {
    assertThatThrownBy(
            () -> DefaultValue.parse("c", new ArrayType(DataTypes.INT, true), "[]", BERLIN))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("ARRAY<INT>");
  }
}
