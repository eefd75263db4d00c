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

package io.keylake.spark.read;

import io.keylake.table.split.Split;
import java.util.List;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/**
 * The outcome of planning.
 *
 * @param tasks the splits of each task
 * @param readerFactory opens them
 * @param counts what they amount to
 * @param manifestsRead manifests that planning read
 * @param manifestsSkipped manifests that it could leave out
 * @param planningMillis how long it took
 */
record PlannedRead(
    List<List<Split>> tasks,
    PartitionReaderFactory readerFactory,
    PlanCounts counts,
    long manifestsRead,
    long manifestsSkipped,
    long planningMillis) {
  PlannedRead {
    tasks = List.copyOf(tasks);
  }
}
