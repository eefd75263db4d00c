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

package io.keylake.spark.file.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in the byte order of Parquet. */
public final class LittleEndian {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  public static void putInt(byte[] bytes, int position, int value) {
    INT.set(bytes, position, value);
  }

  public static void putLong(byte[] bytes, int position, long value) {
    LONG.set(bytes, position, value);
  }

  public static long getLong(byte[] bytes, int position) {
    return (long) LONG.get(bytes, position);
  }

  /** Writes an unsigned LEB128 number and returns the position behind it. */
  public static int putVarInt(byte[] bytes, int position, int value) {
    int rest = value;
    int at = position;
    while ((rest & ~0x7f) != 0) {
      bytes[at++] = (byte) ((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    return at;
  }
}
