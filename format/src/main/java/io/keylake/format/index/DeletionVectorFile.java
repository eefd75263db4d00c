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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.DeletionVectorCodec;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.errors.CorruptTableException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An index file of deletion vectors in memory: a version byte, then the vectors back to back.
 *
 * <p>Rule source: table format, deletion-vector index file; pinned by {@code
 * DeletionVectorFileTest}.
 *
 * @param content bytes of the file; owned by the receiver
 * @param vectors where each vector is
 */
@SuppressWarnings("ArrayRecordComponent")
public record DeletionVectorFile(byte[] content, List<DeletionVectorRef> vectors) {
  private static final byte FILE_VERSION = 1;

  /** Copies the list. */
  public DeletionVectorFile {
    vectors = List.copyOf(vectors);
  }

  /** What the index manifest says of this file once it is stored as {@code name}. */
  public IndexFile toIndexFile(String name) {
    return new IndexFile(
        IndexFile.DELETION_VECTORS, name, content.length, vectors.size(), vectors, null, null);
  }

  /** One file with all vectors, by data file name: what a bucketed table has per bucket. */
  public static DeletionVectorFile encode(
      Map<String, DeletionVector> vectors, VectorVersion version) {
    List<DeletionVectorFile> files = encode(vectors, version, Long.MAX_VALUE);
    return files.isEmpty()
        ? new DeletionVectorFile(new byte[] {FILE_VERSION}, List.of())
        : files.get(0);
  }

  /**
   * Files with all vectors; a new one starts after a vector made the current one larger than {@code
   * targetBytes}. None when there are no vectors.
   */
  public static List<DeletionVectorFile> encode(
      Map<String, DeletionVector> vectors, VectorVersion version, long targetBytes) {
    List<DeletionVectorFile> files = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<DeletionVectorRef> refs = new ArrayList<>();
    for (Map.Entry<String, DeletionVector> entry : vectors.entrySet()) {
      if (refs.isEmpty()) {
        out.write(FILE_VERSION);
      }
      DeletionVectorCodec.StoredForm form =
          DeletionVectorCodec.write(entry.getKey(), entry.getValue(), version, out.size());
      out.writeBytes(form.bytes());
      refs.add(form.ref());
      if (out.size() > targetBytes) {
        files.add(new DeletionVectorFile(out.toByteArray(), refs));
        out.reset();
        refs.clear();
      }
    }
    if (!refs.isEmpty()) {
      files.add(new DeletionVectorFile(out.toByteArray(), refs));
    }
    return files;
  }

  /** All vectors of a stored file, by data file name, in the order of {@code file}'s entries. */
  public static Map<String, DeletionVector> decode(byte[] content, IndexFile file, String path) {
    checkVersion(content, path);
    Map<String, DeletionVector> vectors = new LinkedHashMap<>();
    List<DeletionVectorRef> refs = file.deletionVectors();
    for (DeletionVectorRef ref : refs == null ? List.<DeletionVectorRef>of() : refs) {
      vectors.put(ref.dataFile(), DeletionVectorCodec.read(content, ref, path));
    }
    return vectors;
  }

  /** The one vector of a stored file that {@code ref} names. */
  public static DeletionVector decode(byte[] content, DeletionVectorRef ref, String path) {
    checkVersion(content, path);
    return DeletionVectorCodec.read(content, ref, path);
  }

  private static void checkVersion(byte[] content, String path) {
    if (content.length == 0 || content[0] != FILE_VERSION) {
      throw new CorruptTableException(
          path,
          "A file of deletion vectors starts with the byte 1, this one does not. Restore the file"
              + " or use a release that knows its version.",
          null);
    }
  }
}
