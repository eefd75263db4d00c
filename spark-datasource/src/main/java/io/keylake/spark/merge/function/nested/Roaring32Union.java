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

import java.io.IOException;
import java.nio.ByteBuffer;
import org.roaringbitmap.RoaringBitmap;

/** Bitmaps of 32 bits in the portable format, with runs where they are smaller. */
final class Roaring32Union implements BytesUnion<RoaringBitmap> {
  @Override
  public String needed() {
    return "a RoaringBitmap in the portable format";
  }

  @Override
  public RoaringBitmap read(byte[] bytes) throws IOException {
    RoaringBitmap bitmap = new RoaringBitmap();
    bitmap.deserialize(ByteBuffer.wrap(bytes));
    return bitmap;
  }

  @Override
  public RoaringBitmap unite(RoaringBitmap earlier, RoaringBitmap later) {
    earlier.or(later);
    return earlier;
  }

  @Override
  public byte[] write(RoaringBitmap bitmap) {
    bitmap.runOptimize();
    ByteBuffer bytes = ByteBuffer.allocate(bitmap.serializedSizeInBytes());
    bitmap.serialize(bytes);
    return bytes.array();
  }
}
