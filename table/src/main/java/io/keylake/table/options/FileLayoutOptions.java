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

package io.keylake.table.options;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where files are placed and how they are named.
 *
 * @param defaultPartitionName folder value of NULL or blank partition values
 * @param legacyPartitionName whether folders spell partition values the old way
 * @param dataDirectory folder below the root that holds the buckets; null = the root itself
 * @param indexInDataDirectory whether index files are in the bucket's folder
 * @param externalPaths places outside the table in which data files may be
 * @param dataFilePrefix how names of data files begin
 * @param changelogFilePrefix how names of changelog files begin
 * @param compressionInName whether the codec is part of a data file's name
 */
public record FileLayoutOptions(
    String defaultPartitionName,
    boolean legacyPartitionName,
    @Nullable String dataDirectory,
    boolean indexInDataDirectory,
    List<String> externalPaths,
    String dataFilePrefix,
    String changelogFilePrefix,
    boolean compressionInName)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public FileLayoutOptions {
    externalPaths = List.copyOf(externalPaths);
  }

  /** The same, with one more place in which data files may be. */
  public FileLayoutOptions withExternalPath(String place) {
    List<String> places = new ArrayList<>(externalPaths);
    places.add(place);
    return new FileLayoutOptions(
        defaultPartitionName,
        legacyPartitionName,
        dataDirectory,
        indexInDataDirectory,
        places,
        dataFilePrefix,
        changelogFilePrefix,
        compressionInName);
  }

  static FileLayoutOptions of(Map<String, String> values) {
    return new FileLayoutOptions(
        StorageKeys.PARTITION_DEFAULT_NAME.read(values),
        StorageKeys.PARTITION_LEGACY_NAME.read(values),
        StorageKeys.DATA_FILE_DIRECTORY.find(values).orElse(null),
        StorageKeys.INDEX_IN_DATA_DIRECTORY.read(values),
        StorageKeys.EXTERNAL_PATHS.read(values),
        StorageKeys.DATA_FILE_PREFIX.read(values),
        StorageKeys.CHANGELOG_FILE_PREFIX.read(values),
        StorageKeys.COMPRESSION_IN_NAME.read(values));
  }
}
