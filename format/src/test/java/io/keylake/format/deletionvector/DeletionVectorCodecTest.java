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

package io.keylake.format.deletionvector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CorruptTableException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DeletionVectorCodecTest {
  private static final String V1_2_6 =
      "000000185e43f2d03a3000000100000000000100100000000200" + "0600b5ef0278";
  private static final String V2_2_6 =
      "00000024d1d339640100000000000000000000003a30000001000000000001001000000002000600"
          + "07f6cc02";

  @Test
  void versionOneHasTheFormatsBytes() {
    DeletionVectorCodec.StoredForm form =
        DeletionVectorCodec.write("f", DeletionVector.of(6, 2), VectorVersion.V1, 1);

    assertThat(HexFormat.of().formatHex(form.bytes())).isEqualTo(V1_2_6);
    assertThat(form.ref()).isEqualTo(new DeletionVectorRef("f", 1, 24, 2L));
    byte[] other =
        DeletionVectorCodec.write("f", DeletionVector.of(1, 4), VectorVersion.V1, 1).bytes();
    assertThat(HexFormat.of().formatHex(other)).endsWith("01000400956ccf14");
  }

  @Test
  void versionTwoHasTheFormatsBytes() {
    DeletionVectorCodec.StoredForm form =
        DeletionVectorCodec.write("f", DeletionVector.of(2, 6), VectorVersion.V2, 1);

    assertThat(HexFormat.of().formatHex(form.bytes())).isEqualTo(V2_2_6);
    assertThat(form.ref()).isEqualTo(new DeletionVectorRef("f", 1, 44, 2L));
  }

  @Test
  void vectorsAreFoundByTheirOffset() {
    byte[] file = HexFormat.of().parseHex("01" + V1_2_6 + V2_2_6);

    DeletionVector first =
        DeletionVectorCodec.read(file, new DeletionVectorRef("a", 1, 24, null), "index-1");
    DeletionVector second =
        DeletionVectorCodec.read(file, new DeletionVectorRef("b", 33, 44, 2L), "index-1");

    assertThat(first).isEqualTo(DeletionVector.of(2, 6));
    assertThat(second).isEqualTo(first);
  }

  @Test
  void positionsBeyondThirtyTwoBitsSurviveVersionTwo() {
    DeletionVector vector = DeletionVector.of(0, 7, 0x8000_0000L, 0x1_0000_0005L, 0x3_0000_0000L);
    DeletionVectorCodec.StoredForm form =
        DeletionVectorCodec.write("f", vector, VectorVersion.V2, 0);

    DeletionVector read = DeletionVectorCodec.read(form.bytes(), form.ref(), "index-1");

    assertThat(read).isEqualTo(vector);
    List<Long> positions = new ArrayList<>();
    read.forEach(positions::add);
    assertThat(positions).containsExactly(0L, 7L, 0x8000_0000L, 0x1_0000_0005L, 0x3_0000_0000L);
    assertThat(read.nextDeleted(8)).isEqualTo(0x8000_0000L);
    assertThat(read.isDeleted(0x1_0000_0005L)).isTrue();
    assertThat(read.isDeleted(5)).isFalse();
  }

  @Test
  void versionOneRefusesPositionsItCannotHold() {
    DeletionVector vector = DeletionVector.of(0x8000_0000L);

    assertThatThrownBy(() -> DeletionVectorCodec.write("f", vector, VectorVersion.V1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void damageIsNoticed() {
    byte[] file = HexFormat.of().parseHex("01" + V1_2_6);
    file[25] ^= 1;

    assertThatThrownBy(
            () ->
                DeletionVectorCodec.read(
                    file, new DeletionVectorRef("data-1.parquet", 1, 24, 2L), "/t/index/index-1"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("data-1.parquet")
        .hasMessageContaining("CRC")
        .hasMessageContaining("/t/index/index-1");
  }

  @Test
  void aLengthThatContradictsTheIndexManifestIsNoticed() {
    byte[] file = HexFormat.of().parseHex("01" + V1_2_6);

    assertThatThrownBy(
            () -> DeletionVectorCodec.read(file, new DeletionVectorRef("f", 1, 32, 2L), "i"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("its entry says 32");
    assertThatThrownBy(
            () -> DeletionVectorCodec.read(file, new DeletionVectorRef("f", 1, 24, 3L), "i"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("the index manifest says 3");
  }

  @Test
  void longRunsAreStoredAsRuns() {
    DeletionVector vector = new DeletionVector();
    for (int i = 0; i < 100_000; i++) {
      vector.add(i);
    }

    DeletionVectorCodec.StoredForm form =
        DeletionVectorCodec.write("f", vector, VectorVersion.V1, 0);

    assertThat(form.bytes()).hasSizeLessThan(100);
    assertThat(DeletionVectorCodec.read(form.bytes(), form.ref(), "i").cardinality())
        .isEqualTo(100_000);
  }
}
