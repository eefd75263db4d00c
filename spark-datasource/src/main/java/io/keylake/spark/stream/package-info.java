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
 * Tables as sources of streaming queries. A query starts at a place that its options choose ({@link
 * io.keylake.spark.stream.StreamStart}), notes in its checkpoint how far it has read ({@link
 * io.keylake.spark.stream.StreamPosition}), and reads in each trigger the pieces that follow, as
 * many as its limits admit: first those of a whole version, if it starts with one, then the changes
 * of one snapshot after another. Read {@link io.keylake.spark.stream.TableStream} first, then
 * {@code SnapshotPlans} and {@code Admission}.
 */
@NullMarked
package io.keylake.spark.stream;

import org.jspecify.annotations.NullMarked;
