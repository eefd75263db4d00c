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

package io.keylake.spark.merge.function.nested;

import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;

/**
 * HLL sketches of DataSketches, of any form. The union is a compact HLL_4 sketch; it has no more
 * buckets than the later operand: 2^12 and 2^14 give 2^12 when 2^12 is the later one. Two sketches
 * become, byte for byte, what the reference makes of them.
 */
final class HllUnion implements BytesUnion<byte[]> {
  @Override
  public String needed() {
    return "an HLL sketch of DataSketches";
  }

  /** Sketches stay bytes; this checks them. */
  @Override
  public byte[] read(byte[] bytes) {
    HllSketch.heapify(bytes);
    return bytes;
  }

  @Override
  public byte[] unite(byte[] earlier, byte[] later) {
    Union union = Union.heapify(later);
    union.update(HllSketch.heapify(earlier));
    return union.getResult(TgtHllType.HLL_4).toCompactByteArray();
  }

  @Override
  public byte[] write(byte[] sketch) {
    return sketch;
  }
}
