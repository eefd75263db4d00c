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

package io.keylake.spark.file;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Batches of the requested columns of one file in one format, in the order of the request. The
 * vectors are the same objects for every batch; they are valid until the next call of {@link
 * #next}. The caller closes it, which also frees the vectors.
 */
interface FormatReader extends Closeable {
  /** Moves to the next batch that has rows; false at the end. */
  boolean next() throws IOException;

  /** The number of rows of the current batch. */
  int rows();

  /** The vectors; empty before the first batch. */
  WritableColumnVector[] columns();

  /** The place of a row of the current batch in the file; only when the scan needs positions. */
  long position(int row);

  /** Bounds of a requested column over all rows to be read; null when they are not known. */
  @Nullable ValueRange range(int column);

  /** Row groups of the range that statistics excluded. */
  long skippedRowGroups();
}
