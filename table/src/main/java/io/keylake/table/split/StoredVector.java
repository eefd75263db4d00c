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

package io.keylake.table.split;

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.table.scan.IndexedVector;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The deletion vector of a data file, by the place where it is stored.
 *
 * @param path full address of the index file that holds it
 * @param ref where in that file
 */
public record StoredVector(String path, DeletionVectorRef ref) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The vector that a scan found; null when there is none. */
  static @Nullable StoredVector of(@Nullable IndexedVector vector) {
    return vector == null ? null : new StoredVector(vector.path(), vector.ref());
  }
}
