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

import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.DataFileNames;
import io.keylake.table.options.FileLayoutOptions;
import java.util.Locale;
import java.util.Map;

/** Names and places of the new data files of one bucket. */
public final class BucketFileNames implements NewDataFiles {
  private static final Map<String, String> NAME_SUFFIXES =
      Map.of("zstd", "zst", "gzip", "gz", "none", "", "uncompressed", "");

  private final DataFileNames names;
  private final Location folder;
  private final String prefix;
  private final String extension;

  private BucketFileNames(Location folder, String prefix, String extension, Ids ids) {
    this.names = new DataFileNames(ids);
    this.folder = folder;
    this.prefix = prefix;
    this.extension = extension;
  }

  /**
   * Names of one writer.
   *
   * @param folder the bucket's folder
   */
  public static BucketFileNames of(
      Location folder, FileLayoutOptions layout, DataFileSpec files, Ids ids) {
    return of(folder, layout, layout.dataFilePrefix(), files, ids);
  }

  /** Names of changelog files of one writer. */
  public static BucketFileNames ofChangelog(
      Location folder, FileLayoutOptions layout, DataFileSpec files, Ids ids) {
    return of(folder, layout, layout.changelogFilePrefix(), files, ids);
  }

  private static BucketFileNames of(
      Location folder, FileLayoutOptions layout, String prefix, DataFileSpec files, Ids ids) {
    String extension = files.files().format(files.level()).identifier();
    if (layout.compressionInName()) {
      String codec = files.files().compression(files.level()).toLowerCase(Locale.ROOT);
      String suffix = NAME_SUFFIXES.getOrDefault(codec, codec);
      extension = suffix.isEmpty() ? extension : suffix + "." + extension;
    }
    return new BucketFileNames(folder, prefix, extension, ids);
  }

  @Override
  public Place next() {
    String name = names.next(prefix, extension);
    return new Place(name, folder.child(name), null);
  }
}
