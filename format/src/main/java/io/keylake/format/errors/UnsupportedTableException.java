package io.keylake.format.errors;

import org.jspecify.annotations.Nullable;

/** The table needs a feature this version lacks; the caller should use a reader or writer that has it. */
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
