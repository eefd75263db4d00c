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

package io.keylake.spark.metadata;

import io.keylake.format.row.BinaryRow;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The partitions that have files in the pinned snapshot, in the order of the manifests. */
public final class LivePartitions {
  private LivePartitions() {}

  /** The partitions' values. */
  public static Set<BinaryRow> of(MetadataSource source) {
    Set<BinaryRow> partitions = new LinkedHashSet<>();
    LiveFiles.withoutStatistics(source).forEach(file -> partitions.add(file.partition()));
    return Collections.unmodifiableSet(partitions);
  }
}
