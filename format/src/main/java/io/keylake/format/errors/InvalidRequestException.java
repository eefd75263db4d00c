package io.keylake.format.errors;

import org.jspecify.annotations.Nullable;

/** The statement, option or schema is wrong; the caller should change it. */
public final class InvalidRequestException extends TableException {
  private static final long serialVersionUID = 1L;

  /** A failure of {@code condition}; {@code message} names the value and what to use instead. */
  public InvalidRequestException(Condition condition, String message) {
    super(condition, message, null);
  }

  /** As above, keeping the cause. */
  public InvalidRequestException(Condition condition, String message, @Nullable Throwable cause) {
    super(condition, message, cause);
  }
}
