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
 * Writes to tables in which a key is found once whatever its partition: finds the partition and
 * bucket of each key. {@link io.keylake.spark.write.cross.KeyRouting} sends the rows of a task
 * where they belong, {@link io.keylake.spark.write.cross.BaseKeys} knows the keys of the snapshot
 * that a write starts from, in a {@link io.keylake.spark.write.cross.KeyIndex} on local disk.
 */
@NullMarked
package io.keylake.spark.write.cross;

import org.jspecify.annotations.NullMarked;
