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

package io.keylake.format.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.row.BinaryRow;
import io.keylake.golden.DataFiles;
import org.junit.jupiter.api.Test;

final class ManifestMergeTest {
  private static ManifestEntry add(String name, int level) {
    return new ManifestEntry(
        EntryKind.ADD, BinaryRow.EMPTY, 0, 1, DataFiles.named(name).level(level).build());
  }

  @Test
  void aDeletedFileIsGone() {
    ManifestMerge merge = new ManifestMerge("snapshot-1");
    merge.add(add("a", 0));
    merge.add(add("b", 0));
    merge.add(add("a", 0).asDelete());

    assertThat(merge.entries()).containsExactly(add("b", 0));
  }

  @Test
  void movingAFileToAnotherLevelKeepsIt() {
    ManifestMerge merge = new ManifestMerge("snapshot-1");
    merge.add(add("a", 0));
    merge.add(add("a", 0).asDelete());
    merge.add(add("a", 5));

    assertThat(merge.entries()).containsExactly(add("a", 5));
  }

  @Test
  void aDeleteWithoutItsAddIsKept() {
    ManifestMerge merge = new ManifestMerge("snapshot-1");
    merge.add(add("a", 0).asDelete());
    merge.add(add("b", 0));

    assertThat(merge.entries()).containsExactly(add("a", 0).asDelete(), add("b", 0));
  }

  @Test
  void addingAFileTwiceMeansDamage() {
    ManifestMerge merge = new ManifestMerge("/t/snapshot/snapshot-1");
    merge.add(add("a", 2));

    assertThatThrownBy(() -> merge.add(add("a", 2)))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("data file a of bucket 0 on level 2 twice")
        .hasMessageContaining("/t/snapshot/snapshot-1");
  }
}
