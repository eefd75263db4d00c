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

package io.keylake.spark.sort;

import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.UnsafeAlignedOffset;

/**
 * A record of the sorter as its comparator and iterator see it: the length of the header, the
 * header, the row. The header is the sequence number (8 bytes), the change kind (4) and the group
 * (4).
 */
final class RecordLayout {
  static final int HEADER_BYTES = 16;

  private static final int KIND = 8;
  private static final int GROUP = 12;

  private RecordLayout() {}

  /** Where the header starts in a record. */
  static long header(long record) {
    return record + UnsafeAlignedOffset.getUaoSize();
  }

  /** Where the row starts in a record. */
  static long row(long record) {
    return header(record) + HEADER_BYTES;
  }

  /** The length of the row in a record of {@code length} bytes. */
  static int rowLength(int length) {
    return length - UnsafeAlignedOffset.getUaoSize() - HEADER_BYTES;
  }

  static void put(byte[] header, long sequenceNumber, byte kind, int group) {
    Platform.putLong(header, Platform.BYTE_ARRAY_OFFSET, sequenceNumber);
    Platform.putInt(header, Platform.BYTE_ARRAY_OFFSET + (long) KIND, kind);
    Platform.putInt(header, Platform.BYTE_ARRAY_OFFSET + (long) GROUP, group);
  }

  static long sequenceNumber(Object base, long record) {
    return Platform.getLong(base, header(record));
  }

  static byte kind(Object base, long record) {
    return (byte) Platform.getInt(base, header(record) + KIND);
  }

  static int group(Object base, long record) {
    return Platform.getInt(base, header(record) + GROUP);
  }
}
