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
 * What an overwrite or a metadata-only delete selects. {@link
 * io.keylake.spark.write.overwrite.RowCondition} is the condition of a statement on a table's
 * columns; {@link io.keylake.spark.write.overwrite.SelectedPartitions} tells whether conditions
 * select whole partitions, and which; {@link io.keylake.spark.write.overwrite.OverwriteOptions} are
 * the options of a write that choose what it replaces.
 */
@NullMarked
package io.keylake.spark.write.overwrite;

import org.jspecify.annotations.NullMarked;
