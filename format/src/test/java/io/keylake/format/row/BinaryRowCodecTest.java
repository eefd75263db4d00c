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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import io.keylake.format.types.VectorType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BinaryRowCodecTest {
  private static final long MORNING = 1704164645123L;

  private static RowType row(DataType... types) {
    List<DataField> fields = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      fields.add(DataField.of(i, "f" + i, types[i]));
    }
    return RowType.of(fields);
  }

  private static RowType row(String types) {
    return row(Arrays.stream(types.split(";")).map(TypeParser::parse).toArray(DataType[]::new));
  }

  private static Arguments vector(String types, String hex, int hash, Object... values) {
    return Arguments.of(types, Collections.unmodifiableList(Arrays.asList(values)), hex, hash);
  }

  private static Bytes bytes(String hex) {
    return Bytes.wrap(HexFormat.of().parseHex(hex));
  }

  /** What the reference wrote: types, bytes, hash, values. */
  static Stream<Arguments> referenceRows() {
    return Stream.of(
        vector("INT", "00000000000000000100000000000000", 1465514398, 1),
        vector("INT", "0000000000000000f9ffffff00000000", 1485184587, -7),
        vector("INT", "00000000000000000000000000000000", -300363099, 0),
        vector("INT", "00010000000000000000000000000000", -1748325344, (Object) null),
        vector("BIGINT", "0000000000000000cb04fb711f010000", -1873221036, 1234567890123L),
        vector("BIGINT", "0000000000000000ffffffffffffffff", -821098432, -1L),
        vector("SMALLINT", "00000000000000002c01000000000000", 690796707, (short) 300),
        vector("TINYINT", "0000000000000000fe00000000000000", 1831745471, (byte) -2),
        vector("BOOLEAN", "00000000000000000100000000000000", 1465514398, true),
        vector("FLOAT", "00000000000000000000c03f00000000", -173842779, 1.5f),
        vector("DOUBLE", "000000000000000000000000000002c0", -413435051, -2.25d),
        vector("STRING", "00000000000000000000000000000080", 302122119, ""),
        vector("STRING", "00000000000000006162630000000083", -101922419, "abc"),
        vector("STRING", "00000000000000006162636465666787", -1431907323, "abcdefg"),
        vector(
            "STRING", "000000000000000008000000100000006162636465666768", -843760178, "abcdefgh"),
        vector(
            "STRING",
            "00000000000000000c0000001000000068656c6c6f207061696d6f6e00000000",
            168916036,
            "hello paimon"),
        vector(
            "STRING",
            "0000000000000000080000001000000068c3a9c3a9e4b8ad",
            1925786095,
            "h\u00e9\u00e9\u4e2d"),
        vector("BYTES", "00000000000000000102000000000082", -308248439, bytes("0102")),
        vector(
            "BYTES",
            "0000000000000000090000001000000001020304050607080900000000000000",
            -171399545,
            bytes("010203040506070809")),
        vector("DATE", "00000000000000000c4d000000000000", 1827046836, 19724),
        vector("TIME(3)", "0000000000000000952cb30200000000", 1815782997, 45296789));
  }

  static Stream<Arguments> referenceDecimalsAndTimestamps() {
    return Stream.of(
        vector(
            "DECIMAL(10,2)",
            "00000000000000003930000000000000",
            767607022,
            new BigDecimal("123.45")),
        vector(
            "DECIMAL(10,2)",
            "0000000000000000c7cfffffffffffff",
            280263423,
            new BigDecimal("-123.45")),
        vector(
            "DECIMAL(20,3)",
            "0000000000000000030000001000000001e24000000000000000000000000000",
            -2052491411,
            new BigDecimal("123.456")),
        vector(
            "DECIMAL(20,3)",
            "00000000000000000300000010000000fe1dc000000000000000000000000000",
            -1226744955,
            new BigDecimal("-123.456")),
        vector(
            "DECIMAL(38,0)",
            "00000000000000000c0000001000000027e41b3246bec9b16e39811500000000",
            1952065142,
            new BigDecimal("12345678901234567890123456789")),
        vector(
            "DECIMAL(20,3)",
            "0001000000000000000000001000000000000000000000000000000000000000",
            -1380280760,
            (Object) null),
        vector(
            "TIMESTAMP(3)",
            "000000000000000003d920c88c010000",
            1903343740,
            new Timestamp(MORNING, 0)),
        vector(
            "TIMESTAMP(6)",
            "000000000000000040f506001000000003d920c88c010000",
            -1539318453,
            new Timestamp(MORNING, 456000)),
        vector(
            "TIMESTAMP(9)",
            "000000000000000055f806001000000003d920c88c010000",
            -534033953,
            new Timestamp(MORNING, 456789)),
        vector(
            "TIMESTAMP(6)",
            "0000000000000000583e0f0010000000ffffffffffffffff",
            1236894319,
            new Timestamp(-1, 999000)),
        vector(
            "TIMESTAMP(6)",
            "000100000000000000000000100000000000000000000000",
            -340882661,
            (Object) null));
  }

  static Stream<Arguments> referenceRowsOfSeveralFields() {
    return Stream.of(
        vector(
            "INT;STRING", "000000000000000001000000000000006162630000000083", 261371745, 1, "abc"),
        vector(
            "STRING;BIGINT",
            "00000000000000000c000000180000002a0000000000000068656c6c6f207061696d6f6e00000000",
            -193831800,
            "hello paimon",
            42L),
        vector(
            "INT;STRING",
            "0001000000000000000000000000000008000000180000006162636465666768",
            1589082056,
            null,
            "abcdefgh"),
        vector(
            "STRING;DECIMAL(20,3);INT",
            "00020000000000007800000000000081000000002000000005000000000000000000000000000000"
                + "0000000000000000",
            1811947492,
            "x",
            null,
            5),
        vector(
            "TIMESTAMP(6);INT",
            "0001000000000000000000001800000005000000000000000000000000000000",
            355866870,
            null,
            5),
        vector(
            "STRING;STRING",
            "00000000000000000a000000180000001000000028000000303132333435363738390000000000006"
                + "162636465666768696a6b6c6d6e6f70",
            1764780310,
            "0123456789",
            "abcdefghijklmnop"),
        vector(
            "DATE;INT;DECIMAL(10,2)",
            "00000000000000000c4d00000000000007000000000000006e00000000000000",
            -1811881414,
            19724,
            7,
            new BigDecimal("1.10")));
  }

  @ParameterizedTest
  @MethodSource({"referenceRows", "referenceDecimalsAndTimestamps", "referenceRowsOfSeveralFields"})
  void bytesAndHashAreThoseOfTheReference(String types, List<Object> values, String hex, int hash) {
    BinaryRowCodec codec = BinaryRowCodec.of(row(types));
    BinaryRow encoded = codec.encode(values);
    assertThat(encoded).hasToString(hex);
    assertThat(RowHash.murmur(encoded)).isEqualTo(hash);
    assertThat(codec.decode(encoded)).isEqualTo(values);
    assertThat(codec.value(encoded, values.size() - 1)).isEqualTo(values.get(values.size() - 1));
  }

  static Stream<Arguments> referenceNestedRows() {
    return Stream.of(
        Arguments.of(
            row(DataTypes.INT, DataTypes.STRING).asNullable(),
            List.of(1, "abc"),
            "00000000000000001800000010000000000000000000000001000000000000006162630000000083"),
        Arguments.of(
            new ArrayType(DataTypes.INT, true),
            Arrays.asList(1, null, 3),
            "00000000000000001800000010000000030000000200000001000000000000000300000000000000"),
        Arguments.of(
            new ArrayType(DataTypes.STRING, true),
            List.of("a", "0123456789"),
            "00000000000000002800000010000000020000000000000061000000000000810a00000018000000"
                + "30313233343536373839000000000000"),
        Arguments.of(
            new MapType(DataTypes.STRING, DataTypes.INT, true),
            Map.of("k", 1),
            "000000000000000024000000100000001000000001000000000000006b0000000000008101000000"
                + "00000000010000000000000000000000"));
  }

  @ParameterizedTest
  @MethodSource("referenceNestedRows")
  void nestedBytesAreThoseOfTheReference(DataType type, Object value, String hex) {
    BinaryRowCodec codec = BinaryRowCodec.of(row(type));
    BinaryRow encoded = codec.encode(List.of(value));
    assertThat(encoded).hasToString(hex);
    assertThat(codec.value(encoded, 0)).isEqualTo(value);
  }

  @Test
  void valuesInsideNestedValuesSurvive() {
    RowType inner = row("DECIMAL(30,2);TIMESTAMP(6);SMALLINT;BOOLEAN");
    RowType type =
        row(
            new ArrayType(inner.asNullable(), true),
            new MultisetType(DataTypes.STRING, true),
            new ArrayType(DataTypes.timestamp(9), true),
            DataTypes.VARIANT);
    List<Object> innerRow =
        Arrays.asList(new BigDecimal("-7.25"), new Timestamp(5, 6000), (short) 3, false);
    List<Object> values =
        List.of(
            Arrays.asList(innerRow, null, Arrays.asList(null, null, null, true)),
            Map.of("some longer text", 2, "b", 1),
            Arrays.asList(null, new Timestamp(-1, 1)),
            new Variant(bytes("0c01"), bytes("010000")));
    BinaryRowCodec codec = BinaryRowCodec.of(type);
    BinaryRow encoded = codec.encode(values);
    assertThat(codec.decode(encoded)).isEqualTo(values);
    assertThat(encoded.array().length % 8).isZero();
  }

  @Test
  void fiftySevenFieldsNeedASecondBlockOfNullBits() {
    DataType[] types = new DataType[57];
    Arrays.fill(types, DataTypes.INT);
    List<Object> values = new ArrayList<>(Collections.nCopies(57, 1));
    values.set(56, null);
    BinaryRow encoded = BinaryRowCodec.of(row(types)).encode(values);
    assertThat(encoded.array()).hasSize(472);
    assertThat(encoded.toString()).startsWith("00000000000000000100000000000000");
    assertThat(encoded.isNullAt(56)).isTrue();
    assertThat(encoded.isNullAt(55)).isFalse();
  }

  @Test
  void serializedFormHasTheArityInFrontBigEndian() {
    BinaryRow one = BinaryRowCodec.of(row("INT")).encode(List.of(1));
    BinaryRow partition = BinaryRowCodec.of(row("STRING;INT")).encode(List.of("2024-01-02", 10));
    assertThat(BinaryRowCodec.serialize(one))
        .asHexString()
        .isEqualToIgnoringCase("0000000100000000000000000100000000000000");
    assertThat(BinaryRowCodec.serialize(partition))
        .asHexString()
        .isEqualToIgnoringCase(
            "0000000200000000000000000a000000180000000a00000000000000323032342d30312d3032"
                + "000000000000");
    assertThat(BinaryRowCodec.deserialize(BinaryRowCodec.serialize(partition)))
        .isEqualTo(partition);
  }

  @Test
  void emptyRowHasTwelveBytesAndTheHashOfTheReference() {
    assertThat(BinaryRowCodec.serialize(BinaryRow.EMPTY)).hasSize(12).containsOnly(0);
    assertThat(BinaryRowCodec.deserialize(new byte[12])).isSameAs(BinaryRow.EMPTY);
    assertThat(BinaryRowCodec.of(row(new DataType[0])).encode(List.of())).isSameAs(BinaryRow.EMPTY);
    assertThat(RowHash.murmur(BinaryRow.EMPTY)).isEqualTo(-1670924195);
  }

  @Test
  void bytesThatAreNoRowAreRefused() {
    for (String damaged : List.of("", "000000", "00000001", "ffffffff0000000000000000")) {
      assertThatThrownBy(() -> BinaryRowCodec.deserialize(HexFormat.of().parseHex(damaged)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Not a serialized row");
    }
    assertThatThrownBy(() -> BinaryRowCodec.of(row("INT")).decode(BinaryRow.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[f0]");
  }

  @Test
  void valuesThatDoNotFitTheTypeAreRefused() {
    BinaryRowCodec codec = BinaryRowCodec.of(row("DECIMAL(4,2)"));
    assertThatThrownBy(() -> codec.encode(List.of(new BigDecimal("1.5"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.5 is no value of DECIMAL(4, 2)");
    assertThatThrownBy(() -> codec.encode(List.of(new BigDecimal("123.45"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.encode(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs 1 values");
    assertThatThrownBy(
            () ->
                BinaryRowCodec.of(row(new VectorType(DataTypes.FLOAT, 2, true)))
                    .encode(List.of(List.of(1f, 2f))))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("VECTOR<FLOAT, 2>");
  }
}
