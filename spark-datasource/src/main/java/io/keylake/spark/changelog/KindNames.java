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

package io.keylake.spark.changelog;

import io.keylake.format.row.ChangeKind;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.execution.vectorized.Dictionary;

/** The names of change kinds as a dictionary whose codes are those of {@link ChangeKind}. */
enum KindNames implements Dictionary {
  /** {@code +I -U +U -D}. */
  SHORT("+I", "-U", "+U", "-D"),
  /** {@code insert update_preimage update_postimage delete}. */
  CHANGE_TYPE("insert", "update_preimage", "update_postimage", "delete");

  private final byte[][] names;

  KindNames(String insert, String before, String after, String delete) {
    names = new byte[][] {bytes(insert), bytes(before), bytes(after), bytes(delete)};
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** The name of a kind. */
  String text(ChangeKind kind) {
    return new String(names[kind.code()], StandardCharsets.UTF_8);
  }

  @Override
  public byte[] decodeToBinary(int code) {
    return names[code];
  }

  @Override
  public int decodeToInt(int code) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long decodeToLong(int code) {
    throw new UnsupportedOperationException();
  }

  @Override
  public float decodeToFloat(int code) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double decodeToDouble(int code) {
    throw new UnsupportedOperationException();
  }
}
