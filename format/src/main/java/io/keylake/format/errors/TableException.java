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

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A failure a user can act on: a stable {@link Condition} and a message that says what failed,
 * where, and what to do. The four kinds differ in what the caller should do about them.
 */
public abstract sealed class TableException extends RuntimeException
    permits InvalidRequestException,
        UnsupportedTableException,
        CommitConflictException,
        CorruptTableException {
  private static final long serialVersionUID = 1L;

  private final Condition condition;

  TableException(Condition condition, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.condition = condition;
  }

  /** What failed, where, and what to do; never null. */
  @Override
  public final String getMessage() {
    return requireNonNull(super.getMessage());
  }

  /** The stable name of the failure. */
  public final Condition condition() {
    return condition;
  }
}
