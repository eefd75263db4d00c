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

import io.keylake.format.fileio.Location;
import java.util.List;

/**
 * Where the options of a table put its data and index files.
 *
 * @param directory the folder below the root that holds partitions and buckets, as a relative path;
 *     empty = the root itself ({@code data-file.path-directory})
 * @param indexFiles where new and existing index files are ({@code index-file-in-data-file-dir})
 * @param externalRoots places outside the table where data files may be ({@code
 *     data-file.external-paths})
 */
public record DataPlacement(
    String directory, IndexPlacement indexFiles, List<Location> externalRoots) {
  /** Everything in its usual place. */
  public static final DataPlacement DEFAULT =
      new DataPlacement("", IndexPlacement.INDEX_FOLDER, List.of());

  /** Where index files are. */
  public enum IndexPlacement {
    INDEX_FOLDER,
    BUCKET_FOLDER
  }

  /** Checks the directory and copies the list. */
  public DataPlacement {
    if (!directory.isEmpty()) {
      directory = SafePaths.relative("data-file.path-directory", directory);
    }
    externalRoots = List.copyOf(externalRoots);
  }
}
