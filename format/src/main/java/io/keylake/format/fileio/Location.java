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

package io.keylake.format.fileio;

import java.io.Serializable;

/**
 * The full address of a file or folder, such as {@code hdfs://nn/wh/db.db/t} or {@code
 * file:/wh/db.db/t}. Without a trailing slash; special characters are kept as they are (not
 * percent-encoded).
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
