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
 * Sorted runs merged by key: what compaction does with all rows of some files. {@link
 * io.keylake.spark.merge.runs.RunMerge} walks the keys, {@link io.keylake.spark.merge.runs.KeyFold}
 * decides about keys that several runs hold, as the merge engine says, and {@link
 * io.keylake.spark.merge.runs.MergeSink}s make files, deletion vectors or changes of what comes
 * out, batch by batch.
 */
@NullMarked
package io.keylake.spark.merge.runs;

import org.jspecify.annotations.NullMarked;
