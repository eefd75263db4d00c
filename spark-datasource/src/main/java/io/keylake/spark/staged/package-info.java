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

/**
 * Rows that are staged in the bucket -2 of a postpone table, unsorted, in the order of writing:
 * sorting them into runs of level 0 of the buckets they belong to. {@link
 * io.keylake.spark.staged.StagedRuns} does that, for compaction into the table's folders; {@link
 * io.keylake.spark.staged.StagedReaders} for reads, into files on a local disk that live as long as
 * the reader.
 */
@NullMarked
package io.keylake.spark.staged;

import org.jspecify.annotations.NullMarked;
