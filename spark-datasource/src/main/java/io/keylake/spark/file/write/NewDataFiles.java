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

package io.keylake.spark.file.write;

import io.keylake.format.fileio.Location;
import org.jspecify.annotations.Nullable;

/** Gives out the names and places of a bucket's new files, each once. */
@FunctionalInterface
public interface NewDataFiles {
  /**
   * A file that does not exist yet.
   *
   * @param name the file's name
   * @param location its full address
   * @param externalPath the full address when it is outside the table's folder; null otherwise
   */
  record Place(String name, Location location, @Nullable String externalPath) {}

  /** The next file. */
  Place next();
}
