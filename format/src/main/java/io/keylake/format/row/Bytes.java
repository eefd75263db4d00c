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

/** An immutable sequence of bytes with equality; compared as unsigned bytes. */
public final class Bytes implements Comparable<Bytes>, Serializable {
  private static final long serialVersionUID = 1L;

  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** A copy of {@code content}. */
  public static Bytes copyOf(byte[] content) {
    return new Bytes(content.clone());
  }

  /** {@code content} itself: the caller must not change it any more. */
  public static Bytes wrap(byte[] content) {
    return new Bytes(content);
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return content.clone();
  }

  /** The bytes themselves: the caller must not change them. */
  public byte[] array() {
    return content;
  }

  /** The number of bytes. */
  public int length() {
    return content.length;
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(content, other.content);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return "0x" + HexFormat.of().formatHex(content);
  }
}
