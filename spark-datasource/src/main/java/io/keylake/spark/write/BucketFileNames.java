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

package io.keylake.spark.write;

import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.DataFileNames;
import io.keylake.spark.file.write.NewDataFiles;

/** Names and places of the new files of one bucket. */
final class BucketFileNames implements NewDataFiles {
  private final DataFileNames names;
  private final Location folder;
  private final String prefix;
  private final String extension;

  BucketFileNames(Location folder, String prefix, String extension, Ids ids) {
    this.names = new DataFileNames(ids);
    this.folder = folder;
    this.prefix = prefix;
    this.extension = extension;
  }

  @Override
  public Place next() {
    String name = names.next(prefix, extension);
    return new Place(name, folder.child(name), null);
  }
}
