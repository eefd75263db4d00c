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

package io.keylake.table.commit;

import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What makes two manifest entries speak of the same file. Rule source: table format, ADD/DELETE
 * semantics.
 */
record FileIdentity(
    BinaryRow partition,
    int bucket,
    int level,
    String name,
    List<String> extraFiles,
    @Nullable Bytes embeddedIndex,
    @Nullable String externalPath) {
  static FileIdentity of(ManifestEntry entry) {
    return new FileIdentity(
        entry.partition(),
        entry.bucket(),
        entry.file().level(),
        entry.file().name(),
        entry.file().extraFiles(),
        entry.file().embeddedIndex(),
        entry.file().externalPath());
  }
}
