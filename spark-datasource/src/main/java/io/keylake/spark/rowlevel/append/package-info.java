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
 * DELETE, UPDATE and MERGE on append tables. A row is known by its data file and its position in
 * it: tasks collect the positions of rows that go in bitmaps and write new rows as any append does;
 * the driver puts the bitmaps into deletion vectors, or has the touched files copied without these
 * rows, and commits everything as one snapshot.
 *
 * <p>Read first: {@link io.keylake.spark.rowlevel.append.AppendOperation} (what Spark's planner
 * sees), {@code AppendDeltaWriter} (a task's work), {@code AppendCommit} (the commit).
 */
@NullMarked
package io.keylake.spark.rowlevel.append;

import org.jspecify.annotations.NullMarked;
