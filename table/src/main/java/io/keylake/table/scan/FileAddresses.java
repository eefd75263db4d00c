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

package io.keylake.table.scan;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.DataPlacement;
import io.keylake.format.layout.DataPlacement.IndexPlacement;
import io.keylake.format.layout.PartitionNaming;
import io.keylake.format.layout.PartitionPath;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.FileLayoutOptions;
import java.time.ZoneId;

/** The full addresses of a table's data and index files, as its options place them. Immutable. */
public final class FileAddresses {
  private final TableLayout layout;
  private final PartitionPath partitions;

  private FileAddresses(TableLayout layout, PartitionPath partitions) {
    this.layout = layout;
    this.partitions = partitions;
  }

  /**
   * The addresses of a table's files.
   *
   * @param layout the table's place
   * @param schema names the partition columns
   * @param options where files are placed
   */
  public static FileAddresses of(
      TableLayout layout, TableSchema schema, FileLayoutOptions options) {
    return new FileAddresses(layout(layout, options), partitionPath(schema, options));
  }

  /** The table's place with its data and index files where the options put them. */
  public static TableLayout layout(TableLayout layout, FileLayoutOptions options) {
    String directory = options.dataDirectory();
    return layout.placing(
        new DataPlacement(
            directory == null ? "" : directory,
            options.indexInDataDirectory()
                ? IndexPlacement.BUCKET_FOLDER
                : IndexPlacement.INDEX_FOLDER,
            options.externalPaths().stream().map(Location::new).toList()));
  }

  /** The folders of the table's partitions. */
  public static PartitionPath partitionPath(TableSchema schema, FileLayoutOptions options) {
    PartitionNaming naming =
        new PartitionNaming(
            options.defaultPartitionName(),
            options.legacyPartitionName()
                ? PartitionNaming.Style.LEGACY
                : PartitionNaming.Style.READABLE,
            ZoneId.systemDefault());
    return PartitionPath.of(schema.partitionType(), naming);
  }

  /** The table's place. */
  public TableLayout layout() {
    return layout;
  }

  /** The folder of a bucket. */
  public Location bucketFolder(BinaryRow partition, int bucket) {
    return layout.bucketFolder(partitions.folder(partition), bucket);
  }

  /** A data file of a bucket. */
  public Location dataFile(BinaryRow partition, int bucket, DataFile file) {
    return layout.dataFile(partitions.folder(partition), bucket, file.name(), file.externalPath());
  }

  /** A side file of a data file. */
  public Location extraFile(BinaryRow partition, int bucket, DataFile file, String name) {
    return TableLayout.extraFile(dataFile(partition, bucket, file), name);
  }

  /** An index file of a bucket. */
  public Location indexFile(BinaryRow partition, int bucket, IndexFile file) {
    return layout.indexFile(partitions.folder(partition), bucket, file.name(), file.externalPath());
  }
}
