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

package io.keylake.spark.compaction;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.spark.merge.runs.MergeSink;
import io.keylake.spark.merge.runs.MergeSources;
import io.keylake.spark.merge.runs.MergedKeys;
import io.keylake.spark.merge.runs.RunCursor;
import java.util.LinkedHashMap;
import java.util.Map;

/** Marks the rows of staying files that are outdated now. For one thread. */
final class OutdatedRows implements MergeSink {
  private final Map<String, DeletionVector> marks = new LinkedHashMap<>();

  @Override
  public void accept(MergedKeys keys, MergeSources sources) {
    for (int i = 0; i < keys.outdatedCount(); i++) {
      RunCursor run = sources.runs().get(keys.outdatedRun(i));
      marks
          .computeIfAbsent(run.input().file().name(), name -> new DeletionVector())
          .add(run.position(keys.outdatedRow(i)));
    }
  }

  /** The marked rows by name of the file. */
  Map<String, DeletionVector> marks() {
    return marks;
  }
}
