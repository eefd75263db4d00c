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

package io.keylake.spark.file.gather;

import org.apache.spark.sql.vectorized.ColumnVector;

/** A batch of vectors that rows are taken from. */
public interface GatherSource {
  /** The vector of a column of the rows. */
  ColumnVector column(int index);

  /** The vector of the sequence numbers, of type BIGINT. */
  ColumnVector sequenceNumbers();

  /** The vector of the codes of the change kinds, of type TINYINT. */
  ColumnVector kinds();
}
