package io.keylake.format.errors;

import org.jspecify.annotations.Nullable;

/** A file of the table is damaged; the caller should repair it or roll back. */
public final class CorruptTableException extends TableException {
  private static final long serialVersionUID = 1L;

  private final String path;

  /** {@code path} is the damaged file; {@code message} says what is wrong with it and what to do. */
  public CorruptTableException(String path, String message, @Nullable Throwable cause) {
    super(Condition.KEYLAKE_CORRUPT_FILE, message + " File: " + path, cause);
    this.path = path;
  }

  /** The damaged file. */
  public String path() {
    return path;
  }
}
