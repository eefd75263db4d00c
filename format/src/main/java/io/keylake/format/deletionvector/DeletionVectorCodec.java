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

package io.keylake.format.deletionvector;

import io.keylake.format.errors.CorruptTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.roaringbitmap.RoaringBitmap;

/**
 * The bytes of one deletion vector. Version 1: size (int, big-endian, of magic and bitmap), magic
 * 0x5E43F2D0, a 32-bit Roaring bitmap in the portable form, CRC-32 of magic and bitmap. Version 2:
 * size, magic 1681511377 little-endian, the number of bitmaps (long, little-endian), for each its
 * key (int, little-endian) and the bitmap, CRC-32. The magic tells them apart.
 *
 * <p>Rule source: table format, deletion-vector index file; pinned by {@code
 * DeletionVectorCodecTest}.
 */
public final class DeletionVectorCodec {
  private static final int MAGIC_V1 = 0x5E43F2D0;
  private static final int MAGIC_V2 = 1681511377;

  private DeletionVectorCodec() {}

  /**
   * The vector that {@code ref} names.
   *
   * @param file content of the whole index file
   * @param path its address, for messages
   */
  public static DeletionVector read(byte[] file, DeletionVectorRef ref, String path) {
    try {
      ByteBuffer in = ByteBuffer.wrap(file).position(ref.offset());
      int size = in.getInt();
      if (size < Integer.BYTES || size > in.remaining() - Integer.BYTES) {
        throw new IOException("the size field holds " + size);
      }
      ByteBuffer body = in.slice(in.position(), size);
      checkLength(ref, size, body);
      CRC32 crc = new CRC32();
      crc.update(body.duplicate());
      if ((int) crc.getValue() != in.getInt(in.position() + size)) {
        throw new IOException("the CRC does not match");
      }
      DeletionVector vector = readBody(body);
      Long expected = ref.cardinality();
      if (expected != null && expected != vector.cardinality()) {
        throw new IOException(
            "it deletes " + vector.cardinality() + " rows, the index manifest says " + expected);
      }
      return vector;
    } catch (IOException | RuntimeException e) {
      throw new CorruptTableException(
          path,
          "Cannot read the deletion vector of %s at byte %d: %s. Restore the file or roll back to a snapshot that does not use it."
              .formatted(ref.dataFile(), ref.offset(), e.getMessage()),
          e);
    }
  }

  private static void checkLength(DeletionVectorRef ref, int size, ByteBuffer body)
      throws IOException {
    int stored = body.getInt(0) == MAGIC_V1 ? size : size + 2 * Integer.BYTES;
    if (stored != ref.length()) {
      throw new IOException("it has length " + stored + ", its entry says " + ref.length());
    }
  }

  private static DeletionVector readBody(ByteBuffer body) throws IOException {
    if (body.getInt(0) == MAGIC_V1) {
      RoaringBitmap bitmap = new RoaringBitmap();
      bitmap.deserialize(body.position(Integer.BYTES).slice());
      return new DeletionVector(new RoaringBitmap[] {bitmap});
    }
    ByteBuffer in = body.order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt() != MAGIC_V2) {
      throw new IOException("its magic number is unknown");
    }
    long count = in.getLong();
    if (count < 0 || count > in.remaining() / Integer.BYTES) {
      throw new IOException("it claims " + count + " bitmaps");
    }
    DeletionVector vector = new DeletionVector();
    for (long i = 0; i < count; i++) {
      long high = Integer.toUnsignedLong(in.getInt()) << Integer.SIZE;
      RoaringBitmap bitmap = new RoaringBitmap();
      bitmap.deserialize(in.slice());
      in.position(in.position() + bitmap.serializedSizeInBytes());
      bitmap.forEach((int low) -> vector.add(high | Integer.toUnsignedLong(low)));
    }
    return vector;
  }

  /** The stored form of a vector, and the reference to it when it is put at {@code offset}. */
  public static StoredForm write(
      String dataFile, DeletionVector vector, VectorVersion version, int offset) {
    ByteBuffer body = version == VectorVersion.V1 ? bodyV1(vector) : bodyV2(vector);
    CRC32 crc = new CRC32();
    crc.update(body.duplicate());
    int size = body.remaining();
    ByteBuffer out = ByteBuffer.allocate(size + 2 * Integer.BYTES);
    out.putInt(size).put(body).putInt((int) crc.getValue());
    int length = version == VectorVersion.V1 ? size : out.capacity();
    return new StoredForm(
        out.array(), new DeletionVectorRef(dataFile, offset, length, vector.cardinality()));
  }

  private static ByteBuffer bodyV1(DeletionVector vector) {
    RoaringBitmap[] bitmaps = vector.bitmaps();
    if (bitmaps.length > 1 || (bitmaps.length == 1 && bitmaps[0].nextValue(1 << 31) >= 0)) {
      throw new IllegalArgumentException(
          "A deletion vector of version 1 cannot hold positions above " + Integer.MAX_VALUE);
    }
    RoaringBitmap bitmap = optimised(bitmaps.length == 0 ? new RoaringBitmap() : bitmaps[0]);
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + bitmap.serializedSizeInBytes());
    out.putInt(MAGIC_V1);
    bitmap.serialize(out);
    return out.rewind();
  }

  private static ByteBuffer bodyV2(DeletionVector vector) {
    RoaringBitmap[] bitmaps = vector.bitmaps();
    RoaringBitmap[] stored = new RoaringBitmap[bitmaps.length];
    int size = Integer.BYTES + Long.BYTES;
    for (int i = 0; i < bitmaps.length; i++) {
      stored[i] = optimised(bitmaps[i]);
      size += Integer.BYTES + stored[i].serializedSizeInBytes();
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC_V2).putLong(stored.length);
    for (int i = 0; i < stored.length; i++) {
      out.putInt(i);
      stored[i].serialize(out);
    }
    return out.rewind().order(ByteOrder.BIG_ENDIAN);
  }

  private static RoaringBitmap optimised(RoaringBitmap bitmap) {
    RoaringBitmap copy = bitmap.clone();
    copy.runOptimize();
    return copy;
  }

  /**
   * Bytes and the reference to them.
   *
   * @param bytes owned by the receiver
   * @param ref to be listed in the index manifest
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record StoredForm(byte[] bytes, DeletionVectorRef ref) {}
}
