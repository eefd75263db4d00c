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

package io.keylake.spark.changelog.difference;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.table.split.StoredVector;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Loads deletion vectors; index files are read once. For one thread and one split. */
final class StoredVectors {
  private final HadoopFileIO storage;
  private final Map<String, byte[]> indexFiles = new HashMap<>();

  StoredVectors(HadoopFileIO storage) {
    this.storage = storage;
  }

  /** The vector; null when {@code stored} is null or deletes nothing. */
  @Nullable DeletionVector load(@Nullable StoredVector stored) {
    if (stored == null) {
      return null;
    }
    byte[] file =
        indexFiles.computeIfAbsent(stored.path(), path -> storage.read(new Location(path)));
    DeletionVector vector = DeletionVectorFile.decode(file, stored.ref(), stored.path());
    return vector.isEmpty() ? null : vector;
  }
}
