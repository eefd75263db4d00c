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

package io.keylake.format.layout;

/**
 * The escaping of partition folders: control characters and {@code " # % ' * / : = ? \ { } [ ] ^}
 * become {@code %} and two upper-case hex digits, everything else stays. Example: {@code a b:c/d}
 * is {@code a b%3Ac%2Fd}.
 *
 * <p>Rule source: table format, partition folders. Pinned by {@code PartitionPathTest}.
 */
public final class PathEscape {
  private static final String ESCAPED = "\"#%'*/:=?\\{}[]^\u007f";
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private PathEscape() {}

  /** The text as it is in a folder name. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || ESCAPED.indexOf(c) >= 0) {
        escaped.append('%').append(HEX[c >>> 4]).append(HEX[c & 15]);
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
