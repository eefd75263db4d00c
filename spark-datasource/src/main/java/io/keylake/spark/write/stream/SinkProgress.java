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
import io.keylake.table.commit.CommitRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the newest epoch of a streaming query did, as {@code StreamingQueryProgress} shows it: the
 * snapshots that it made, the rows it added to the table, the data files. Safe for many threads:
 * one query writes, others read.
 */
public final class SinkProgress {
  private volatile Map<String, String> newest = Map.of();

  /** The metrics of the newest epoch; empty before the first. */
  public Map<String, String> metrics() {
    return newest;
  }

  void note(List<Snapshot> snapshots) {
    Map<String, String> metrics = new TreeMap<>();
    metrics.put("snapshots", Integer.toString(snapshots.size()));
    if (!snapshots.isEmpty()) {
      Snapshot first = snapshots.get(0);
      metrics.put("snapshotId", Long.toString(snapshots.get(snapshots.size() - 1).id()));
      metrics.put("rowsAdded", Long.toString(first.deltaRecordCount()));
      metrics.put("filesAdded", first.properties().getOrDefault(CommitRequest.FILES_ADDED, "0"));
      metrics.put(
          "filesRemoved", first.properties().getOrDefault(CommitRequest.FILES_REMOVED, "0"));
    }
    newest = Map.copyOf(metrics);
  }
}
