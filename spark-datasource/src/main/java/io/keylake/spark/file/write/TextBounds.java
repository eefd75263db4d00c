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

package io.keylake.spark.file.write;

import org.jspecify.annotations.Nullable;

/**
 * Shortens texts that serve as bounds.
 *
 * <ol>
 *   <li>A lower bound is its first n characters (code points).
 *   <li>An upper bound that is longer than n is its first n characters with the last one raised to
 *       the next code point; a character that has none is dropped and the one before it raised.
 *       Example: {@code a..z} with n = 16 gives {@code abcdefghijklmnop} and {@code
 *       abcdefghijklmnoq}.
 *   <li>If none can be raised there is no upper bound, and then no lower one either.
 * </ol>
 *
 * Rule source: table format, statistics in the file meta; pinned by {@code TextBoundsTest}.
 */
final class TextBounds {
  private TextBounds() {}

  /** A text that is at most {@code text}. */
  static String lower(String text, int characters) {
    return isShort(text, characters)
        ? text
        : text.substring(0, text.offsetByCodePoints(0, characters));
  }

  /** A text that is at least {@code text}; null when there is none of that length. */
  static @Nullable String upper(String text, int characters) {
    if (isShort(text, characters)) {
      return text;
    }
    int[] points = lower(text, characters).codePoints().toArray();
    for (int i = points.length - 1; i >= 0; i--) {
      int next = points[i] + 1;
      boolean isSurrogate = next >= Character.MIN_SURROGATE && next <= Character.MAX_SURROGATE;
      if (Character.isValidCodePoint(next) && !isSurrogate) {
        points[i] = next;
        return new String(points, 0, i + 1);
      }
    }
    return null;
  }

  private static boolean isShort(String text, int characters) {
    return text.length() <= characters || text.codePointCount(0, text.length()) <= characters;
  }
}
