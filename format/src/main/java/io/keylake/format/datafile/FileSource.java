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

package io.keylake.format.datafile;

/** How a data file was made. Codes are the stored values of {@code _FILE_SOURCE}. */
public enum FileSource {
  APPEND(0),
  COMPACT(1);

  private final int code;

  FileSource(int code) {
    this.code = code;
  }

  /** The stored code. */
  public int code() {
    return code;
  }

  /** The source of a stored code. */
  public static FileSource ofCode(int code) {
    return switch (code) {
      case 0 -> APPEND;
      case 1 -> COMPACT;
      default -> throw new IllegalArgumentException("No file source has code " + code);
    };
  }
}
