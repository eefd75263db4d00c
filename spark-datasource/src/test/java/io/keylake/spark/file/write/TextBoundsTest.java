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

package io.keylake.spark.file.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextBoundsTest {
  @Test
  void shortTextsAreKept() {
    assertThat(TextBounds.lower("abc", 3)).isEqualTo("abc");
    assertThat(TextBounds.upper("abc", 3)).isEqualTo("abc");
  }

  @Test
  void longTextsAreCutAndTheUpperBoundRaised() {
    String letters = "abcdefghijklmnopqrstuvwxyz";
    assertThat(TextBounds.lower(letters, 16)).isEqualTo("abcdefghijklmnop");
    assertThat(TextBounds.upper(letters, 16)).isEqualTo("abcdefghijklmnoq");
  }

  @Test
  void lengthCountsCodePoints() {
    assertThat(TextBounds.lower("😀😁😂", 2)).isEqualTo("😀😁");
    assertThat(TextBounds.upper("😀😁😂", 3)).isEqualTo("😀😁😂");
  }

  @Test
  void aCharacterWithoutSuccessorIsDroppedAndTheOneBeforeRaised() {
    String last = new String(Character.toChars(Character.MAX_CODE_POINT));
    assertThat(TextBounds.upper("a" + last + "x", 2)).isEqualTo("b");
    assertThat(TextBounds.upper("a\ud7ffx", 2)).isEqualTo("b");
  }

  @Test
  void aTextThatCannotBeRaisedHasNoUpperBound() {
    String last = new String(Character.toChars(Character.MAX_CODE_POINT));
    assertThat(TextBounds.upper(last + "x", 1)).isNull();
  }
}
