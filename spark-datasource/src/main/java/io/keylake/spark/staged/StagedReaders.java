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

package io.keylake.spark.staged;

import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.merge.SplitReaders;
import io.keylake.table.split.Split;
import io.keylake.table.split.StagedSplit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Opens the splits of a task, those with staged rows among them. */
public final class StagedReaders {
  private StagedReaders() {}

  /**
   * A reader of the rows of {@code splits}, one split after another. Staged rows are sorted when
   * their split is reached: in a task of Spark's only.
   *
   * @param conf where file systems are configured; not changed
   * @param metrics counts what is read
   */
  public static BatchReader open(
      ReadSpec spec, List<Split> splits, Configuration conf, ReadMetrics metrics) {
    return splits.stream().anyMatch(StagedSplit.class::isInstance)
        ? new Reader(spec, splits, conf, metrics)
        : SplitReaders.open(spec, splits, conf, metrics);
  }

  private static final class Reader implements BatchReader {
    private final ReadSpec spec;
    private final Configuration conf;
    private final ReadMetrics metrics;
    private final Deque<Split> waiting;
    private @Nullable BatchReader current;

    Reader(ReadSpec spec, List<Split> splits, Configuration conf, ReadMetrics metrics) {
      this.spec = spec;
      this.conf = conf;
      this.metrics = metrics;
      this.waiting = new ArrayDeque<>(splits);
    }

    @Override
    public boolean next() throws IOException {
      while (true) {
        BatchReader open = current;
        if (open == null) {
          if (waiting.isEmpty()) {
            return false;
          }
          current = openNext();
        } else if (open.next()) {
          return true;
        } else {
          current = null;
          open.close();
        }
      }
    }

    private BatchReader openNext() throws IOException {
      if (waiting.element() instanceof StagedSplit staged) {
        waiting.remove();
        return StagedSplitReader.open(spec, staged, conf, metrics);
      }
      List<Split> others = new ArrayList<>();
      while (!waiting.isEmpty() && !(waiting.element() instanceof StagedSplit)) {
        others.add(waiting.remove());
      }
      return SplitReaders.open(spec, others, conf, metrics);
    }

    @Override
    public ColumnarBatch batch() {
      BatchReader open = current;
      if (open == null) {
        throw new IllegalStateException("No batch: next() was not called or found none");
      }
      return open.batch();
    }

    @Override
    public void close() throws IOException {
      waiting.clear();
      BatchReader open = current;
      if (open != null) {
        current = null;
        open.close();
      }
    }
  }
}
