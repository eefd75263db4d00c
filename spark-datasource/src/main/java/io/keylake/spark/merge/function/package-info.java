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
 * Columns of several versions of keys become one column: {@link
 * io.keylake.spark.merge.function.FoldSteps} says what each version does to a column, and a {@link
 * io.keylake.spark.merge.function.ColumnFold} does it, one loop over all keys. {@link
 * io.keylake.spark.merge.function.ColumnFolds} finds the fold of a column. Every path, read, write
 * and compaction, folds with these.
 */
@NullMarked
package io.keylake.spark.merge.function;

import org.jspecify.annotations.NullMarked;
