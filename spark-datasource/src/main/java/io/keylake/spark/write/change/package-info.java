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
 * What row-level statements on primary-key tables write: {@link
 * io.keylake.spark.write.change.RowChanges} makes rows of a task's changes, {@link
 * io.keylake.spark.write.change.KeyChanges} looks at all changes of a key together.
 *
 * <ol>
 *   <li>A record is an ordinary row of the merge engine: folded onto the row as it was it gives
 *       what the statement wants.
 *   <li>An override stands for its key whatever the table holds; of kind -D, the key is gone. It is
 *       for changes that no record can say.
 * </ol>
 */
@NullMarked
package io.keylake.spark.write.change;

import org.jspecify.annotations.NullMarked;
