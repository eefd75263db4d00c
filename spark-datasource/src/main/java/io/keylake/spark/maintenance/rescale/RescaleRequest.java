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

package io.keylake.spark.maintenance.rescale;

import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.PartitionChoice;

/**
 * What a call asks of a change of the number of buckets.
 *
 * @param buckets the new number of buckets
 * @param partitions which partitions
 * @param execution whether anything is changed
 */
public record RescaleRequest(int buckets, PartitionChoice partitions, Execution execution) {}
