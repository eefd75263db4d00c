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

package io.keylake.format.deletionvector;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Where the deletion vector of one data file is stored.
 *
 * @param dataFile name of the data file whose rows it deletes
 * @param offset position of the vector's size field in the index file
 * @param length as stored: for version 1 without, for version 2 with the size and CRC fields
 * @param cardinality number of deleted rows; null = unknown
 */
public record DeletionVectorRef(String dataFile, int offset, int length, @Nullable Long cardinality)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
