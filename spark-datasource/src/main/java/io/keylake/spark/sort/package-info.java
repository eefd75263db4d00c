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
 * Steps 3 and 4 of the write road: rows of many buckets come in arrival order and leave in batches,
 * bucket by bucket, ordered by key, user sequence fields and sequence number, equal keys folded.
 * Sorting is done by Spark's spillable sorter under Spark's memory limits.
 *
 * <p>Read first: {@link io.keylake.spark.sort.SortOrder} (what rows are ordered by), {@link
 * io.keylake.spark.sort.SortBuffer} (in), {@link io.keylake.spark.sort.SortedBatches} (out).
 */
@NullMarked
package io.keylake.spark.sort;

import org.jspecify.annotations.NullMarked;
