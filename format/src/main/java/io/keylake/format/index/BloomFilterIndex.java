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

import io.keylake.format.row.Bytes;
import io.keylake.format.types.DataType;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A Bloom filter over the non-null values of a column: tells of some values that they do not occur
 * in a file. Body: int number of hashes, then the bits (bit i is byte i/8, mask 1&lt;&lt;(i%8)).
 *
 * <p>Rule source: table format, file indexes; pinned by {@code FileIndexesTest}.
 */
public final class BloomFilterIndex {
  private final DataType type;
  private final int hashes;
  private final byte[] bits;

  private BloomFilterIndex(DataType type, int hashes, byte[] bits) {
    this.type = type;
    this.hashes = hashes;
    this.bits = bits;
  }

  /** Whether the index can be built on a column of this type. */
  public static boolean supports(DataType type) {
    return IndexedValue.isHashable(type);
  }

  /** Reads a body that is not empty. */
  public static BloomFilterIndex decode(DataType type, Bytes body) {
    byte[] content = body.array();
    return new BloomFilterIndex(
        type,
        ByteBuffer.wrap(content).getInt(),
        Arrays.copyOfRange(content, Integer.BYTES, content.length));
  }

  /**
   * An empty filter for about {@code items} values, which answers wrongly for one in {@code
   * 1/falsePositives} absent values.
   */
  public static BloomFilterIndex create(DataType type, long items, double falsePositives) {
    long wanted = (long) (items * -Math.log(falsePositives) / (Math.log(2) * Math.log(2)));
    int bytes = Math.toIntExact(wanted / Byte.SIZE + 1);
    int hashes = Math.max(1, (int) Math.round((double) bytes * Byte.SIZE / items * Math.log(2)));
    return new BloomFilterIndex(type, hashes, new byte[bytes]);
  }

  /** Adds a value that is not null. */
  public void add(Object value) {
    long hash = IndexedValue.hash(type, value);
    for (int i = 1; i <= hashes; i++) {
      int position = position(hash, i);
      bits[position >>> 3] |= (byte) (1 << (position & 7));
    }
  }

  /** Whether the value may occur; false is certain. */
  public boolean mayContain(Object value) {
    long hash = IndexedValue.hash(type, value);
    for (int i = 1; i <= hashes; i++) {
      int position = position(hash, i);
      if ((bits[position >>> 3] & (1 << (position & 7))) == 0) {
        return false;
      }
    }
    return true;
  }

  private int position(long hash, int round) {
    int combined = (int) hash + round * (int) (hash >>> 32);
    return (combined < 0 ? ~combined : combined) % (bits.length * Byte.SIZE);
  }

  /** The body to store. */
  public Bytes encode() {
    return Bytes.wrap(
        ByteBuffer.allocate(Integer.BYTES + bits.length).putInt(hashes).put(bits).array());
  }
}
