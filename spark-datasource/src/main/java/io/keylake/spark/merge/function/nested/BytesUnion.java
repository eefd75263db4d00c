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

package io.keylake.spark.merge.function.nested;

import java.io.IOException;

/**
 * The union of two sets that are stored as bytes.
 *
 * @param <S> a set in memory
 */
interface BytesUnion<S> {
  /** What the bytes must be, for messages. */
  String needed();

  /**
   * Reads a set.
   *
   * @throws IOException or any {@link RuntimeException} when the bytes are none
   */
  S read(byte[] bytes) throws IOException;

  /** The union; {@code earlier} may be changed. */
  S unite(S earlier, S later);

  /** The bytes of a set. */
  byte[] write(S set) throws IOException;
}
