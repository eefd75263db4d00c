package io.keylake.format.errors;

import org.jspecify.annotations.Nullable;

/**
 * A failure a user can act on: a stable {@link Condition} and a message that says what failed, where, and what to do. The four kinds differ in what the caller should do about them.
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

  /** The stable name of the failure. */
  public final Condition condition() {
    return condition;
  }
}
