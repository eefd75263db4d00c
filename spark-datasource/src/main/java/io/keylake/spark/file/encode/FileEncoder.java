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

package io.keylake.spark.file.encode;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/** Writes the files of one format, one after the other. For one thread; the owner closes it. */
public interface FileEncoder extends Closeable {
  /**
   * A file that is complete.
   *
   * @param bytes its size
   * @param ranges one element per column; null = nothing is known of a nested column
   */
  record Ended(long bytes, List<@Nullable ColumnRange> ranges) {}

  /** Starts a new file; none may be open. */
  void open(OutputFile target) throws IOException;

  /** Adds the rows of a batch to the open file. */
  void write(RowBatch batch) throws IOException;

  /** About the size the open file would have if it ended now. */
  long estimatedBytes() throws IOException;

  /** Ends the open file. */
  Ended finish() throws IOException;
}
