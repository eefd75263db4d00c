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

package io.keylake.format.types;

/**
 * A type without inner types.
 *
 * @param root its kind
 * @param precision DECIMAL: digits, 1 to 38; TIME and timestamps: fraction digits, 0 to 9; CHAR,
 *     VARCHAR, BINARY, VARBINARY: length, at least 1; otherwise 0
 * @param scale DECIMAL: digits after the point; otherwise 0
 * @param nullable whether a value may be NULL
 */
public record AtomicType(TypeRoot root, int precision, int scale, boolean nullable)
    implements DataType {
  private static final long serialVersionUID = 1L;

  /** Checks precision and scale against the kind. */
  public AtomicType {
    if (root.isNested()) {
      throw new IllegalArgumentException(root + " is not atomic");
    }
    boolean valid =
        switch (root) {
          case DECIMAL -> precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision;
          case TIME, TIMESTAMP, TIMESTAMP_LTZ -> precision >= 0 && precision <= 9 && scale == 0;
          case CHAR, VARCHAR, BINARY, VARBINARY -> precision >= 1 && scale == 0;
          default -> precision == 0 && scale == 0;
        };
    if (!valid) {
      throw new IllegalArgumentException(
          "Invalid parameters of " + root + ": (" + precision + ", " + scale + ")");
    }
  }

  @Override
  public AtomicType asNullable() {
    return nullable ? this : new AtomicType(root, precision, scale, true);
  }

  @Override
  public AtomicType asNotNull() {
    return nullable ? new AtomicType(root, precision, scale, false) : this;
  }
}
