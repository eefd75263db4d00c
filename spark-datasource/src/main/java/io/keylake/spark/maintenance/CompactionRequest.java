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

package io.keylake.spark.maintenance;

import io.keylake.spark.maintenance.sorting.RowOrder;
import java.time.Duration;
import java.util.Optional;

/**
 * What a call asks of a compaction.
 *
 * @param strategy how far
 * @param partitions which partitions
 * @param idleTime only partitions whose newest file is older; empty = all
 * @param order how rows are to be sorted; empty = they keep their order
 * @param execution whether anything is changed
 */
public record CompactionRequest(
    Strategy strategy,
    PartitionChoice partitions,
    Optional<Duration> idleTime,
    Optional<RowOrder> order,
    Execution execution) {
  /** A request that leaves rows in their order. */
  public CompactionRequest(
      Strategy strategy,
      PartitionChoice partitions,
      Optional<Duration> idleTime,
      Execution execution) {
    this(strategy, partitions, idleTime, Optional.empty(), execution);
  }

  /** How far buckets are compacted. */
  public enum Strategy {
    /** All runs of a bucket into one on the top level; all small files of an append table. */
    FULL,
    /** What a write would compact after it. */
    MINOR,
    /** Only so far that no deletion vector is left. */
    VECTORS
  }

  /** Whether anything is changed. */
  public enum Execution {
    RUN,
    /** Only counts what would be done. */
    DRY_RUN
  }
}
