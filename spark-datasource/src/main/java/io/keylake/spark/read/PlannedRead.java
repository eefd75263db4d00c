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

import io.keylake.spark.read.layout.KeyedTasks;
import io.keylake.table.scan.ScanPlan;
import io.keylake.table.split.SplitSize;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/**
 * The outcome of planning.
 *
 * @param files what is read
 * @param size how it was cut
 * @param work the splits of each task
 * @param readerFactory opens them
 * @param counts what they amount to
 * @param planningMillis how long it took
 */
record PlannedRead(
    ScanPlan files,
    SplitSize size,
    KeyedTasks work,
    PartitionReaderFactory readerFactory,
    PlanCounts counts,
    long planningMillis) {}
