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

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Batches of result rows of one split after another. The batch and its vectors are valid until the
 * next call of {@link #next}. For one thread; the caller closes it, also after a failure, as often
 * as it likes.
 */
public interface BatchReader extends Closeable {
  /** Moves to the next batch that has rows; false at the end. */
  boolean next() throws IOException;

  /** The current batch: the requested columns in order, made of Spark's own vectors. */
  ColumnarBatch batch();
}
