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

package io.keylake.spark.merge.function.nested;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.ColumnRule;
import java.io.IOException;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.Sketches;
import org.apache.datasketches.theta.UpdateSketch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.longlong.Roaring64Bitmap;

final class UnionFoldsTest {
  private static final Roaring32Union BITMAPS = new Roaring32Union();
  private static final Roaring64Union LONG_BITMAPS = new Roaring64Union();

  private static String text(byte[] bytes) {
    return "\"0x" + HexFormat.of().formatHex(bytes) + "\"";
  }

  private static byte[] bytes(String text) {
    return HexFormat.of().parseHex(text.substring(3, text.length() - 1));
  }

  private static FoldFixture fold(Plain function) {
    return FoldFixture.of("BINARY", function);
  }

  private static String bitmap(int... values) {
    return text(BITMAPS.write(RoaringBitmap.bitmapOf(values)));
  }

  private static String longBitmap(long... values) throws IOException {
    return text(LONG_BITMAPS.write(Roaring64Bitmap.bitmapOf(values)));
  }

  private static String hll(int lgBuckets, int from, int to) {
    HllSketch sketch = new HllSketch(lgBuckets);
    IntStream.range(from, to).forEach(sketch::update);
    return text(sketch.toCompactByteArray());
  }

  private static String theta(int from, int to) {
    UpdateSketch sketch = UpdateSketch.builder().build();
    IntStream.range(from, to).forEach(sketch::update);
    return text(sketch.compact().toByteArray());
  }

  @Test
  void bitmapsAreUnited() {
    assertThat(
            fold(Plain.ROARING_32).fold("add " + bitmap(1, 2), "add null", "late " + bitmap(2, -1)))
        .isEqualTo(bitmap(1, 2, -1));
  }

  @Test
  void bitmapsOf64BitsAreUnited() throws IOException {
    String united =
        fold(Plain.ROARING_64)
            .fold(
                "add " + longBitmap(1, 1L << 40),
                "add " + longBitmap(),
                "late " + longBitmap(-5, 3));
    assertThat(LONG_BITMAPS.read(bytes(united)))
        .isEqualTo(Roaring64Bitmap.bitmapOf(1, 1L << 40, -5, 3));
  }

  @Test
  void hllSketchesAreUnited() {
    String united =
        fold(Plain.HLL_SKETCH)
            .fold("add " + hll(12, 0, 50_000), "add null", "late " + hll(12, 40_000, 80_000));
    assertThat(HllSketch.heapify(bytes(united)).getEstimate())
        .isBetween(80_000 * 0.95, 80_000 * 1.05);
  }

  @Test
  void laterHllSketchDecidesHowExactTheUnionIs() {
    String united = fold(Plain.HLL_SKETCH).fold("add " + hll(14, 0, 9), "add " + hll(12, 3, 9));
    assertThat(HllSketch.heapify(bytes(united)).getLgConfigK()).isEqualTo(12);
    String late = fold(Plain.HLL_SKETCH).fold("add " + hll(14, 0, 9), "late " + hll(12, 3, 9));
    assertThat(HllSketch.heapify(bytes(late)).getLgConfigK()).isEqualTo(14);
  }

  @Test
  void thetaSketchesAreUnited() {
    String united =
        fold(Plain.THETA_SKETCH)
            .fold("add " + theta(0, 100), "add \"0x\"", "late " + theta(50, 200));
    assertThat(Sketches.wrapSketch(Memory.wrap(bytes(united))).getEstimate()).isEqualTo(200);
    String large =
        fold(Plain.THETA_SKETCH).fold("add " + theta(0, 50_000), "add " + theta(50_000, 90_000));
    assertThat(Sketches.wrapSketch(Memory.wrap(bytes(large))).getRetainedEntries()).isEqualTo(4096);
  }

  @ParameterizedTest
  @EnumSource(
      value = Plain.class,
      names = {"ROARING_32", "ROARING_64", "HLL_SKETCH", "THETA_SKETCH"})
  void singleValueKeepsItsBytes(Plain function) {
    assertThat(fold(function).fold("add null", "add \"0x0102\"", "add null"))
        .isEqualTo("\"0x0102\"");
    assertThat(fold(function).fold("add \"0x01\"", "reset \"0x0102\"")).isEqualTo("\"0x0102\"");
    assertThat(fold(function).fold("add \"0x01\"", "reset null")).isEqualTo("null");
  }

  @ParameterizedTest
  @EnumSource(
      value = Plain.class,
      names = {"ROARING_32", "ROARING_64", "HLL_SKETCH", "THETA_SKETCH"})
  void brokenBytesAreNamed(Plain function) {
    for (String broken : new String[] {"\"0x010203\"", "\"0x0203ffffffffffffffffffff\""}) {
      assertThatThrownBy(() -> fold(function).fold("add " + broken, "add " + broken))
          .as(broken)
          .isInstanceOfSatisfying(
              InvalidRequestException.class,
              e -> assertThat(e.condition()).isEqualTo(Condition.KEYLAKE_INVALID_VALUE))
          .hasMessageContaining("Column v of t is aggregated by");
    }
  }

  @Test
  void bytesOfAnother64BitFormatAreRefused() {
    String mapOfBitmaps = "\"0x0000000001000000003a300000010000000000000010000000\"";
    assertThatThrownBy(
            () -> fold(Plain.ROARING_64).fold("add " + mapOfBitmaps, "add " + longBitmap(1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("the bytes of a Roaring64Bitmap");
  }

  @ParameterizedTest
  @EnumSource(
      value = Plain.class,
      names = {"ROARING_32", "ROARING_64", "HLL_SKETCH", "THETA_SKETCH"})
  void setsCannotBeTakenBack(Plain function) {
    assertThatThrownBy(() -> fold(function).fold("add null", "retract null"))
        .isInstanceOfSatisfying(
            InvalidRequestException.class,
            e -> assertThat(e.condition()).isEqualTo(Condition.KEYLAKE_UNSUPPORTED_RETRACTION));
    assertThat(
            FoldFixture.of("BINARY", new ColumnRule(0, function, true))
                .fold("add \"0x01\"", "retract \"0x02\""))
        .isEqualTo("\"0x01\"");
  }
}
