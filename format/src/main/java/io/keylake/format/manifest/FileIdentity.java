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

package io.keylake.format.manifest;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What makes two manifest entries speak of the same file: a DELETE entry removes the ADD entry of
 * equal identity. A file that moves to another level has a new identity.
 *
 * <p>Rule source: table format, ADD/DELETE semantics; pinned by {@code ManifestMergeTest}.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param level the file's level
 * @param name the file's name
 * @param extraFiles its side files
 * @param embeddedIndex its embedded index; null when there is none
 * @param externalPath its address when outside the table; null otherwise
 */
public record FileIdentity(
    BinaryRow partition,
    int bucket,
    int level,
    String name,
    List<String> extraFiles,
    @Nullable Bytes embeddedIndex,
    @Nullable String externalPath) {
  /** The identity of an entry's file. */
  public static FileIdentity of(ManifestEntry entry) {
    return of(entry.partition(), entry.bucket(), entry.file());
  }

  /** The identity of a file of a bucket. */
  public static FileIdentity of(BinaryRow partition, int bucket, DataFile file) {
    return new FileIdentity(
        partition,
        bucket,
        file.level(),
        file.name(),
        file.extraFiles(),
        file.embeddedIndex(),
        file.externalPath());
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + level;
  }
}
