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

package io.keylake.format.row;

/**
 * The hash of a row's bytes that decides its bucket: Murmur3 x86 32-bit with seed 42 over 4-byte
 * little-endian words. Rows are multiples of 8 bytes, so there is no tail. Example: the row of INT
 * 1 hashes to 1465514398.
 *
 * <p>Rule source: table format, bucket assignment. Pinned by {@code BinaryRowCodecTest}.
 */
public final class RowHash {
  private static final int SEED = 42;

  private RowHash() {}

  /** The hash of the row without its arity prefix. */
  public static int murmur(BinaryRow row) {
    byte[] bytes = row.array();
    int hash = SEED;
    for (int i = 0; i < bytes.length; i += 4) {
      int word = LittleEndian.getInt(bytes, i) * 0xcc9e2d51;
      hash ^= Integer.rotateLeft(word, 15) * 0x1b873593;
      hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
    }
    hash ^= bytes.length;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }
}
