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

package io.keylake.format.layout;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.Location;
import java.util.List;

/**
 * Checks text that becomes a path. Metadata may come from anybody, so a file name in it must not
 * lead out of the table.
 */
final class SafePaths {
  private SafePaths() {}

  /** {@code name} if it is one path segment; {@code kind} says what it names, for the message. */
  static String name(String kind, String name) {
    if (name.isBlank() || name.indexOf('/') >= 0 || hasForbiddenSegment(name)) {
      throw forbidden("The name '" + name + "' of a " + kind + " is not a plain file name.");
    }
    return name;
  }

  /** {@code path} if it stays below the folder it is relative to. */
  static String relative(String kind, String path) {
    if (path.isBlank() || path.startsWith("/") || hasForbiddenSegment(path)) {
      throw forbidden("The path '" + path + "' (" + kind + ") does not stay below the table.");
    }
    return new Location(path).path();
  }

  /** {@code path} if it is inside {@code table} or one of {@code allowed}. */
  static Location external(String path, Location table, List<Location> allowed) {
    boolean inside =
        isInside(path, table) || allowed.stream().anyMatch(root -> isInside(path, root));
    if (!inside || hasForbiddenSegment(path)) {
      throw forbidden(
          "The external path '"
              + path
              + "' is outside the table "
              + table
              + " and outside "
              + allowed
              + ". If the path is right, name its root in the option data-file.external-paths.");
    }
    return new Location(path);
  }

  private static boolean isInside(String path, Location folder) {
    return path.startsWith(folder.path().endsWith("/") ? folder.path() : folder.path() + "/");
  }

  private static boolean hasForbiddenSegment(String path) {
    return path.indexOf('\0') >= 0
        || path.equals("..")
        || path.equals(".")
        || path.startsWith("../")
        || path.startsWith("./")
        || path.endsWith("/..")
        || path.endsWith("/.")
        || path.contains("/../")
        || path.contains("/./");
  }

  private static InvalidRequestException forbidden(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_FORBIDDEN_PATH, message);
  }
}
