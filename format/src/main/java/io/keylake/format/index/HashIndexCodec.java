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

import io.keylake.format.errors.CorruptTableException;
import java.nio.ByteBuffer;

/**
 * The bytes of the hash index of one dynamic bucket: the hashes of all its keys, each a big-endian
 * int, without header, in any order, without duplicates.
 *
 * <p>Rule source: table format, hash index file; pinned by {@code HashIndexCodecTest}.
 */
public final class HashIndexCodec {
  private HashIndexCodec() {}

  /** The hashes of a file. */
  public static int[] read(byte[] content, String path) {
    if (content.length % Integer.BYTES != 0) {
      throw new CorruptTableException(
          path,
          "The hash index has %d bytes, which is no multiple of 4. Restore the file or roll back to a snapshot that does not use it."
              .formatted(content.length),
          null);
    }
    int[] hashes = new int[content.length / Integer.BYTES];
    ByteBuffer.wrap(content).asIntBuffer().get(hashes);
    return hashes;
  }

  /** A file of these hashes, which must be distinct. */
  public static byte[] write(int[] hashes) {
    ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(hashes.length, Integer.BYTES));
    out.asIntBuffer().put(hashes);
    return out.array();
  }
}
