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

import io.keylake.format.types.RowType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes binary rows of one type from Java values and back. Values are those of {@link
 * io.keylake.format.predicate.Predicate} literals, null for NULL, and for nested types: {@link
 * List} for ARRAY, {@link java.util.Map} for MAP and MULTISET (element to Integer count), a {@link
 * List} of its fields for ROW, {@link Variant} for VARIANT. Rows made here have the change kind +I.
 * Immutable.
 *
 * <p>Reading bytes that are no row of the type throws {@link IllegalArgumentException} or {@link
 * IndexOutOfBoundsException}; codecs of files turn that into an error that names the file.
 *
 * <p>Rule source: table format, BinaryRow. Pinned by {@code BinaryRowCodecTest}.
 */
public final class BinaryRowCodec {
  private final RowType type;

  private BinaryRowCodec(RowType type) {
    this.type = type;
  }

  /** A codec for rows of {@code type}. */
  public static BinaryRowCodec of(RowType type) {
    return new BinaryRowCodec(type);
  }

  /** The type of the rows. */
  public RowType type() {
    return type;
  }

  /** The row of {@code values}, one per field in order. */
  public BinaryRow encode(List<? extends @Nullable Object> values) {
    return type.size() == 0 && values.isEmpty()
        ? BinaryRow.EMPTY
        : BinaryRow.wrap(type.size(), RowWriter.row(type, values));
  }

  /** The value at {@code position}, null for NULL. */
  public @Nullable Object value(BinaryRow row, int position) {
    checkArity(row);
    return RowReader.field(type, row.array(), 0, position);
  }

  /** All values in order. */
  public List<@Nullable Object> decode(BinaryRow row) {
    checkArity(row);
    return RowReader.row(type, row.array(), 0);
  }

  private void checkArity(BinaryRow row) {
    if (row.arity() != type.size()) {
      throw new IllegalArgumentException(
          "A row of " + type.names() + " cannot have " + row.arity() + " fields");
    }
  }

  /** The form in manifests: the number of fields as big-endian int32, then the row's bytes. */
  public static byte[] serialize(BinaryRow row) {
    byte[] content = row.array();
    return ByteBuffer.allocate(Integer.BYTES + content.length)
        .putInt(row.arity())
        .put(content)
        .array();
  }

  /**
   * The row in the form that {@link #serialize} makes.
   *
   * @throws IllegalArgumentException when {@code bytes} cannot be a row
   */
  public static BinaryRow deserialize(byte[] bytes) {
    int arity = bytes.length < Integer.BYTES ? -1 : ByteBuffer.wrap(bytes).getInt();
    int contentLength = bytes.length - Integer.BYTES;
    if (arity < 0 || arity > contentLength || contentLength < RowLayout.fixedSize(arity)) {
      throw new IllegalArgumentException(
          "Not a serialized row: " + bytes.length + " bytes with " + arity + " fields");
    }
    return arity == 0 && contentLength == BinaryRow.EMPTY.array().length && bytes[4] == 0
        ? BinaryRow.EMPTY
        : BinaryRow.wrap(arity, Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length));
  }
}
