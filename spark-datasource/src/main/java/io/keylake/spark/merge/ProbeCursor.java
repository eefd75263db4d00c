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

package io.keylake.spark.merge;

import io.keylake.spark.merge.keys.KeyBatch;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * The keys of one sorted run that may hide rows of a unit, batch by batch in ascending order. For
 * one thread.
 */
interface ProbeCursor extends Closeable {
  /** Makes sure that the current batch has rows that have not been passed; false at the end. */
  boolean advance() throws IOException;

  /** The current batch of keys; valid after {@link #advance} said that there is one. */
  KeyBatch keys();

  /** The first row of the current batch that has not been passed. */
  int row();

  /** Passes the rows of the current batch before {@code newRow}. */
  void passTo(int newRow);

  /** Whether the row of the current batch counts instead of a unit's row of the same key. */
  boolean hides(int probeRow, ColumnVector[] unitSequence, int unitRow, int unitRank);
}
