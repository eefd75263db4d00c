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

import java.io.Serializable;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of a short row: partition values, keys, statistics. Immutable; equality by bytes.
 * Reading values needs the row's type: see {@code BinaryRowCodec}.
 *
 * <p>Rule source: table format, BinaryRow.
 */
public final class BinaryRow implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The row without fields. */
  public static final BinaryRow EMPTY = new BinaryRow(0, new byte[8]);

  private final int arity;
  private final byte[] content;

  private BinaryRow(int arity, byte[] content) {
    this.arity = arity;
    this.content = content;
  }

  /**
   * A row over {@code content} (the bytes without the arity prefix), which the caller must not
   * change any more.
   */
  public static BinaryRow wrap(int arity, byte[] content) {
    return new BinaryRow(arity, content);
  }

  /** The number of fields. */
  public int arity() {
    return arity;
  }

  /** The bytes without the arity prefix; the caller must not change them. */
  public byte[] array() {
    return content;
  }

  /** Whether the field at {@code position} is NULL. */
  public boolean isNullAt(int position) {
    int bit = position + 8;
    return (content[bit >>> 3] & (1 << (bit & 7))) != 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BinaryRow that
        && arity == that.arity
        && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(content);
  }
}
