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

package io.keylake.spark.metadata;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;

/**
 * A live data file of the pinned snapshot.
 *
 * @param entry its manifest entry
 * @param path its full address
 */
record LiveFile(ManifestEntry entry, String path) {
  BinaryRow partition() {
    return entry.partition();
  }

  int bucket() {
    return entry.bucket();
  }

  DataFile file() {
    return entry.file();
  }
}
