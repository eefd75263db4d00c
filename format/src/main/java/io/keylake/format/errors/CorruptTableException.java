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

package io.keylake.format.errors;

import org.jspecify.annotations.Nullable;

/** A file of the table is damaged; the caller should repair it or roll back. */
public final class CorruptTableException extends TableException {
  private static final long serialVersionUID = 1L;

  private final String path;

  /**
   * {@code path} is the damaged file; {@code message} says what is wrong with it and what to do.
   */
  public CorruptTableException(String path, String message, @Nullable Throwable cause) {
    super(Condition.KEYLAKE_CORRUPT_FILE, message + " File: " + path, cause);
    this.path = path;
  }

  /** The damaged file. */
  public String path() {
    return path;
  }
}
