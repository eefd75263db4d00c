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
 * What of a bucket to compact, and how far each of its files must be rewritten: step 6 of the write
 * road. Metadata only. Read {@link io.keylake.table.compaction.CompactionPlanner} (asks for a
 * plan), {@link io.keylake.table.compaction.UniversalCompaction} (which runs are picked), {@link
 * io.keylake.table.compaction.CompactionSteps} (what is done with them) and, for tables without a
 * primary key, {@link io.keylake.table.compaction.AppendCompaction}.
 */
@NullMarked
package io.keylake.table.compaction;

import org.jspecify.annotations.NullMarked;
