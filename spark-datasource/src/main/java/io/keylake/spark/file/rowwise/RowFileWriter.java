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

package io.keylake.spark.file.rowwise;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Writes one data file row by row. For one thread; owned and closed by its creator. */
public interface RowFileWriter extends Closeable {
  /** The values of a row by the position of the file's columns. */
  interface Columns {
    /** The row or batch in which the column {@code index} is found. */
    SpecializedGetters getters(int index);

    /** The position in {@link #getters} at which it is found. */
    int ordinal(int index);
  }

  /** Appends a row. It may be reused afterwards. */
  void write(Columns row) throws IOException;

  /** About how many bytes the file has so far, with what is buffered. */
  long bytesSoFar();

  /** Completes the file and gives its length in bytes. Nothing may be written afterwards. */
  long finish() throws IOException;

  /**
   * Gives up the file when it was not finished: what was written so far stays and is the caller's
   * to delete. May be called more than once.
   */
  @Override
  void close() throws IOException;
}
