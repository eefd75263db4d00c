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

package io.keylake.table.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.commit.IndexMerge.Buckets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IndexMergeTest {
  private static final IndexMerge PER_BUCKET = new IndexMerge(Buckets.FILE_PER_BUCKET, "db.t");
  private static final IndexMerge SHARED = new IndexMerge(Buckets.FILES_PER_PARTITION, "db.t");

  private static IndexEntry hash(int bucket, String name) {
    return new IndexEntry(
        BinaryRow.EMPTY, bucket, new IndexFile(IndexFile.HASH, name, 4, 1, null, null, null));
  }

  private static IndexEntry vectors(int bucket, String name, String... dataFiles) {
    List<DeletionVectorRef> refs =
        Arrays.stream(dataFiles).map(file -> new DeletionVectorRef(file, 1, 24, 2L)).toList();
    return new IndexEntry(
        BinaryRow.EMPTY,
        bucket,
        new IndexFile(IndexFile.DELETION_VECTORS, name, 33, dataFiles.length, refs, null, null));
  }

  private static IndexEntry global(String name) {
    return new IndexEntry(BinaryRow.EMPTY, 0, new IndexFile("btree", name, 4, 1, null, null, null));
  }

  @Test
  void newFileOfABucketTakesThePlaceOfTheOld() {
    assertThat(
            PER_BUCKET.merge(
                List.of(hash(0, "h0"), hash(1, "h1"), vectors(0, "v0", "f")),
                List.of(),
                List.of(hash(0, "h2"))))
        .containsExactly(hash(0, "h2"), hash(1, "h1"), vectors(0, "v0", "f"));
  }

  @Test
  void removalsComeBeforeAdditions() {
    assertThat(
            PER_BUCKET.merge(
                List.of(vectors(0, "v0", "f")),
                List.of(vectors(0, "v0", "f")),
                List.of(vectors(0, "v1", "f", "g"))))
        .containsExactly(vectors(0, "v1", "f", "g"));
  }

  @Test
  void sharedVectorsAreKeptByFile() {
    assertThat(
            SHARED.merge(
                List.of(vectors(0, "v0", "f"), vectors(0, "v1", "g")),
                List.of(vectors(0, "v1", "g")),
                List.of(vectors(0, "v2", "g", "h"))))
        .containsExactly(vectors(0, "v0", "f"), vectors(0, "v2", "g", "h"));
  }

  @Test
  void secondVectorOfADataFileIsAConflict() {
    assertThatThrownBy(
            () ->
                SHARED.merge(
                    List.of(vectors(0, "v0", "f")), List.of(), List.of(vectors(0, "v1", "f"))))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContainingAll("db.t", "data file f");
  }

  @Test
  void removingAnUnknownSharedVectorFileIsAConflict() {
    assertThatThrownBy(() -> SHARED.merge(List.of(), List.of(vectors(0, "v0", "f")), List.of()))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("v0");
  }

  @Test
  void otherIndexesAreCarriedAlong() {
    assertThat(
            PER_BUCKET.merge(List.of(global("a"), global("b")), List.of(), List.of(hash(0, "h"))))
        .containsExactly(global("a"), global("b"), hash(0, "h"));
  }
}
