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

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.row.Bytes;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One index file: the hash index of a dynamic bucket, or deletion vectors.
 *
 * @param type {@code HASH}, {@code DELETION_VECTORS} or the name of a global index
 * @param name file name without folder
 * @param size bytes
 * @param rowCount HASH: number of hashes; DELETION_VECTORS: number of vectors
 * @param deletionVectors one entry per vector; null for other types
 * @param externalPath full address when the file is outside the index folder; null otherwise
 * @param globalIndex null unless a global index
 */
public record IndexFile(
    String type,
    String name,
    long size,
    long rowCount,
    @Nullable List<DeletionVectorRef> deletionVectors,
    @Nullable String externalPath,
    @Nullable GlobalIndex globalIndex)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  public static final String HASH = "HASH";
  public static final String DELETION_VECTORS = "DELETION_VECTORS";

  /** Copies the list. */
  public IndexFile {
    deletionVectors = deletionVectors == null ? null : List.copyOf(deletionVectors);
  }

  /**
   * The part of an entry that only global indexes have; carried along unchanged.
   *
   * @param rowRangeStart first row id covered
   * @param rowRangeEnd last row id covered
   * @param indexFieldId the indexed column
   * @param extraFieldIds further columns; null when there are none
   * @param indexMeta opaque; null when there is none
   * @param sourceMeta opaque; null when there is none
   */
  public record GlobalIndex(
      long rowRangeStart,
      long rowRangeEnd,
      int indexFieldId,
      @Nullable List<Integer> extraFieldIds,
      @Nullable Bytes indexMeta,
      @Nullable Bytes sourceMeta)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }
}
