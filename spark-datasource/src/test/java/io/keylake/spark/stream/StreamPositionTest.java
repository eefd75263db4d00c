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

package io.keylake.spark.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.spark.stream.StreamPosition.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StreamPositionTest {
  @Test
  void textHasItsKeysInOrderAndIsReadBack() {
    StreamPosition inside = new StreamPosition(7, 3, Phase.FULL, "list-a", "1f");
    assertThat(inside.json())
        .isEqualTo(
            "{\"full\":true,\"index\":3,\"list\":\"list-a\",\"plan\":\"1f\",\"snapshot\":7}");
    assertThat(StreamPosition.parse(inside.json())).isEqualTo(inside);
    StreamPosition behind = StreamPosition.after(7);
    assertThat(behind.json()).contains("\"index\":\"end\"");
    assertThat(StreamPosition.parse(behind.json())).isEqualTo(behind);
  }

  @Test
  void theNextSnapshotIsTheSameOneWhilePiecesAreLeft() {
    assertThat(new StreamPosition(7, 3, Phase.CHANGES, "", "1f").nextSnapshot()).isEqualTo(7);
    assertThat(StreamPosition.after(7).nextSnapshot()).isEqualTo(8);
    assertThat(StreamPosition.beginning().nextSnapshot()).isEqualTo(1);
  }

  @Test
  void textsOfOtherSourcesAreRefused() {
    for (String text : List.of("{\"offset\":1}", "17", "[", "{\"full\":true}")) {
      assertThatThrownBy(() -> StreamPosition.parse(text))
          .as(text)
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("It belongs to another source");
    }
  }
}
