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

import io.keylake.format.deletionvector.VectorVersion;
import java.io.Serializable;
import java.util.Map;

/**
 * How deletion vectors are stored.
 *
 * @param version the form of new vectors
 * @param targetFileBytes size from which vectors of an append table without buckets go to the next
 *     index file
 */
public record VectorOptions(VectorVersion version, long targetFileBytes) implements Serializable {
  private static final long serialVersionUID = 1L;

  static VectorOptions of(Map<String, String> values) {
    return new VectorOptions(
        CompactionKeys.BITMAP64.read(values) ? VectorVersion.V2 : VectorVersion.V1,
        CompactionKeys.INDEX_FILE_TARGET_SIZE.read(values).bytes());
  }
}
