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

import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Opens the splits of a task. */
public final class ChangeReaders {
  private ChangeReaders() {}

  /**
   * A reader of the change rows of {@code splits}, one split after another. Files are opened when
   * they are reached.
   *
   * @param conf where file systems are configured; not changed
   * @param metrics counts what is read
   */
  public static BatchReader open(
      ChangeSpec spec,
      List<? extends ChangeSplit> splits,
      Configuration conf,
      ReadMetrics metrics) {
    return new ChangeBatches(ChangeTask.of(spec, conf, metrics), splits);
  }
}
