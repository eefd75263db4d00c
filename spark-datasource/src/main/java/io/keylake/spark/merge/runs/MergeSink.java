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

import java.io.IOException;

/** Takes what became of keys. */
public interface MergeSink {
  /**
   * Takes the next keys, in ascending order.
   *
   * @param keys what became of them; valid until the method returns, like the batches of {@code
   *     sources} that it points into
   * @param sources the runs and the folded rows, by the numbers that {@code keys} uses
   */
  void accept(MergedKeys keys, MergeSources sources) throws IOException;
}
