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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.errors.CorruptTableException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DeletionVectorFileTest {
  private static Map<String, DeletionVector> vectors() {
    Map<String, DeletionVector> vectors = new LinkedHashMap<>();
    vectors.put("a", DeletionVector.of(1, 2, 3));
    vectors.put("b", DeletionVector.of(0));
    vectors.put("c", DeletionVector.of(70_000));
    return vectors;
  }

  @Test
  void allVectorsOfABucketShareAFile() {
    for (VectorVersion version : VectorVersion.values()) {
      DeletionVectorFile file = DeletionVectorFile.encode(vectors(), version);
      IndexFile entry = file.toIndexFile("index-1");

      assertThat(entry.size()).isEqualTo(file.content().length);
      assertThat(entry.rowCount()).isEqualTo(3);
      assertThat(DeletionVectorFile.decode(file.content(), entry, "index-1")).isEqualTo(vectors());
    }
  }

  @Test
  void aFileWithoutVectorsIsTheVersionByte() {
    DeletionVectorFile file = DeletionVectorFile.encode(Map.of(), VectorVersion.V1);

    assertThat(file.content()).containsExactly(1);
    assertThat(file.toIndexFile("index-1").deletionVectors()).isEmpty();
  }

  @Test
  void aNewFileStartsWhenOneHasGrownBeyondTheTarget() {
    List<DeletionVectorFile> files = DeletionVectorFile.encode(vectors(), VectorVersion.V1, 40);

    assertThat(files).hasSize(2);
    assertThat(files.get(0).vectors()).hasSize(2);
    assertThat(files.get(1).vectors().get(0).offset()).isEqualTo(1);
  }

  @Test
  void anotherFileVersionIsRefused() {
    DeletionVectorFile file = DeletionVectorFile.encode(vectors(), VectorVersion.V1);
    file.content()[0] = 2;

    assertThatThrownBy(
            () -> DeletionVectorFile.decode(file.content(), file.toIndexFile("x"), "/i/index-1"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("/i/index-1");
  }
}
