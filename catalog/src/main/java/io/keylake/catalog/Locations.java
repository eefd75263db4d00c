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

package io.keylake.catalog;

import io.keylake.format.fileio.Location;

/** Compares places as users write them. */
final class Locations {
  private static final String LOCAL_SCHEME = "file";

  private Locations() {}

  /** Whether both name the same folder; a path without scheme is a local one. */
  static boolean same(String written, Location location) {
    return normalized(written).equals(normalized(location.path()));
  }

  private static String normalized(String written) {
    String text = new Location(written).path();
    int colon = text.indexOf(':');
    int slash = text.indexOf('/');
    boolean hasScheme = colon > 0 && (slash < 0 || colon < slash);
    if (!hasScheme) {
      return LOCAL_SCHEME + ":" + text;
    }
    if (!text.substring(0, colon).equals(LOCAL_SCHEME)) {
      return text;
    }
    return LOCAL_SCHEME + ":" + text.substring(colon + 1).replaceFirst("^/{2,}", "/");
  }
}
