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
 * How runs are rewritten: step 6 of the write road. Plans come from {@link
 * io.keylake.table.compaction}; {@link io.keylake.spark.compaction.StepRunner} carries out their
 * steps inside a task, {@link io.keylake.spark.compaction.CompactedBucket} says what a finished
 * plan changes in the table.
 */
@NullMarked
package io.keylake.spark.compaction;

import org.jspecify.annotations.NullMarked;
