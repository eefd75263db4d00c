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

/** The types without parameters, and factories of those with, all nullable. */
public final class DataTypes {
  /** The length that makes VARCHAR a STRING and VARBINARY a BYTES. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE;

  public static final AtomicType BOOLEAN = atomic(TypeRoot.BOOLEAN);
  public static final AtomicType TINYINT = atomic(TypeRoot.TINYINT);
  public static final AtomicType SMALLINT = atomic(TypeRoot.SMALLINT);
  public static final AtomicType INT = atomic(TypeRoot.INT);
  public static final AtomicType BIGINT = atomic(TypeRoot.BIGINT);
  public static final AtomicType FLOAT = atomic(TypeRoot.FLOAT);
  public static final AtomicType DOUBLE = atomic(TypeRoot.DOUBLE);
  public static final AtomicType STRING = new AtomicType(TypeRoot.VARCHAR, MAX_LENGTH, 0, true);
  public static final AtomicType BYTES = new AtomicType(TypeRoot.VARBINARY, MAX_LENGTH, 0, true);
  public static final AtomicType DATE = atomic(TypeRoot.DATE);
  public static final AtomicType VARIANT = atomic(TypeRoot.VARIANT);

  private DataTypes() {}

  private static AtomicType atomic(TypeRoot root) {
    return new AtomicType(root, 0, 0, true);
  }

  /** DECIMAL(precision, scale). */
  public static AtomicType decimal(int precision, int scale) {
    return new AtomicType(TypeRoot.DECIMAL, precision, scale, true);
  }

  /**
   * A CHAR, VARCHAR, BINARY, VARBINARY, TIME, TIMESTAMP or TIMESTAMP_LTZ of this length or
   * precision.
   */
  public static AtomicType sized(TypeRoot root, int precision) {
    return new AtomicType(root, precision, 0, true);
  }

  /** TIMESTAMP(precision). */
  public static AtomicType timestamp(int precision) {
    return sized(TypeRoot.TIMESTAMP, precision);
  }

  /** TIMESTAMP(precision) WITH LOCAL TIME ZONE. */
  public static AtomicType timestampLtz(int precision) {
    return sized(TypeRoot.TIMESTAMP_LTZ, precision);
  }
}
