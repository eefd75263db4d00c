package io.keylake.format.fileio;

import java.io.Serializable;

/**
 * The full address of a file or folder, such as {@code hdfs://nn/wh/db.db/t} or {@code file:/wh/db.db/t}. Without a trailing slash; special characters are kept as they are (not percent-encoded).
 *
 * @param path the address as text
 */
public record Location(String path) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Drops trailing slashes. */
  public Location {
    while (path.length() > 1 && path.endsWith("/")) {
      path = path.substring(0, path.length() - 1);
    }
    if (path.isBlank()) {
      throw new IllegalArgumentException("A location cannot be blank");
    }
  }

  /** The file or folder {@code relative} below this one. */
  public Location child(String relative) {
    return new Location(path.equals("/") ? path + relative : path + "/" + relative);
  }

  /** The last part of the path. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The folder that holds this file or folder. */
  public Location parent() {
    int slash = path.lastIndexOf('/');
    return new Location(slash <= 0 ? "/" : path.substring(0, slash));
  }

  @Override
  public String toString() {
    return path;
  }
}
