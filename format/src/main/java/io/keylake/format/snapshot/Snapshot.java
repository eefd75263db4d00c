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

package io.keylake.format.snapshot;

import io.keylake.format.schema.UnknownKeys;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One committed version of a table: the content of {@code snapshot/snapshot-<id>}, and of tags and
 * long-lived changelogs.
 *
 * @param version version of the file's layout; 3 is written
 * @param id 1 for the first, consecutive
 * @param schemaId the newest schema when committing
 * @param baseManifestList name of the list of all changes before this snapshot
 * @param baseManifestListSize bytes; null = unknown
 * @param deltaManifestList name of the list of this snapshot's changes
 * @param deltaManifestListSize bytes; null = unknown
 * @param changelogManifestList name of the list of changelog files; null when there are none
 * @param changelogManifestListSize bytes; null = unknown
 * @param indexManifest name of the file that lists all index files; null when there are none
 * @param commitUser who committed
 * @param commitIdentifier Long.MAX_VALUE for batch jobs, increasing for streaming jobs
 * @param commitKind what it did
 * @param timeMillis when, milliseconds since the epoch
 * @param totalRecordCount physical rows after this snapshot
 * @param deltaRecordCount physical rows added minus removed
 * @param changelogRecordCount rows of changelog files; null when there are none
 * @param watermark null when there is none
 * @param statistics name of the statistics file; null when there is none
 * @param properties free for writers
 * @param nextRowId next free row id, for row tracking; null in old files
 * @param unknown JSON keys this version does not know
 */
public record Snapshot(
    int version,
    long id,
    long schemaId,
    String baseManifestList,
    @Nullable Long baseManifestListSize,
    String deltaManifestList,
    @Nullable Long deltaManifestListSize,
    @Nullable String changelogManifestList,
    @Nullable Long changelogManifestListSize,
    @Nullable String indexManifest,
    String commitUser,
    long commitIdentifier,
    CommitKind commitKind,
    long timeMillis,
    long totalRecordCount,
    long deltaRecordCount,
    @Nullable Long changelogRecordCount,
    @Nullable Long watermark,
    @Nullable String statistics,
    Map<String, String> properties,
    @Nullable Long nextRowId,
    UnknownKeys unknown)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The version of the layout that is written. */
  public static final int CURRENT_VERSION = 3;

  /**
   * Property of the snapshot of a statement: which one it was, such as DELETE or UPDATE. Where it
   * is given the numbers of data files that the snapshot added and removed are stored, too.
   */
  public static final String OPERATION = "keylake.operation";

  /** The identifier of batch jobs. */
  public static final long BATCH_IDENTIFIER = Long.MAX_VALUE;

  /** Copies the map. */
  public Snapshot {
    properties = Map.copyOf(properties);
  }
}
