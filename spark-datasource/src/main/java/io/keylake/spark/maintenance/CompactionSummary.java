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

/**
 * What a compaction did; only what was committed counts, or what would be done in a dry run.
 *
 * @param bucketsChecked buckets with files that were looked at
 * @param bucketsCompacted buckets whose files were rewritten or moved
 * @param filesIn files that were rewritten
 * @param filesOut files that were made of them
 * @param bytesIn bytes of the files that were rewritten
 * @param bytesOut bytes of the new files
 * @param rowsIn stored rows of the files that were rewritten
 * @param rowsOut rows of the new files
 * @param filesUpgraded files that were moved to another level without being rewritten
 * @param bucketsDropped buckets that are left as they were because other commits were in the way
 *     every time
 */
public record CompactionSummary(
    long bucketsChecked,
    long bucketsCompacted,
    long filesIn,
    long filesOut,
    long bytesIn,
    long bytesOut,
    long rowsIn,
    long rowsOut,
    long filesUpgraded,
    long bucketsDropped) {}
