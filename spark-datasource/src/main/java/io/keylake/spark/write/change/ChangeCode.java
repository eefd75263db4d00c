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

package io.keylake.spark.write.change;

import io.keylake.format.row.ChangeKind;

/** How a change is marked while rows are sorted: its kind, and whether it is an override. */
final class ChangeCode {
  private static final int OVERRIDE = 8;

  private ChangeCode() {}

  /** The code of a record. */
  static byte ofRecord(ChangeKind kind) {
    return kind.code();
  }

  /** The code of an override. */
  static byte ofOverride(ChangeKind kind) {
    return (byte) (kind.code() | OVERRIDE);
  }

  /** Whether the change is an override. */
  static boolean isOverride(byte code) {
    return (code & OVERRIDE) != 0;
  }

  /** The kind of the change. */
  static ChangeKind kind(byte code) {
    return ChangeKind.ofCode((byte) (code & ~OVERRIDE));
  }
}
