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

/**
 * The table needs a feature this version lacks; the caller should use a reader or writer that has
 * it.
 */
public final class UnsupportedTableException extends TableException {
  private static final long serialVersionUID = 1L;

  /** A failure of {@code condition}; {@code message} names the feature and the table. */
  public UnsupportedTableException(Condition condition, String message) {
    super(condition, message, null);
  }

  /** As above, keeping the cause. */
  public UnsupportedTableException(Condition condition, String message, @Nullable Throwable cause) {
    super(condition, message, cause);
  }
}
