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
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class HashIndexCodecTest {
  @Test
  void hashesAreBigEndian() {
    byte[] content = HexFormat.of().parseHex("5759f99ed206e5474fe4bbf0");

    int[] hashes = HashIndexCodec.read(content, "index-1");

    assertThat(hashes).containsExactly(0x5759f99e, 0xd206e547, 0x4fe4bbf0);
    assertThat(HashIndexCodec.write(hashes)).isEqualTo(content);
  }

  @Test
  void aCutFileIsRefused() {
    assertThatThrownBy(() -> HashIndexCodec.read(new byte[7], "/t/index/index-1"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("7 bytes")
        .hasMessageContaining("/t/index/index-1");
  }
}
