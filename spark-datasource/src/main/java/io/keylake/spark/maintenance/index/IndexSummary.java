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

package io.keylake.spark.maintenance.index;

/**
 * What a rewrite of file indexes did.
 *
 * @param filesChecked files whose index was compared with the table's options
 * @param filesIndexed files that have another index now
 * @param indexFilesWritten side files that were written
 * @param indexBytes bytes of all new indexes, in side files and in manifests
 * @param bucketsDropped buckets that are left as they were because other commits were in the way
 *     every time
 */
public record IndexSummary(
    long filesChecked,
    long filesIndexed,
    long indexFilesWritten,
    long indexBytes,
    long bucketsDropped) {}
