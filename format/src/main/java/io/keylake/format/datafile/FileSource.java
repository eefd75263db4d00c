package io.keylake.format.datafile;

/** How a data file was made. Codes are the stored values of {@code _FILE_SOURCE}. */
public enum FileSource {
  APPEND(0),
  COMPACT(1);

  private final int code;

  FileSource(int code) {
    this.code = code;
  }

  /** The stored code. */
  public int code() {
    return code;
  }
}
