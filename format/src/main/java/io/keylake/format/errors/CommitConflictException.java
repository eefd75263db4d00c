package io.keylake.format.errors;

import org.jspecify.annotations.Nullable;

/** Another commit came first; the caller should retry from a fresh snapshot. */
public final class CommitConflictException extends TableException {
  private static final long serialVersionUID = 1L;

  /** A failure of {@code condition}; {@code message} says what conflicted with which snapshot. */
  public CommitConflictException(Condition condition, String message) {
    super(condition, message, null);
  }

  /** As above, keeping the cause. */
  public CommitConflictException(Condition condition, String message, @Nullable Throwable cause) {
    super(condition, message, cause);
  }
}
