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

import io.keylake.table.split.Split;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads splits one after another. */
final class SplitsReader implements BatchReader {
  SplitsReader(ReadSpec spec, List<Split> splits, Configuration conf, ReadMetrics metrics) {}

  @Override
  public boolean next() {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public ColumnarBatch batch() {
    throw new UnsupportedOperationException("not written yet");
  }

  @Override
  public void close() {}
}
