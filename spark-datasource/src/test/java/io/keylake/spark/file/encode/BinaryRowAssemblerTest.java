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

package io.keylake.spark.file.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.RowHash;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.api.Test;

class BinaryRowAssemblerTest {
  private static final List<AtomicType> TYPES =
      List.of(
          DataTypes.BOOLEAN,
          DataTypes.TINYINT,
          DataTypes.SMALLINT,
          DataTypes.INT,
          DataTypes.BIGINT,
          DataTypes.FLOAT,
          DataTypes.DOUBLE,
          DataTypes.decimal(10, 2),
          DataTypes.decimal(20, 3),
          DataTypes.STRING,
          DataTypes.STRING,
          DataTypes.BYTES,
          DataTypes.DATE,
          DataTypes.timestamp(3),
          DataTypes.timestamp(6),
          DataTypes.sized(TypeRoot.TIMESTAMP, 9));
  private static final List<Object> SPARK_VALUES =
      List.of(
          true,
          (byte) -2,
          (short) 300,
          -7,
          1234567890123L,
          1.5f,
          -2.25,
          new BigDecimal("-123.45"),
          new BigDecimal("-123.456"),
          "abcdefg",
          "hello world é",
          new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9},
          LocalDate.ofEpochDay(19724),
          LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
          LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
          LocalDateTime.of(2024, 1, 2, 3, 4, 5, 123_456_000));
  private static final List<Object> FORMAT_VALUES =
      List.of(
          true,
          (byte) -2,
          (short) 300,
          -7,
          1234567890123L,
          1.5f,
          -2.25,
          new BigDecimal("-123.45"),
          new BigDecimal("-123.456"),
          "abcdefg",
          "hello world é",
          Bytes.copyOf(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}),
          19724,
          new Timestamp(-1, 0),
          new Timestamp(-1, 999_000),
          Timestamp.ofMicros(
              LocalDateTime.of(2024, 1, 2, 3, 4, 5).toEpochSecond(ZoneOffset.UTC) * 1_000_000L
                  + 123_456L));

  private static List<DataField> fields() {
    return IntStream.range(0, TYPES.size())
        .mapToObj(i -> DataField.of(i, "c" + i, TYPES.get(i)))
        .toList();
  }

  @Test
  void everyTypeGivesTheBytesOfTheFormatAlone() {
    UnsafeRow row =
        TestRows.unsafe(fields(), List.of(RowFactory.create(SPARK_VALUES.toArray()))).get(0);
    for (int i = 0; i < TYPES.size(); i++) {
      RowType type = RowType.of(List.of(fields().get(i)));
      BinaryRowAssembler assembler = new BinaryRowAssembler(type, List.of(i), TYPES.size());
      assembler.assemble(row.getBaseObject(), row.getBaseOffset());
      BinaryRow expected = BinaryRowCodec.of(type).encode(List.of(FORMAT_VALUES.get(i)));
      assertThat(assembler.toBinaryRow()).as("column %s", i).isEqualTo(expected);
      assertThat(assembler.hash()).isEqualTo(RowHash.murmur(expected));
      assertThat(assembler.isEqualTo(expected)).isTrue();
    }
  }

  @Test
  void allColumnsTogetherGiveTheBytesOfTheFormatInAnyOrder() {
    UnsafeRow row =
        TestRows.unsafe(fields(), List.of(RowFactory.create(SPARK_VALUES.toArray()))).get(0);
    List<Integer> order =
        IntStream.range(0, TYPES.size()).map(i -> TYPES.size() - 1 - i).boxed().toList();
    RowType type = RowType.of(order.stream().map(i -> fields().get(i)).toList());
    BinaryRowAssembler assembler = new BinaryRowAssembler(type, order, TYPES.size());
    assembler.assemble(row.getBaseObject(), row.getBaseOffset());
    List<Object> values = order.stream().map(FORMAT_VALUES::get).toList();
    assertThat(assembler.toBinaryRow()).isEqualTo(BinaryRowCodec.of(type).encode(values));
  }

  @Test
  void nullsReserveRoomAsTheFormatWants() {
    Row nulls = RowFactory.create(new Object[TYPES.size()]);
    UnsafeRow row = TestRows.unsafe(fields(), List.of(nulls)).get(0);
    RowType type = RowType.of(fields());
    List<Integer> order = IntStream.range(0, TYPES.size()).boxed().toList();
    BinaryRowAssembler assembler = new BinaryRowAssembler(type, order, TYPES.size());
    assembler.assemble(row.getBaseObject(), row.getBaseOffset());
    List<Object> values = new ArrayList<>();
    order.forEach(i -> values.add(null));
    assertThat(assembler.toBinaryRow()).isEqualTo(BinaryRowCodec.of(type).encode(values));
  }

  @Test
  void aKnownKeyHashesAsTheReferenceImplementationHashesIt() {
    List<DataField> fields = List.of(DataField.of(0, "k", DataTypes.INT));
    UnsafeRow row = TestRows.unsafe(fields, List.of(RowFactory.create(1))).get(0);
    BinaryRowAssembler assembler = new BinaryRowAssembler(RowType.of(fields), List.of(0), 1);
    assembler.assemble(row.getBaseObject(), row.getBaseOffset());
    assertThat(assembler.hash()).isEqualTo(1465514398);
  }
}
