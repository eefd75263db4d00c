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

import io.keylake.format.datafile.DataFile;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A data file whose rows are folded with those of others.
 *
 * @param path full address of the file
 * @param file the file, without statistics
 * @param runRank position of its run in the order newest first (level 0 by the format's order, then
 *     lower level first); decides when sequence numbers are equal
 * @param vector its deletion vector, whose rows are no longer there; null when there is none
 */
public record FoldFile(String path, DataFile file, int runRank, @Nullable StoredVector vector)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
