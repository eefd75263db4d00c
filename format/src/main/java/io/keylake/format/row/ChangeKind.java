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

/**
 * What a stored row does to its key. Codes are the stored values of {@code _VALUE_KIND}.
 *
 * <p>Rule source: table format, PK table row layout.
 */
public enum ChangeKind {
  INSERT((byte) 0, "+I"),
  UPDATE_BEFORE((byte) 1, "-U"),
  UPDATE_AFTER((byte) 2, "+U"),
  DELETE((byte) 3, "-D");

  private final byte code;
  private final String shortName;

  ChangeKind(byte code, String shortName) {
    this.code = code;
    this.shortName = shortName;
  }

  /** The stored code. */
  public byte code() {
    return code;
  }

  /** {@code +I}, {@code -U}, {@code +U} or {@code -D}. */
  public String shortName() {
    return shortName;
  }

  /** Whether the row takes a row away (-U, -D). */
  public boolean isRetract() {
    return this == UPDATE_BEFORE || this == DELETE;
  }

  /** The kind of a stored code. */
  public static ChangeKind ofCode(byte code) {
    return switch (code) {
      case 0 -> INSERT;
      case 1 -> UPDATE_BEFORE;
      case 2 -> UPDATE_AFTER;
      case 3 -> DELETE;
      default -> throw new IllegalArgumentException("No change kind has code " + code);
    };
  }
}
