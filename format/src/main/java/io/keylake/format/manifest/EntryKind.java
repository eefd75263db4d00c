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

package io.keylake.format.manifest;

/**
 * Whether a manifest entry adds or removes its file. Codes are the stored values of {@code _KIND}.
 */
public enum EntryKind {
  ADD(0),
  DELETE(1);

  private final int code;

  EntryKind(int code) {
    this.code = code;
  }

  /** The stored code. */
  public int code() {
    return code;
  }

  /** The kind of a stored code. */
  public static EntryKind ofCode(int code) {
    return switch (code) {
      case 0 -> ADD;
      case 1 -> DELETE;
      default -> throw new IllegalArgumentException("No entry kind has code " + code);
    };
  }
}
