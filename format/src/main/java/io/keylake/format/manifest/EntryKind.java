package io.keylake.format.manifest;

/** Whether a manifest entry adds or removes its file. Codes are the stored values of {@code _KIND}. */
public enum EntryKind {
  ADD(0),
  DELETE(1);

  private final int code;

  EntryKind(int code) {
    this.code = code;
  }

  /** The stored code. */
  public int code() {
    return code;
  }
}
