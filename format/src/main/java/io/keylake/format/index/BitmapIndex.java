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

import static java.util.Objects.requireNonNull;

import io.keylake.format.row.Bytes;
import io.keylake.format.types.DataType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * The rows of a file by the value of one column.
 *
 * <p>Body, big-endian. Both versions: byte version, int rows, int distinct non-null values, byte 1
 * when NULL occurs, then its int offset and (version 2) int length. Version 1: per value the value
 * and its int offset. Version 2: int number of blocks, per block its first value and int offset,
 * int size of all blocks; then the blocks, each an int number of entries and per entry the value,
 * int offset and int length, sorted by value. Then the bitmaps, in the portable Roaring form;
 * offsets count from the first. A negative offset -1-r means just row r, and no bitmap is stored.
 *
 * <p>Rule source: table format, file indexes; pinned by {@code FileIndexesTest}.
 */
public final class BitmapIndex {
  private static final int VERSION_1 = 1;
  private static final int VERSION_2 = 2;

  private final int rows;
  private final @Nullable RoaringBitmap nullRows;
  private final Map<Object, RoaringBitmap> rowsByValue;
  private final DataType type;

  private BitmapIndex(
      DataType type,
      int rows,
      @Nullable RoaringBitmap nullRows,
      Map<Object, RoaringBitmap> rowsByValue) {
    this.type = type;
    this.rows = rows;
    this.nullRows = nullRows;
    this.rowsByValue = rowsByValue;
  }

  /** Whether the index can be built on a column of this type. */
  public static boolean supports(DataType type) {
    return IndexedValue.isStorable(type) && IndexedValue.hasExactEquality(type);
  }

  /**
   * Reads a body that is not empty. A body of another version, or of a type whose equality is not
   * that of SQL, cannot be used: null.
   */
  public static @Nullable BitmapIndex decode(DataType type, Bytes body) {
    if (!supports(type)) {
      return null;
    }
    byte[] content = body.array();
    ByteArrayInputStream bytes = new ByteArrayInputStream(content);
    try (DataInputStream in = new DataInputStream(bytes)) {
      int version = in.readByte();
      if (version != VERSION_1 && version != VERSION_2) {
        return null;
      }
      int rows = in.readInt();
      int distinct = in.readInt();
      boolean hasNull = in.readBoolean();
      int nullOffset = hasNull ? in.readInt() : 0;
      if (hasNull && version == VERSION_2) {
        in.readInt();
      }
      List<Object> values = new ArrayList<>();
      List<Integer> offsets = new ArrayList<>();
      if (version == VERSION_1) {
        readEntries(type, in, distinct, Entry.WITHOUT_LENGTH, values, offsets);
      } else {
        readBlocks(type, in, values, offsets);
      }
      int start = content.length - bytes.available();
      RoaringBitmap nullRows = hasNull ? bitmap(content, start, nullOffset) : null;
      Map<Object, RoaringBitmap> rowsByValue = new HashMap<>();
      for (int i = 0; i < values.size(); i++) {
        rowsByValue.put(values.get(i), bitmap(content, start, offsets.get(i)));
      }
      return new BitmapIndex(type, rows, nullRows, rowsByValue);
    } catch (IOException e) {
      throw new UncheckedIOException("A bitmap index ends early", e);
    }
  }

  private enum Entry {
    WITH_LENGTH,
    WITHOUT_LENGTH
  }

  private static void readBlocks(
      DataType type, DataInputStream in, List<Object> values, List<Integer> offsets)
      throws IOException {
    int blocks = in.readInt();
    for (int i = 0; i < blocks; i++) {
      IndexedValue.read(type, in);
      in.readInt();
    }
    in.readInt();
    for (int i = 0; i < blocks; i++) {
      readEntries(type, in, in.readInt(), Entry.WITH_LENGTH, values, offsets);
    }
  }

  private static void readEntries(
      DataType type,
      DataInputStream in,
      int count,
      Entry entry,
      List<Object> values,
      List<Integer> offsets)
      throws IOException {
    for (int i = 0; i < count; i++) {
      values.add(IndexedValue.read(type, in));
      offsets.add(in.readInt());
      if (entry == Entry.WITH_LENGTH) {
        in.readInt();
      }
    }
  }

  private static RoaringBitmap bitmap(byte[] content, int start, int offset) throws IOException {
    if (offset < 0) {
      return RoaringBitmap.bitmapOf(-1 - offset);
    }
    RoaringBitmap bitmap = new RoaringBitmap();
    bitmap.deserialize(ByteBuffer.wrap(content, start + offset, content.length - start - offset));
    return bitmap;
  }

  /** The rows whose value equals {@code value}; a new bitmap. */
  public RoaringBitmap equalTo(Object value) {
    RoaringBitmap found = rowsByValue.get(IndexedValue.comparable(type, value));
    return found == null ? new RoaringBitmap() : found.clone();
  }

  /** The rows that are NULL; a new bitmap. */
  public RoaringBitmap isNull() {
    return nullRows == null ? new RoaringBitmap() : nullRows.clone();
  }

  /** The rows that are not NULL; a new bitmap. */
  public RoaringBitmap isNotNull() {
    return RoaringBitmap.flip(isNull(), 0L, rows);
  }

  /** Collects the rows of one file in order. For one thread. */
  public static final class Builder {
    private final DataType type;
    private final int blockBytes;
    private final RoaringBitmap nullRows = new RoaringBitmap();
    private final Map<Object, RoaringBitmap> rowsByValue = new HashMap<>();
    private int rows;

    /** A builder whose index blocks hold about {@code blockBytes} bytes. */
    public Builder(DataType type, int blockBytes) {
      this.type = type;
      this.blockBytes = blockBytes;
    }

    /** Adds the value of the next row. */
    public void add(@Nullable Object value) {
      RoaringBitmap bitmap =
          value == null
              ? nullRows
              : rowsByValue.computeIfAbsent(
                  IndexedValue.comparable(type, value), k -> new RoaringBitmap());
      bitmap.add(rows++);
    }

    /** The body to store, version 2. */
    public Bytes encode() {
      try {
        return Bytes.wrap(write());
      } catch (IOException e) {
        throw new UncheckedIOException("Writing to memory failed", e);
      }
    }

    private byte[] write() throws IOException {
      ByteArrayOutputStream bitmaps = new ByteArrayOutputStream();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(VERSION_2);
      out.writeInt(rows);
      out.writeInt(rowsByValue.size());
      out.writeBoolean(!nullRows.isEmpty());
      if (!nullRows.isEmpty()) {
        nullRows.runOptimize();
        out.writeInt(append(nullRows, bitmaps));
        out.writeInt(nullRows.serializedSizeInBytes());
      }
      writeBlocks(out, bitmaps);
      out.write(bitmaps.toByteArray());
      return bytes.toByteArray();
    }

    private void writeBlocks(DataOutputStream out, ByteArrayOutputStream bitmaps)
        throws IOException {
      ByteArrayOutputStream heads = new ByteArrayOutputStream();
      DataOutputStream head = new DataOutputStream(heads);
      ByteArrayOutputStream blocks = new ByteArrayOutputStream();
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      int blockCount = 0;
      int entries = 0;
      for (Object value : sortedValues()) {
        if (entries == 0) {
          IndexedValue.write(type, value, head);
          head.writeInt(blocks.size());
          blockCount++;
        }
        DataOutputStream entry = new DataOutputStream(block);
        RoaringBitmap bitmap = requireNonNull(rowsByValue.get(value));
        IndexedValue.write(type, value, entry);
        bitmap.runOptimize();
        int offset = append(bitmap, bitmaps);
        entry.writeInt(offset);
        entry.writeInt(offset < 0 ? -1 : bitmap.serializedSizeInBytes());
        entries++;
        if (block.size() >= blockBytes) {
          closeBlock(blocks, block, entries);
          entries = 0;
        }
      }
      if (entries > 0) {
        closeBlock(blocks, block, entries);
      }
      out.writeInt(blockCount);
      out.write(heads.toByteArray());
      out.writeInt(blocks.size());
      out.write(blocks.toByteArray());
    }

    private static void closeBlock(
        ByteArrayOutputStream blocks, ByteArrayOutputStream block, int entries) throws IOException {
      new DataOutputStream(blocks).writeInt(entries);
      blocks.write(block.toByteArray());
      block.reset();
    }

    @SuppressWarnings("unchecked") // the values of one column are all of one comparable class
    private List<Object> sortedValues() {
      List<Object> values = new ArrayList<>(rowsByValue.keySet());
      values.sort(
          (Comparator<Object>) (Comparator<?>) Comparator.<Comparable<Object>>naturalOrder());
      return values;
    }

    private static int append(RoaringBitmap bitmap, ByteArrayOutputStream bitmaps)
        throws IOException {
      if (bitmap.getCardinality() == 1) {
        return -1 - bitmap.first();
      }
      int offset = bitmaps.size();
      bitmap.serialize(new DataOutputStream(bitmaps));
      return offset;
    }
  }
}
