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

package io.keylake.format.index;

import io.keylake.format.row.BinaryRow;
import java.io.Serializable;

/**
 * A live index file with the bucket it belongs to: one record of an index manifest.
 *
 * @param partition the bucket's partition values
 * @param bucket the bucket's number
 * @param file the index file
 */
public record IndexEntry(BinaryRow partition, int bucket, IndexFile file) implements Serializable {
  private static final long serialVersionUID = 1L;
}
