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

package io.keylake.format.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.And;
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.predicate.Predicate.Or;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The container and the index bodies against bytes that the reference implementation 1.4.2 wrote
 * for three rows: (1, 'a', 2024-01-01, -5, true, 2024-01-31T12:00:00.123456, 1.5), (2, NULL,
 * 2024-01-02, 7, false, 1969-01-31T12:00:00.000001, -2.0), (3, 'b', 2024-01-01, 7, false, NULL,
 * NULL); filters for 20 items.
 */
class FileIndexesTest {
  private static final String REFERENCE =
      "00054e4ed01a35ae000000010000011b0000000700016300000002000c626c6f6f6d2d66696c7465720000011b0000001000066269746d61700000012b0000004100016400000002000c626c6f6f6d2d66696c7465720000016c0000001000066269746d61700000017c0000004a000269640000000100066269746d6170000001c60000004200016c00000002000c626c6f6f6d2d66696c746572000002080000001000066269746d617000000218000000560002626f0000000100066269746d61700000026e000000410002646200000001000c626c6f6f6d2d66696c746572000002af000000100002747300000002000c626c6f6f6d2d66696c746572000002bf0000001000066269746d6170000002cf0000004a000000000000000308000020020000200050000002000000030000000201fffffffe00000012000000010000000161000000000000001e000000020000000161ffffffffffffffff0000000162fffffffdffffffff00000003802400400000000080000400020000000300000002000000000100004d0b000000000000001c0000000200004d0b000000000000001400004d0cfffffffeffffffff3a3000000100000000000100100000000000020002000000030000000300000000010000000100000000000000280000000300000001ffffffffffffffff00000002fffffffeffffffff00000003fffffffdffffffff000000030000000400043000808000000200000003000000020000000001fffffffffffffffb000000000000002400000002fffffffffffffffbffffffffffffffff000000000000000700000000000000143a3000000100000000000100100000000100020002000000030000000200000000010000000000000000160000000200000000000000001401ffffffffffffffff3a30000001000000000001001000000001000200000000030900000400402000200000000000000304008000000000052008000002000000030000000201fffffffd0000001200000001ffffe5b702151001000000000000002400000002ffffe5b702151001fffffffeffffffff0006103c9e4bf240ffffffffffffffff";

  private static final Timestamp EARLY = Timestamp.ofMicros(0xffffe5b702151001L);
  private static final Timestamp LATE = Timestamp.ofMicros(0x0006103c9e4bf240L);
  private static final DataType TIMESTAMP = DataTypes.timestamp(6);

  private static FileIndexes reference() {
    return FileIndexes.decode(HexFormat.of().parseHex(REFERENCE), "f.index");
  }

  @Test
  void containerOfTheReferenceIsReadAndWrittenBackByteByByte() {
    assertThat(reference().columns().keySet())
        .containsExactly("c", "d", "id", "l", "bo", "db", "ts");
    assertThat(HexFormat.of().formatHex(reference().encode())).isEqualTo(REFERENCE);
  }

  @Test
  void bloomFiltersAreThoseOfTheReference() {
    assertBloom("c", DataTypes.STRING, "a", "b");
    assertBloom("l", DataTypes.BIGINT, -5L, 7L);
    assertBloom("d", DataTypes.DATE, 19723, 19724);
    assertBloom("db", DataTypes.DOUBLE, 1.5, -2.0);
    assertBloom("ts", TIMESTAMP, LATE, EARLY);
  }

  private static void assertBloom(String column, DataType type, Object... values) {
    BloomFilterIndex built = BloomFilterIndex.create(type, 20, 0.1);
    Arrays.stream(values).forEach(built::add);
    Bytes expected = reference().columns().get(column).get(FileIndexes.BLOOM_FILTER);
    assertThat(built.encode()).as(column).isEqualTo(expected);
    BloomFilterIndex read = BloomFilterIndex.decode(type, expected);
    assertThat(values).allMatch(read::mayContain);
  }

  @Test
  void bitmapIndexesAreThoseOfTheReference() {
    assertBitmap("c", DataTypes.STRING, "a", null, "b");
    assertBitmap("l", DataTypes.BIGINT, -5L, 7L, 7L);
    assertBitmap("d", DataTypes.DATE, 19723, 19724, 19723);
    assertBitmap("bo", DataTypes.BOOLEAN, true, false, false);
    assertBitmap("id", DataTypes.INT, 1, 2, 3);
    assertBitmap("ts", TIMESTAMP, LATE, EARLY, null);
  }

  private static void assertBitmap(String column, DataType type, Object... rows) {
    BitmapIndex.Builder builder = new BitmapIndex.Builder(type, 16 * 1024);
    Arrays.stream(rows).forEach(builder::add);
    Bytes reference = reference().columns().get(column).get(FileIndexes.BITMAP);
    for (Bytes body : List.of(builder.encode(), reference)) {
      BitmapIndex index = BitmapIndex.decode(type, body);
      assertThat(index).isNotNull();
      for (int row = 0; row < rows.length; row++) {
        Object value = rows[row];
        assertThat((value == null ? index.isNull() : index.equalTo(value)).contains(row)).isTrue();
        assertThat(index.isNotNull().contains(row)).isEqualTo(value != null);
      }
    }
    assertThat(builder.encode().length()).as(column).isEqualTo(reference.length());
  }

  @Test
  void manyValuesFillSeveralBlocks() {
    BitmapIndex.Builder builder = new BitmapIndex.Builder(DataTypes.INT, 64);
    for (int row = 0; row < 1000; row++) {
      builder.add(row % 100);
    }
    BitmapIndex index = BitmapIndex.decode(DataTypes.INT, builder.encode());
    assertThat(index).isNotNull();
    for (int value = 0; value < 100; value++) {
      assertThat(index.equalTo(value).getCardinality()).isEqualTo(10);
    }
    assertThat(index.equalTo(100).isEmpty()).isTrue();
  }

  @Test
  void evaluatorIsNeverTooEager() {
    DataField c = DataField.of(1, "c", DataTypes.STRING);
    DataField l = DataField.of(3, "l", DataTypes.BIGINT);
    FileIndexEvaluator evaluator = new FileIndexEvaluator(reference(), field -> field);
    Predicate cIsA = new Leaf(c, Operator.EQUAL, List.of("a"));
    Predicate cIsZ = new Leaf(c, Operator.EQUAL, List.of("z"));
    Predicate lIs8 = new Leaf(l, Operator.EQUAL, List.of(8L));
    Predicate lIs7 = new Leaf(l, Operator.IN, List.of(8L, 7L));
    assertThat(evaluator.mayMatch(cIsA)).isTrue();
    assertThat(evaluator.mayMatch(cIsZ)).isFalse();
    assertThat(evaluator.mayMatch(lIs8)).isFalse();
    assertThat(evaluator.mayMatch(new Or(List.of(cIsZ, lIs7)))).isTrue();
    assertThat(evaluator.mayMatch(new Or(List.of(cIsZ, lIs8)))).isFalse();
    // Row 0 has 'a', rows 1 and 2 have 7: no row has both.
    assertThat(evaluator.mayMatch(new And(List.of(cIsA, lIs7)))).isFalse();
    assertThat(evaluator.mayMatch(new Leaf(c, Operator.NOT_IN, List.of("a", "b")))).isFalse();
    assertThat(evaluator.mayMatch(new Leaf(c, Operator.NOT_EQUAL, List.of("a")))).isTrue();
    assertThat(evaluator.mayMatch(new Leaf(c, Operator.IS_NULL, List.of()))).isTrue();
    assertThat(evaluator.mayMatch(new Leaf(l, Operator.IS_NULL, List.of()))).isFalse();
    assertThat(evaluator.mayMatch(new Leaf(l, Operator.GREATER, List.of(100L)))).isTrue();
  }

  @Test
  void aColumnTheFileDoesNotKnowMayMatch() {
    DataField other = DataField.of(9, "other", DataTypes.INT);
    FileIndexEvaluator evaluator = new FileIndexEvaluator(reference(), field -> null);
    assertThat(evaluator.mayMatch(new Leaf(other, Operator.EQUAL, List.of(1)))).isTrue();
  }

  @Test
  void damagedContainersAreCorruptFiles() {
    byte[] content = reference().encode();
    assertThatThrownBy(() -> FileIndexes.decode(Arrays.copyOf(content, 30), "f.index"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("f.index");
    content[0] = 1;
    assertThatThrownBy(() -> FileIndexes.decode(content, "f.index"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("magic");
  }

  @Test
  void anEmptyBodyIsWrittenWithoutAPlace() {
    FileIndexes empty = new FileIndexes(Map.of("c", Map.of(FileIndexes.BLOOM_FILTER, Bytes.EMPTY)));
    assertThat(FileIndexes.decode(empty.encode(), "f.index")).isEqualTo(empty);
  }
}
