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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in byte arrays, least significant byte first. */
final class LittleEndian {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private LittleEndian() {}

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
  }

  static short getShort(byte[] bytes, int offset) {
    return (short) SHORT.get(bytes, offset);
  }

  static int getInt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  static long getLong(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  static void putShort(byte[] bytes, int offset, short value) {
    SHORT.set(bytes, offset, value);
  }

  static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}
