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

package io.keylake.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyComparatorTest {
  private static RowType type(String... types) {
    List<DataField> fields = new ArrayList<>();
    for (String text : types) {
      fields.add(DataField.of(fields.size(), "k" + fields.size(), TypeParser.parse(text)));
    }
    return RowType.of(fields);
  }

  private static Bytes bytes(int... values) {
    byte[] content = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      content[i] = (byte) values[i];
    }
    return Bytes.wrap(content);
  }

  static Stream<Arguments> ascendingValues() {
    return Stream.of(
        Arguments.of("BOOLEAN", List.of(false, true)),
        Arguments.of("TINYINT", List.of((byte) -128, (byte) -1, (byte) 0, (byte) 127)),
        Arguments.of("SMALLINT", List.of((short) -300, (short) -1, (short) 255, (short) 256)),
        Arguments.of("INT", List.of(Integer.MIN_VALUE, -1, 0, 255, 256, Integer.MAX_VALUE)),
        Arguments.of("BIGINT", List.of(Long.MIN_VALUE, -1L, 0L, 1L << 40, Long.MAX_VALUE)),
        Arguments.of("FLOAT", List.of(Float.NEGATIVE_INFINITY, -1.5f, 0f, 2f)),
        Arguments.of("DOUBLE", List.of(-1e300, -1.5, 0.0, 2.0, Double.POSITIVE_INFINITY)),
        Arguments.of("DATE", List.of(-1, 0, 19724)),
        Arguments.of("TIME(3)", List.of(0, 45296789)),
        Arguments.of("DECIMAL(10,1)", decimals("-10.0", "-9.9", "0.0", "9.9", "10.0")),
        Arguments.of(
            "DECIMAL(30,1)", decimals("-99999999999999999999.0", "-1.0", "0.5", "128.0", "256.0")),
        Arguments.of("TIMESTAMP(3)", List.of(new Timestamp(-5, 0), new Timestamp(4, 0))),
        Arguments.of(
            "TIMESTAMP(9)",
            List.of(new Timestamp(-5, 7), new Timestamp(-5, 8), new Timestamp(4, 0))),
        Arguments.of(
            "STRING",
            List.of(
                "",
                "B",
                "a",
                "ab",
                "abcdefg",
                "abcdefgh",
                "abcdefgha",
                "b",
                "\u00e9",
                "\uff01",
                "\ud83d\ude00")),
        Arguments.of("BYTES", List.of(bytes(), bytes(1), bytes(1, 0), bytes(0x7f), bytes(0x80))));
  }

  private static List<BigDecimal> decimals(String... texts) {
    return Arrays.stream(texts).map(BigDecimal::new).toList();
  }

  @ParameterizedTest
  @MethodSource("ascendingValues")
  void keysAndValuesAreOrderedByTypedValue(String typeText, List<Object> ascending) {
    RowType keyType = type(typeText);
    BinaryRowCodec codec = BinaryRowCodec.of(keyType);
    List<Object> shuffled = new ArrayList<>(ascending);
    Collections.shuffle(shuffled, new Random(7));

    List<Object> byKey =
        shuffled.stream()
            .map(value -> codec.encode(List.of(value)))
            .sorted(KeyComparator.of(keyType))
            .map(row -> codec.value(row, 0))
            .toList();
    List<Object> byValue =
        shuffled.stream().sorted(ValueComparator.of(keyType.field(0).type())).toList();

    assertThat(byKey).isEqualTo(ascending);
    assertThat(byValue).isEqualTo(ascending);
  }

  @Test
  void laterColumnsDecideOnlyBetweenEqualEarlierOnes() {
    RowType keyType = type("STRING", "INT");
    BinaryRowCodec codec = BinaryRowCodec.of(keyType);
    KeyComparator order = KeyComparator.of(keyType);
    BinaryRow first = codec.encode(List.of("a long enough text", 2));
    assertThat(order.compare(first, codec.encode(List.of("a long enough text", 2)))).isZero();
    assertThat(order.compare(first, codec.encode(List.of("a long enough text", 1)))).isPositive();
    assertThat(order.compare(first, codec.encode(List.of("b", 1)))).isNegative();
  }

  @Test
  void nullComesFirst() {
    RowType keyType = type("INT");
    BinaryRowCodec codec = BinaryRowCodec.of(keyType);
    BinaryRow empty = codec.encode(Collections.singletonList(null));
    BinaryRow least = codec.encode(List.of(Integer.MIN_VALUE));
    assertThat(KeyComparator.of(keyType).compare(empty, least)).isNegative();
    assertThat(KeyComparator.of(keyType).compare(least, empty)).isPositive();
    assertThat(KeyComparator.of(keyType).compare(empty, empty)).isZero();
  }

  @Test
  void nanIsGreatestAndBothZeroesAreEqual() {
    RowType keyType = type("DOUBLE", "FLOAT");
    BinaryRowCodec codec = BinaryRowCodec.of(keyType);
    KeyComparator order = KeyComparator.of(keyType);
    BinaryRow nan = codec.encode(List.of(Double.NaN, -1.0f));
    assertThat(order.compare(codec.encode(List.of(Double.POSITIVE_INFINITY, 5.0f)), nan))
        .isNegative();
    assertThat(order.compare(nan, codec.encode(List.of(3.0, Float.NaN)))).isPositive();
    assertThat(order.compare(nan, codec.encode(List.of(Double.NaN, Float.NaN)))).isNegative();
    assertThat(order.compare(codec.encode(List.of(0.0, 0.0f)), codec.encode(List.of(-0.0, -0.0f))))
        .isZero();
    Comparator<Object> values = ValueComparator.of(keyType.field(0).type());
    assertThat(values.compare(Double.NaN, 1.0)).isPositive();
    assertThat(values.compare(Double.NaN, Double.NaN)).isZero();
    assertThat(values.compare(-0.0, 0.0)).isZero();
  }
}
