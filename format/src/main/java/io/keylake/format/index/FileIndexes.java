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
import io.keylake.format.row.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The file indexes of one data file, as they are embedded in its manifest entry or stored beside it
 * as {@code <data file>.index}.
 *
 * <p>Container, all big-endian: long magic, int version 1, int length of the head, int number of
 * columns; per column its name (modified UTF-8), int number of indexes, per index its type
 * (modified UTF-8), int start of its body counted from the container's begin (-1 = empty) and int
 * length; int 0; then the bodies.
 *
 * <p>Rule source: table format, file indexes; bytes of the reference implementation 1.4.2; pinned
 * by {@code FileIndexesTest}.
 *
 * @param columns column name → index type → body; an empty body says nothing of the file
 */
public record FileIndexes(Map<String, Map<String, Bytes>> columns) {
  public static final String BLOOM_FILTER = "bloom-filter";
  public static final String BITMAP = "bitmap";

  private static final long MAGIC = 1493475289347502L;
  private static final int VERSION = 1;

  /** Copies the maps, keeping their order. */
  public FileIndexes {
    Map<String, Map<String, Bytes>> copy = new LinkedHashMap<>();
    columns.forEach((name, indexes) -> copy.put(name, new LinkedHashMap<>(indexes)));
    columns = copy;
  }

  /** Reads a container; {@code path} names the file that holds it, for errors. */
  public static FileIndexes decode(byte[] content, String path) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
      if (in.readLong() != MAGIC) {
        throw new CorruptTableException(
            path,
            "A file index does not start with its magic number. Rewrite the data file.",
            null);
      }
      int version = in.readInt();
      if (version != VERSION) {
        return new FileIndexes(Map.of());
      }
      in.readInt();
      Map<String, Map<String, Bytes>> columns = new LinkedHashMap<>();
      for (int column = in.readInt(); column > 0; column--) {
        Map<String, Bytes> indexes =
            columns.computeIfAbsent(in.readUTF(), k -> new LinkedHashMap<>());
        for (int index = in.readInt(); index > 0; index--) {
          String type = in.readUTF();
          int start = in.readInt();
          int length = in.readInt();
          indexes.put(type, start < 0 ? Bytes.EMPTY : body(content, start, length, path));
        }
      }
      return new FileIndexes(columns);
    } catch (IOException e) {
      throw new CorruptTableException(path, "A file index ends early. Rewrite the data file.", e);
    }
  }

  private static Bytes body(byte[] content, int start, int length, String path) {
    if (length < 0 || start > content.length - length) {
      throw new CorruptTableException(
          path, "A file index points outside of its content. Rewrite the data file.", null);
    }
    return Bytes.wrap(Arrays.copyOfRange(content, start, start + length));
  }

  /** The container's bytes. */
  public byte[] encode() {
    try {
      int headLength = head(0).length;
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(head(headLength));
      for (Map<String, Bytes> indexes : columns.values()) {
        for (Bytes body : indexes.values()) {
          out.write(body.array());
        }
      }
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
  }

  private byte[] head(int headLength) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(MAGIC);
    out.writeInt(VERSION);
    out.writeInt(headLength);
    out.writeInt(columns.size());
    int start = headLength;
    for (Map.Entry<String, Map<String, Bytes>> column : columns.entrySet()) {
      out.writeUTF(column.getKey());
      out.writeInt(column.getValue().size());
      for (Map.Entry<String, Bytes> index : column.getValue().entrySet()) {
        int length = index.getValue().length();
        out.writeUTF(index.getKey());
        out.writeInt(length == 0 ? -1 : start);
        out.writeInt(length);
        start += length;
      }
    }
    out.writeInt(0);
    return bytes.toByteArray();
  }
}
