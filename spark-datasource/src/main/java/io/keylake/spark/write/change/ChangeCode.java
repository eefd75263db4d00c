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

/**
 * How a change is marked until it is written: its kind, whether it is an override, whether its key
 * moves between partitions, and whether it is for the data files, the changelog, or both.
 */
public final class ChangeCode {
  private static final int OVERRIDE = 8;
  private static final int MOVED = 16;
  private static final int SILENT = 32;
  private static final int IMAGE = 64;

  private ChangeCode() {}

  /** The code of a record. */
  public static byte ofRecord(ChangeKind kind) {
    return kind.code();
  }

  /** The code of an override. */
  public static byte ofOverride(ChangeKind kind) {
    return (byte) (kind.code() | OVERRIDE);
  }

  /** Whether the change is an override. */
  public static boolean isOverride(byte code) {
    return (code & OVERRIDE) != 0;
  }

  /** The kind of the change. */
  public static ChangeKind kind(byte code) {
    return ChangeKind.ofCode((byte) (code & ~(OVERRIDE | MOVED | SILENT | IMAGE)));
  }

  /** The code of a row that is for the changelog alone. */
  public static byte ofImage(ChangeKind kind) {
    return (byte) (kind.code() | IMAGE);
  }

  /** Whether the change is for the changelog alone. */
  public static boolean isImage(byte code) {
    return (code & IMAGE) != 0;
  }

  /** The same change, which the changelog does not get. */
  public static byte silent(byte code) {
    return (byte) (code | SILENT);
  }

  /** Whether the changelog does not get the change. */
  public static boolean isSilent(byte code) {
    return (code & SILENT) != 0;
  }

  /** The same change as the data files get it. */
  public static byte stored(byte code) {
    return (byte) (code & ~SILENT);
  }

  /** The code of a record whose key leaves another partition, where it is removed by itself. */
  public static byte ofMoved(ChangeKind kind) {
    return (byte) (kind.code() | MOVED);
  }

  /** Whether the change is the new row of a key that leaves another partition. */
  public static boolean isMoved(byte code) {
    return (code & MOVED) != 0;
  }

  /** The same change, of a key that is where it belongs. */
  public static byte withoutMove(byte code) {
    return (byte) (code & ~MOVED);
  }
}
