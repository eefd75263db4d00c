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
 * Step 6 of the read road, on the level of one batch: which rows stay ({@link
 * io.keylake.spark.vector.DropMask}), moving them together inside Spark's own vectors ({@link
 * io.keylake.spark.vector.VectorCompaction}), and copying values from one vector to another with a
 * change of type ({@link io.keylake.spark.vector.ValueAppender}) or without ({@link
 * io.keylake.spark.vector.VectorCopy}).
 */
@NullMarked
package io.keylake.spark.vector;

import org.jspecify.annotations.NullMarked;
