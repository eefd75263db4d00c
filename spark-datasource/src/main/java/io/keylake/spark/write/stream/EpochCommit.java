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

package io.keylake.spark.write.stream;

import io.keylake.format.snapshot.Snapshot;
import java.util.List;

/** A write whose commit is that of an epoch. */
public interface EpochCommit {
  /** The watermark of the commit to come, in milliseconds since 1970. */
  void watermark(long millis);

  /** The snapshots that were committed; none before, nor where nothing was. */
  List<Snapshot> committed();
}
