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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Bitmaps of 64 bits as {@link Roaring64Bitmap} stores them: one byte 0 when it is empty, else 1
 * and the tree of its containers. Bytes of the other 64-bit formats of the library, a map of 32-bit
 * bitmaps, are refused: read as a tree they would be an empty set.
 */
final class Roaring64Union implements BytesUnion<Roaring64Bitmap> {
  private static final int EMPTY = 0;
  private static final int TREE = 1;

  @Override
  public String needed() {
    return "the bytes of a Roaring64Bitmap";
  }

  @Override
  public Roaring64Bitmap read(byte[] bytes) throws IOException {
    int form = bytes.length == 0 ? -1 : bytes[0];
    if (form != TREE && !(form == EMPTY && bytes.length == 1)) {
      throw new IOException(bytes.length + " bytes that begin with " + form);
    }
    Roaring64Bitmap bitmap = new Roaring64Bitmap();
    bitmap.deserialize(new DataInputStream(new ByteArrayInputStream(bytes)));
    return bitmap;
  }

  @Override
  public Roaring64Bitmap unite(Roaring64Bitmap earlier, Roaring64Bitmap later) {
    earlier.or(later);
    return earlier;
  }

  @Override
  public byte[] write(Roaring64Bitmap bitmap) throws IOException {
    bitmap.runOptimize();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bitmap.serialize(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
