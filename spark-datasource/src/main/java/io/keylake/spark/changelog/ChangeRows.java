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

package io.keylake.spark.changelog;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Batches of the change rows of one split. The vectors are valid until the next call of {@link
 * #next}, and may be compacted in place until then. For one thread; the caller closes it, also
 * after a failure.
 */
public interface ChangeRows extends Closeable {
  /** Moves to the next batch that has rows; false at the end. */
  boolean next() throws IOException;

  /** The number of rows of the current batch. */
  int rows();

  /**
   * A column of the current batch.
   *
   * @param index position in {@link ChangeSpec#data()}'s columns
   */
  ColumnVector column(int index);

  /**
   * The kinds of the rows as TINYINT codes of {@link io.keylake.format.row.ChangeKind}; null when
   * all rows are inserts.
   */
  @Nullable ColumnVector kinds();

  /**
   * The sequence numbers of the rows as BIGINT, where {@link ChangeSpec#needsSequence()}; null
   * where rows have none.
   */
  @Nullable ColumnVector sequenceNumbers();
}
