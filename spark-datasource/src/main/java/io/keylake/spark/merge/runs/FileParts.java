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

package io.keylake.spark.merge.runs;

import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a file, in order: row groups that may be copied one by one, and what lies between
 * them. For one thread.
 */
final class FileParts implements Closeable {
  /**
   * A part.
   *
   * @param start its first byte
   * @param length its bytes
   * @param group the row group, when it may be copied; null otherwise
   */
  record Part(long start, long length, @Nullable RowGroup group) {}

  private final RowGroupSource source;
  private final Deque<Part> waiting = new ArrayDeque<>();

  /** Takes over {@code source} and closes it. */
  FileParts(RowGroupSource source) throws IOException {
    this.source = source;
    long from = 0;
    long to = 0;
    for (RowGroup group : source.rowGroups()) {
      if (group.isCopyable()) {
        addBetween(from, to);
        waiting.add(new Part(group.start(), group.bytes(), group));
        from = group.start() + group.bytes();
      }
      to = group.start() + group.bytes();
    }
    addBetween(from, to);
  }

  private void addBetween(long from, long to) {
    if (from < to) {
      waiting.add(new Part(from, to - from, null));
    }
  }

  /** The next part; null at the end. */
  @Nullable Part next() {
    return waiting.poll();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
